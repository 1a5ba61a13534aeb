package monitor

// Collections without order, in which every value may leave: all values have one priority.
//
// What: if nothing found the collection empty, it never hurts that values are there. So insertions
// take effect at their calls, those that never returned too, and removals at their returns; those
// that never returned do not. A peek takes effect as soon as its value is there. If a removal or a
// peek has nothing to find then, there is no linearization, since no other order has more copies of
// a value at any moment.
//
// Source: folklore, as for counting (overdrawn.go).
//
// Unsupported: empty results, unknown results and explicit order.
//
// Invariant: count is the number of copies at the rank at hand, and no order has more.
//
// Cost: O(n log n) for sorting returns.

import (
	"cmp"
	"slices"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/model"
)

// unordered accepts a collection without order. It leaves violations to the other procedures, which
// prove them.
func unordered(b *model.Instance, t *model.CollectionTheory) (a engine.Answer, ok bool) {
	if t.Discipline != model.ByPriority || len(t.Initial) != 1 || len(b.Partition.Edges) > 0 {
		return a, false
	}
	for _, rank := range t.Rank {
		if rank != t.Rank[0] {
			return a, false
		}
	}
	ops := b.Partition.Ops
	var returns []history.OpID
	for i := range ops {
		if ops[i].Pending() || t.Does[i] == model.Insert {
			continue
		}
		if t.Value[i] < 0 {
			return a, false
		}
		returns = append(returns, history.OpID(i))
	}
	slices.SortFunc(returns, func(x, y history.OpID) int { return cmp.Compare(ops[x].Return, ops[y].Return) })
	order := make([]history.OpID, 0, len(ops))
	count := make([]int32, t.Values)
	for _, v := range t.Initial[0] {
		count[v]++
	}
	waiting := make([][]history.OpID, t.Values) // peeks, by value
	next := 0
	call := func(until history.Rank) {
		for ; next < len(ops) && ops[next].Call <= until; next++ {
			op, v := history.OpID(next), t.Value[next]
			switch {
			case t.Does[op] == model.Insert:
				count[v]++
				order = append(append(order, op), waiting[v]...)
				waiting[v] = waiting[v][:0]
			case t.Does[op] == model.Remove || ops[op].Pending():
			case count[v] > 0:
				order = append(order, op)
			default:
				waiting[v] = append(waiting[v], op)
			}
		}
	}
	for _, r := range returns {
		call(ops[r].Return)
		v := t.Value[r]
		switch {
		case t.Does[r] == model.Peek && slices.Contains(waiting[v], r), t.Does[r] == model.Remove && count[v] == 0:
			return a, false
		case t.Does[r] == model.Remove:
			count[v]--
			order = append(order, r)
		}
	}
	call(history.Never)
	return engine.Answer{Verdict: engine.Linearizable, Witness: order}, true
}
