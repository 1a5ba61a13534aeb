package explain

// Forgetting that operations returned, and what they returned.

import (
	"slices"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/proof"
)

// responses forgets that operations returned, then what they returned. It returns the weakening of
// the facts alone; in the other, results stay with which the argument is shorter.
func (f *finder) responses(claim *proof.Weakening) (least *proof.Weakening) {
	ops := f.completed(claim)
	f.drop(len(ops), func(k int) { claim.Retain[ops[k]] = proof.RetainCall }, claim)
	ops = slices.DeleteFunc(ops, func(i history.OpID) bool { return claim.Retain[i] != proof.RetainAll })
	for _, i := range ops {
		f.keep(ResponseFact, i)
	}
	if claim.View == 0 {
		ops = slices.DeleteFunc(ops, f.resultSaysNothing())
	}
	facts := *claim
	facts.Retain = slices.Clone(claim.Retain)
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
		*claim = facts
		return claim
	}
	var first *proof.Node
	if len(spare) > 0 {
		first = f.attempt(claim, DefaultNodes)
	}
	for _, i := range spare {
		claim.Retain[i] = proof.RetainResponse
		if first != nil {
			if other := f.attempt(claim, searchNodes); other != nil && other.Size().Steps <= first.Size().Steps {
				continue
			}
			claim.Retain[i] = proof.RetainAll
		}
	}
	return &facts
}

// resultSaysNothing tells of an operation whether forgetting its result would make no difference (a
// lock's).
func (f *finder) resultSaysNothing() func(i history.OpID) bool {
	forgotten := &proof.Weakening{Cut: history.Never, Retain: make([]proof.Retained, f.b.Partition.Len())}
	for i := range forgotten.Retain {
		forgotten.Retain[i] = proof.RetainResponse
	}
	weak, _, err := Weaken(f.b, forgotten)
	if err != nil {
		return func(history.OpID) bool { return false }
	}
	with, ok := f.b.Theory.(*model.RegisterTheory)
	without, also := weak.Theory.(*model.RegisterTheory)
	if !ok || !also || with.Values != without.Values {
		return func(history.OpID) bool { return false }
	}
	return func(i history.OpID) bool { return sameModes(with.Of(i), without.Of(i)) }
}

// results forgets what operations returned, for specifications without axioms: forgetting responses
// or order makes the verifier's search too long.
func (f *finder) results(claim *proof.Weakening) {
	ops := f.completed(claim)
	f.drop(len(ops), func(k int) { claim.Retain[ops[k]] = proof.RetainResponse }, claim)
	for _, i := range ops {
		if claim.Retain[i] == proof.RetainAll {
			f.keep(ResultFact, i)
		}
	}
	f.rests(claim, claim, AllResponses, AllOrder)
}
