package explain

// Cores under a relaxation.
//
// What: results are dropped as long as the rest is still refuted, then responses, where dropping
// them can only weaken the question (verify.Forgettable). An operation whose result is needed keeps
// its response, too. The future, the past, values and order are kept: under a factor, an item may
// come from a later place or go to an earlier one (docs/quasi.md).
//
// Cost: one call of the engines for each block of facts that is tried. Every dropped response is
// one more choice for the verifier, so responses are dropped in small partitions only; others keep
// all of them.

import (
	"context"
	"slices"
	"sort"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/proof"
	"github.com/linsat/linsat/internal/quasi/verify"
	"github.com/linsat/linsat/quasi"
)

// FindQuasi looks for a minimal core of b's partition, which is not quasi-linearizable under r. It
// drops results, and responses of operations whose result is not needed. decide answers under r.
// FindQuasi returns nil if decide does not refute the partition.
func FindQuasi(ctx context.Context, b *model.Instance, r *quasi.Question, decide Decide) (*Core, error) {
	return findQuasi(ctx, b, r, decide, true)
}

// findQuasi is FindQuasi, with a first cut to begin with if cut is set.
func findQuasi(ctx context.Context, b *model.Instance, r *quasi.Question, decide Decide, cut bool) (*Core, error) {
	can, err := verify.Forgettable(b, r)
	if err != nil {
		return nil, err
	}
	f := &finder{ctx: ctx, b: b, decide: decide, base: make([]proof.Retained, b.Partition.Len())}
	f.core.Minimal = true
	f.core.NoArgument = "there are no axioms for this under a factor"
	weakening := &proof.Weakening{Cut: history.Never, Retain: slices.Clone(f.base)}
	if !f.refuted(weakening) {
		return nil, nil
	}
	var ops []history.OpID
	for _, i := range f.completed(weakening) {
		switch o := &b.Partition.Ops[i]; {
		case !can[i]:
			f.keep(ResultFact, i)
			f.doubt("a result on which a class or a bounded set depends cannot be forgotten")
		case o.Unknown:
			weakening.Retain[i] = proof.RetainResponse // it has no result
		default:
			ops = append(ops, i)
		}
	}
	var spare []history.OpID
	if cut {
		ops, spare = f.firstCut(r, ops)
	}
	unnamed := slices.Clone(weakening.Retain)
	for _, i := range spare {
		weakening.Retain[i] = proof.RetainResponse
	}
	if len(spare) > 0 && !f.refuted(weakening) {
		weakening.Retain = unnamed
		ops = append(ops, spare...)
		spare = nil
	}
	f.drop(len(ops), func(k int) { weakening.Retain[ops[k]] = proof.RetainResponse }, weakening)
	var responses []history.OpID
	for i, kept := range weakening.Retain {
		switch {
		case kept == proof.RetainResponse:
			responses = append(responses, history.OpID(i))
		case slices.Contains(ops, history.OpID(i)):
			f.keep(ResultFact, history.OpID(i))
		}
	}
	besides := []string{AllOrder}
	if b.Partition.Len() <= maxResponses {
		f.drop(len(responses), func(k int) { weakening.Retain[responses[k]] = proof.RetainCall }, weakening)
	} else if len(responses) > 0 {
		besides, responses = []string{AllResponses, AllOrder}, nil
	}
	for _, i := range responses {
		if weakening.Retain[i] == proof.RetainResponse {
			f.keep(ResponseFact, i)
		}
	}
	facts := f.core.Facts
	sort.SliceStable(facts, func(i, j int) bool {
		x, y := &facts[i], &facts[j]
		return x.Kind > y.Kind || x.Kind == y.Kind && x.Operations[0] < y.Operations[0]
	})
	f.rests(weakening, weakening, besides...)
	return &f.core, nil
}
