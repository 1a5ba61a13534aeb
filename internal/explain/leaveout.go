package explain

import (
	"context"
	"slices"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/proof"
)

// Cores of partitions without axioms: leaving out operations, and dropping results.
//
// What: operations that change nothing are left out one by one. Where it is known what operations
// touch, so are those that touch nothing in common with the rest. Where the specification says that
// values may be left out (Instance.Contents), so are all operations on a value. The rest may be
// refuted by a shorter prefix. Where there are no such values, results are dropped. Each dropped
// result makes the next question harder (more orders fit), so this ends after a second; responses
// and order are kept for the same reason.
//
// Decision procedures: the engines at each step, and verify.Tried at the end.

// withoutAxioms finds the facts of a partition without axioms.
func (f *finder) withoutAxioms(weakening *proof.Weakening) {
	many := len(f.completed(weakening)) > fewestFacts
	if len(f.b.Partition.Edges) == 0 {
		pure := f.pure(weakening)
		f.drop(len(pure), func(k int) { weakening.Retain[pure[k]] = proof.RetainNothing }, weakening)
		many = len(f.completed(weakening)) > fewestFacts
		f.leaveApart(weakening)
		if f.leaveValues(weakening) {
			return
		}
	}
	if len(f.b.Partition.Ops) <= maxOperations && many {
		before, whole := f.core, *weakening
		whole.Retain = slices.Clone(weakening.Retain)
		if f.fewResponses(&whole) {
			*weakening = whole
			f.rests(weakening, weakening, AllOrder)
			return
		}
		f.core = before
	}
	ctx, stop := context.WithTimeout(f.ctx, lookForResults)
	defer stop()
	all := f.ctx
	f.ctx = ctx
	f.results(weakening)
	f.ctx = all
}

// fewResponses drops that operations returned, as long as the rest is refuted, until few are left:
// by the engines, and then one by one where operations that never returned may take effect again
// and again (reused). It reports whether few are left.
func (f *finder) fewResponses(weakening *proof.Weakening) bool {
	ops := f.completed(weakening)
	f.drop(len(ops), func(k int) { weakening.Retain[ops[k]] = proof.RetainCall }, weakening)
	if ops = f.completed(weakening); len(ops) == 0 || len(ops) > manyFacts {
		return false
	}
	for _, i := range ops {
		if weakening.Retain[i] = proof.RetainCall; f.core.Minimal || !f.reused(weakening) {
			weakening.Retain[i] = proof.RetainAll
		}
	}
	ops = f.completed(weakening)
	for _, i := range ops {
		f.keep(ResponseFact, i)
	}
	for _, i := range ops {
		if weakening.Retain[i] = proof.RetainResponse; !f.refuted(weakening) &&
			(f.core.Minimal || !f.reused(weakening)) {
			weakening.Retain[i] = proof.RetainAll
			f.keep(ResultFact, i)
		}
	}
	return true
}

// leaveApart leaves out operations that touch nothing that the others touch, and those that never
// returned and change nothing. Of parts of the history that touch nothing in common one is refuted.
func (f *finder) leaveApart(weakening *proof.Weakening) {
	ops := f.b.Partition.Ops
	for i := range ops {
		if f.b.ReadOnly[i] && ops[i].Return > weakening.Cut {
			weakening.Retain[i] = proof.RetainNothing // there are the same orders
		}
	}
	touches := model.TouchesOf(f.b.Spec, f.b.Partition)
	if touches == nil || f.b.Contents() != nil {
		return
	}
	part := map[int32]int32{} // by key, another key of the same part
	of := func(key int32) int32 {
		for {
			other, known := part[key]
			if !known || other == key {
				return key
			}
			key = other
		}
	}
	within := func(i int) bool { return weakening.Retain[i] != proof.RetainNothing && ops[i].Call <= weakening.Cut }
	for i, keys := range touches {
		if within(i) && keys == nil {
			return
		}
		for _, key := range keys {
			if within(i) {
				part[of(key)] = of(keys[0])
			}
		}
	}
	members := map[int32][]int{}
	var parts []int32
	for i, keys := range touches {
		if !within(i) || len(keys) == 0 {
			continue
		}
		p := of(keys[0])
		if members[p] == nil {
			parts = append(parts, p)
		}
		members[p] = append(members[p], i)
	}
	f.drop(len(parts), func(k int) {
		for _, i := range members[parts[k]] {
			weakening.Retain[i] = proof.RetainNothing
		}
	}, weakening)
	f.future(weakening)
}

// pure lists the completed operations within the cut that change no state, the earliest first.
func (f *finder) pure(weakening *proof.Weakening) []history.OpID {
	return slices.DeleteFunc(f.completed(weakening), func(i history.OpID) bool { return !f.b.ReadOnly[i] })
}

// leaveValues leaves out all operations on as many values as it can. It reports whether leaving out
// values is known to be sound.
func (f *finder) leaveValues(weakening *proof.Weakening) bool {
	p := f.b.Partition
	moves := f.b.Contents()
	if moves == nil || len(moves.Initial[0]) > 0 {
		return false // what is there at the start stays
	}
	groups := map[int32][]history.OpID{}
	var values []int32
	var empty []history.OpID
	for i := range p.Ops {
		v := moves.Value[i]
		switch {
		case weakening.Retain[i] == proof.RetainNothing:
		case f.b.CountsValues(history.OpID(i)) && p.Ops[i].Call <= weakening.Cut:
			return false
		case v == model.Anything && !p.Ops[i].Pending():
			return false // it may have taken any of the values
		case v == model.Nothing:
			if p.Ops[i].Return <= weakening.Cut {
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
			weakening.Retain[i] = proof.RetainNothing
		}
	}, weakening)
	f.future(weakening)
	f.rests(weakening, weakening, AllOrder)
	within := func(i history.OpID) bool {
		return weakening.Retain[i] != proof.RetainNothing && p.Ops[i].Call <= weakening.Cut
	}
	for _, v := range values {
		if members := slices.DeleteFunc(slices.Clone(groups[v]), func(i history.OpID) bool {
			return !within(i)
		}); len(members) > 0 {
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
