package explain

import (
	"context"
	"slices"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/proof"
)

// Cores of parts without axioms: what can be left out, and results.
//
// What: operations that change nothing are left out one by one, and where the specification says
// that values can be forgotten (model.Instance.Values) all operations on values; what is left is
// refuted by a prefix that may be shorter. Where there are no such values, results are forgotten:
// for these, each one makes the next question harder (more orders fit), so that ends after a
// second. Responses and order are kept, for the same reason.
//
// Who decides: the engines for each step, and verify.Tried at the end.

// withoutAxioms finds the facts of a part without axioms.
func (f *finder) withoutAxioms(claim *proof.Weakening) {
	if len(f.b.Partition.Edges) == 0 {
		pure := f.pure(claim)
		f.drop(len(pure), func(k int) { claim.Retain[pure[k]] = proof.RetainNothing }, claim)
		if f.b.Values != nil && f.leaveValues(claim) {
			return
		}
	}
	ctx, stop := context.WithTimeout(f.ctx, lookForResults)
	defer stop()
	all := f.ctx
	f.ctx = ctx
	f.results(claim)
	f.ctx = all
}

// pure lists the completed operations within the cut that change no state, the earliest first.
func (f *finder) pure(claim *proof.Weakening) []history.OpID {
	return slices.DeleteFunc(f.completed(claim), func(i history.OpID) bool { return !f.b.ReadOnly[i] })
}

// leaveValues leaves out all operations on as many values as it can. It reports whether that is
// known to be right.
func (f *finder) leaveValues(claim *proof.Weakening) bool {
	p := f.b.Partition
	if len(f.b.Held) > 0 {
		return false // what is there at the start stays
	}
	groups := map[int32][]history.OpID{}
	var values []int32
	var empty []history.OpID
	for i := range p.Ops {
		v := f.b.Values[i]
		switch {
		case claim.Retain[i] == proof.RetainNothing:
		case f.b.Counts != nil && f.b.Counts[i] && p.Ops[i].Call <= claim.Cut:
			return false
		case v == model.Anything && !p.Ops[i].Pending():
			return false // it may have taken any of the values
		case v == model.Nothing:
			if p.Ops[i].Return <= claim.Cut {
				empty = append(empty, history.OpID(i))
			}
		case v >= 0:
			if groups[v] == nil {
				values = append(values, v)
			}
			groups[v] = append(groups[v], history.OpID(i))
		}
	}
	f.drop(len(values), func(k int) {
		for _, i := range groups[values[k]] {
			claim.Retain[i] = proof.RetainNothing
		}
	}, claim)
	f.future(claim)
	f.rests(claim, claim, AllOrder)
	within := func(i history.OpID) bool { return claim.Retain[i] != proof.RetainNothing && p.Ops[i].Call <= claim.Cut }
	for _, v := range values {
		if members := slices.DeleteFunc(slices.Clone(groups[v]), func(i history.OpID) bool { return !within(i) }); len(members) > 0 {
			f.keep(ValueFact, members...)
		}
	}
	for _, i := range empty {
		if within(i) {
			f.keep(EmptyFact, i)
		}
	}
	return true
}
