package explain

// Dropping that operations returned, and what they returned.

import (
	"slices"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/proof"
)

// alone drops all responses but the last one where its operation found in a register what nothing
// before it leaves, in a small window. It reports whether the prover refutes the rest.
func (f *finder) alone(weakening *proof.Weakening) bool {
	t, ok := f.b.Axiomatic().(*model.RegisterTheory)
	ops := f.completed(weakening)
	if !ok || len(ops) == 0 || f.b.Partition.Called(weakening.Cut) > maxWindow {
		return false
	}
	last := ops[len(ops)-1]
	for i := range last {
		for _, left := range t.Of(i) {
			for _, m := range t.Of(last) {
				if t.Object[i] == t.Object[last] && m.Allows(left.Leaves) {
					return false
				}
			}
		}
	}
	try := *weakening
	try.Retain = slices.Clone(weakening.Retain)
	for _, i := range ops[:len(ops)-1] {
		try.Retain[i] = proof.RetainCall
	}
	if f.attempt(&try, searchNodes) == nil {
		return false
	}
	*weakening = try
	return true
}

// responses drops that operations returned, then what they returned. It returns the weakening that
// retains the facts alone; weakening itself also retains results that shorten the argument.
func (f *finder) responses(weakening *proof.Weakening) (least *proof.Weakening) {
	ops := f.completed(weakening)
	f.drop(len(ops), func(k int) { weakening.Retain[ops[k]] = proof.RetainCall }, weakening)
	ops = slices.DeleteFunc(ops, func(i history.OpID) bool { return weakening.Retain[i] != proof.RetainAll })
	for _, i := range ops {
		f.keep(ResponseFact, i)
	}
	if weakening.View == 0 {
		ops = slices.DeleteFunc(ops, f.resultSaysNothing())
	}
	facts := *weakening
	facts.Retain = slices.Clone(weakening.Retain)
	f.drop(len(ops), func(k int) { facts.Retain[ops[k]] = proof.RetainResponse }, &facts)
	var spare []history.OpID
	for _, i := range ops {
		if facts.Retain[i] == proof.RetainAll {
			f.keep(ResultFact, i)
		} else {
			spare = append(spare, i)
		}
	}
	if len(spare) > maxResults {
		*weakening = facts
		return weakening
	}
	var first *proof.Node
	if len(spare) > 0 {
		first = f.attempt(weakening, DefaultNodes)
	}
	for _, i := range spare {
		weakening.Retain[i] = proof.RetainResponse
		if first != nil {
			if other := f.attempt(weakening, searchNodes); other != nil && other.Size().Steps <= first.Size().Steps {
				continue
			}
			weakening.Retain[i] = proof.RetainAll
		}
	}
	return &facts
}

// resultSaysNothing reports whether dropping an operation's result would make no difference, as
// with a lock.
func (f *finder) resultSaysNothing() func(i history.OpID) bool {
	forgotten := &proof.Weakening{Cut: history.Never, Retain: make([]proof.Retained, f.b.Partition.Len())}
	for i := range forgotten.Retain {
		forgotten.Retain[i] = proof.RetainResponse
	}
	weak, _, err := Weaken(f.b, forgotten)
	if err != nil {
		return func(history.OpID) bool { return false }
	}
	with, ok := f.b.Axiomatic().(*model.RegisterTheory)
	without, also := weak.Axiomatic().(*model.RegisterTheory)
	if !ok || !also || with.Values != without.Values {
		return func(history.OpID) bool { return false }
	}
	return func(i history.OpID) bool { return sameModes(with.Of(i), without.Of(i)) }
}

// results drops what operations returned, for specifications without axioms. Dropping responses or
// order would make the verifier's search too long.
func (f *finder) results(weakening *proof.Weakening) {
	ops := f.completed(weakening)
	f.drop(len(ops), func(k int) { weakening.Retain[ops[k]] = proof.RetainResponse }, weakening)
	for _, i := range ops {
		if weakening.Retain[i] == proof.RetainAll {
			f.keep(ResultFact, i)
		}
	}
	f.rests(weakening, weakening, AllResponses, AllOrder)
}
