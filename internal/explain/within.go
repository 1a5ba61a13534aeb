package explain

import (
	"context"
	"slices"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/proof"
)

// FindAmong is Find for histories of any length of which a monitor named a few values of a
// collection: all operations on other values, and those that found nothing, are forgotten from the
// start. It returns nil if the named ones alone are not refuted, or cannot be taken alone.
func FindAmong(ctx context.Context, b *model.Instance, values []int32, op int32, decide Decide) (*Core, error) {
	t, ok := b.Theory.(*model.CollectionTheory)
	if !ok {
		return nil, nil
	}
	named := map[int32]bool{}
	for _, v := range values {
		named[v] = true
	}
	if op >= 0 && t.Value[op] >= 0 { // without its insertion it would be refuted for nothing
		named[t.Value[op]] = true
	}
	f := &finder{ctx: ctx, b: b, decide: decide, base: make([]proof.Retained, b.Partition.Len())}
	f.core.Minimal = true
	claim := &proof.Weakening{Cut: history.Never, Retain: make([]proof.Retained, b.Partition.Len())}
	for i := range b.Partition.Ops {
		if v := t.Value[i]; v != model.Anything && int32(i) != op && !named[v] {
			claim.Retain[i] = proof.RetainNothing
		}
	}
	if !f.refuted(claim) {
		return nil, nil
	}
	f.given(claim)
	least := f.values(claim)
	f.future(least)
	for k := range f.core.Facts { // what is called after the cut is no part of any fact
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
