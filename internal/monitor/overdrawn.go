package monitor

// Collections in which values repeat, refuted by how often a value was removed.
//
// What: by the return of a removal, no more completed removals of its value can have returned than
// copies are there: insertions of it called by then, and initial ones. And a value that a completed
// operation sees must be inserted at all. This holds in every discipline, for deques and for queues
// of limited capacity, too. For an unordered queue
// without peeks and empty results it is also sufficient: insertions can take effect at their calls
// and removals at their returns.
//
// Source: folklore; it is the condition of Hall for intervals that are open on one side.
//
// Cost: O(n log n) for sorting returns.

import (
	"cmp"
	"slices"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/proof"
)

// onlyOverdrawn refutes a collection by counting, or leaves it open for the reason given.
func onlyOverdrawn(b *model.Instance, t *model.CollectionTheory, reason string) engine.Answer {
	if flaw := overdrawn(b, t); flaw != nil {
		return engine.Answer{Verdict: engine.NotLinearizable, Proof: flaw}
	}
	return engine.Answer{Cause: engine.Unsupported, Detail: reason}
}

// overdrawn refutes a collection by the value that is first removed too often; nil if there is
// none. A completed operation with an unknown result may be on any value, so then the answer is
// nil.
func overdrawn(b *model.Instance, t *model.CollectionTheory) *proof.CollectionConflict {
	ops := b.Partition.Ops
	inserted, stored := make([]bool, t.Values), make([]int32, t.Values)
	for _, v := range t.Initial[0] {
		inserted[v] = true
		stored[v]++
	}
	var removals []history.OpID
	for i, v := range t.Value {
		switch {
		case t.Does[i] == model.Insert:
			inserted[v] = true
		case ops[i].Pending():
		case v == model.Anything:
			return nil
		case v >= 0 && t.Does[i] == model.Remove:
			removals = append(removals, history.OpID(i))
		}
	}
	for i, v := range t.Value {
		if v >= 0 && !inserted[v] && !ops[i].Pending() {
			flaw := refutation(proof.NeverInserted, v)
			flaw.Op = history.OpID(i)
			return flaw
		}
	}
	slices.SortFunc(removals, func(x, y history.OpID) int { return cmp.Compare(ops[x].Return, ops[y].Return) })
	next := 0
	for _, r := range removals {
		for ; next < len(ops) && ops[next].Call < ops[r].Return; next++ {
			if t.Does[next] == model.Insert {
				stored[t.Value[next]]++
			}
		}
		v := t.Value[r]
		if stored[v]--; stored[v] < 0 {
			flaw := refutation(proof.Overdrawn, v)
			flaw.Op = r
			return flaw
		}
	}
	return nil
}
