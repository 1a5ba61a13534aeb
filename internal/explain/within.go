package explain

import (
	"context"
	"slices"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/proof"
)

// FindAmong is Find for histories of any length of which a monitor named a few operations on a
// collection: all others are forgotten from the start. named holds all operations on some values
// and those whose result is unknown. It returns nil if the named ones alone are not refuted, or
// cannot be taken alone.
func FindAmong(ctx context.Context, b *model.Instance, named []int32, decide Decide) (*Core, error) {
	if _, ok := b.Theory.(*model.CollectionTheory); !ok {
		return nil, nil
	}
	f := &finder{ctx: ctx, b: b, decide: decide, base: make([]proof.Retained, b.Partition.Len())}
	f.core.Minimal = true
	claim := &proof.Weakening{Cut: history.Never, Retain: make([]proof.Retained, b.Partition.Len())}
	for i := range claim.Retain {
		claim.Retain[i] = proof.RetainNothing
	}
	for _, i := range named {
		claim.Retain[i] = proof.RetainAll
	}
	if !f.refuted(claim) {
		return nil, nil
	}
	f.given(claim)
	least := f.values(claim)
	f.future(least)
	for k := range f.core.Facts { // what is called after the cut is not a part of any fact
		f.core.Facts[k].Operations = slices.DeleteFunc(f.core.Facts[k].Operations, func(i int32) bool { return b.Partition.Ops[i].Call > claim.Cut })
	}
	// A value of which only the initial contents are left belongs to these.
	f.core.Facts = slices.DeleteFunc(f.core.Facts, func(x Fact) bool { return len(x.Operations) == 0 })
	if least != claim {
		claim.Cut = least.Cut
	}
	f.finish(claim, least)
	return &f.core, nil
}

// FindLeft is Find for a part without axioms of which an engine named what refutes it without the
// rest: the claim leaves out all operations on other values. It returns nil if that is not refuted,
// or if values cannot be left out.
func FindLeft(ctx context.Context, b *model.Instance, claim *proof.Weakening, decide Decide) (*Core, error) {
	f := &finder{ctx: ctx, b: b, decide: decide, base: make([]proof.Retained, b.Partition.Len())}
	f.core.Minimal = true
	left := *claim
	left.Retain = slices.Clone(f.base)
	copy(left.Retain, claim.Retain)
	if b.Theory != nil || b.Values == nil || !f.refuted(&left) {
		return nil, nil
	}
	f.future(&left)
	if !f.leaveValues(&left) {
		return nil, nil
	}
	f.core.NoArgument = noAxioms
	return &f.core, nil
}
