package explain

import (
	"context"
	"slices"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/proof"
	"github.com/linsat/linsat/internal/verify"
)

// FindAmong is Find for histories of any length in which a monitor named a few operations on a
// collection: all others are left out from the start. named holds all operations on some values,
// and those whose result is unknown. FindAmong returns nil if the named ones alone are not refuted,
// or if the others cannot be left out.
func FindAmong(ctx context.Context, b *model.Instance, named []history.OpID, decide Decide) (*Core, error) {
	if _, ok := b.Theory.(*model.CollectionTheory); !ok {
		return nil, nil
	}
	f := &finder{ctx: ctx, b: b, decide: decide, base: make([]proof.Retained, b.Partition.Len())}
	f.core.Minimal = true
	weakening := &proof.Weakening{Cut: history.Never, Retain: make([]proof.Retained, b.Partition.Len())}
	for i := range weakening.Retain {
		weakening.Retain[i] = proof.RetainNothing
	}
	for _, i := range named {
		weakening.Retain[i] = proof.RetainAll
	}
	if few := verify.Select(b, weakening); few != nil && len(few.Left) < b.Partition.Len() {
		all := make([]history.OpID, len(few.Left))
		for k := range all {
			all[k] = history.OpID(k)
		}
		core, err := FindAmong(ctx, few.Instance, all, decide)
		if core != nil {
			core.inWhole(few, b.Partition.Len())
		}
		return core, err
	}
	if !f.refuted(weakening) {
		return nil, nil
	}
	f.given(weakening)
	least := f.values(weakening)
	f.future(least)
	for k := range f.core.Facts { // what is called after the cut is not a part of any fact
		f.core.Facts[k].Operations = slices.DeleteFunc(f.core.Facts[k].Operations, func(i history.OpID) bool {
			return b.Partition.Ops[i].Call > weakening.Cut
		})
	}
	// A value of which only the initial contents are left belongs to these.
	f.core.Facts = slices.DeleteFunc(f.core.Facts, func(x Fact) bool { return len(x.Operations) == 0 })
	if least != weakening {
		weakening.Cut = least.Cut
	}
	f.finish(weakening, least)
	return &f.core, nil
}

// FindLeft is Find for a partition without axioms, where an engine named operations that suffice
// for a refutation: the weakening leaves out all operations on other values. It returns nil if the
// rest is not refuted, or if values cannot be left out.
func FindLeft(ctx context.Context, b *model.Instance, weakening *proof.Weakening, decide Decide) (*Core, error) {
	f := &finder{ctx: ctx, b: b, decide: decide, base: make([]proof.Retained, b.Partition.Len())}
	f.core.Minimal = true
	left := *weakening
	left.Retain = slices.Clone(f.base)
	copy(left.Retain, weakening.Retain)
	if b.Contents() == nil || !f.refuted(&left) {
		return nil, nil
	}
	f.future(&left)
	if !f.leaveValues(&left) {
		return nil, nil
	}
	f.core.NoArgument = noAxioms
	return &f.core, nil
}

// FindKept is Find for a partition without axioms, where an engine named few operations of which
// the responses refute it, whatever the others did. It returns nil if the verifier does not find
// that at once, or if others are left out.
func FindKept(ctx context.Context, b *model.Instance, weakening *proof.Weakening, decide Decide) *Core {
	var kept []history.OpID
	for i, r := range weakening.Retain {
		switch r {
		case proof.RetainAll:
			kept = append(kept, history.OpID(i))
		case proof.RetainCall:
		default:
			return nil
		}
	}
	least := *weakening
	least.Retain = slices.Clone(weakening.Retain)
	if len(kept) == 0 || len(kept) > manyFacts {
		return nil
	}
	if _, _, err := verify.Tried(ctx, b, &least, 1); err != nil {
		return nil
	}
	f := &finder{ctx: ctx, b: b, decide: decide, base: make([]proof.Retained, b.Partition.Len())}
	f.core.Minimal = true
	for _, i := range kept {
		least.Retain[i] = proof.RetainCall
		if f.refuted(&least) {
			if _, _, err := verify.Tried(ctx, b, &least, 1); err == nil {
				continue
			}
			f.doubt("what is left without some facts takes the verifier too long")
		}
		least.Retain[i] = proof.RetainAll
		f.keep(ResponseFact, i)
		f.keep(ResultFact, i)
	}
	f.rests(&least, &least, AllOrder)
	f.core.NoArgument = noAxioms
	return &f.core
}

// inWhole makes a core of selected operations one of the whole partition of n operations.
func (c *Core) inWhole(few *verify.Selection, n int) {
	pairs := func(of [][2]history.OpID) (own [][2]history.OpID) {
		for _, e := range of {
			own = append(own, [2]history.OpID{few.Whole(e[0]), few.Whole(e[1])})
		}
		return own
	}
	whole := func(weakening *proof.Weakening) *proof.Weakening {
		if weakening == nil {
			return nil
		}
		own := *weakening
		own.Retain = make([]proof.Retained, n)
		for i := range own.Retain {
			own.Retain[i] = proof.RetainNothing
		}
		for k, i := range few.Left {
			own.Retain[i] = weakening.Of(history.OpID(k))
		}
		own.Order, own.Given = pairs(weakening.Order), pairs(weakening.Given)
		return &own
	}
	least := c.Least
	c.Least = whole(least)
	if c.Weakening == least {
		c.Weakening = c.Least
	} else {
		c.Weakening = whole(c.Weakening)
	}
	for _, f := range c.Facts {
		for k, i := range f.Operations {
			f.Operations[k] = few.Whole(i)
		}
	}
	if c.Argument != nil {
		c.Argument = c.Argument.Renamed(few.Whole)
	}
}
