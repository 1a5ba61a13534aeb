package history

// Deadlines of pending operations: a request that expired, a process that crashed.
//
// What: a pending operation with a deadline takes effect before it or never. So it precedes all
// that is called after its deadline, if it takes effect.
//
// How: an edge from it to each operation on its object that is called after the deadline and that
// no completed one of these precedes; the others follow these in time. Operations on other objects
// get none, although the deadline orders them too: linearizability is local [Herlihy, Wing,
// TOPLAS'90, §3.3], also where points are bounded, since objects choose their points in time apart.
// An operation without a key may concern every object.
//
// Invariant: an order of operations that take effect extends the ranks and edges exactly if each
// object's operations have points in time, in that order, within their intervals and before their
// deadlines. TestDeadlinesAreTimes compares the two.
//
// Cost: O(n), and O(log n + w) for each deadline in a history of one object, with w operations open
// at once; operations on other objects that are called in between are passed over.

import (
	"fmt"
	"slices"
	"sort"
)

// Expired returns h with deadlines of pending operations: each takes effect before its deadline or
// never. deadline returns that of a pending operation, in times of the input as in Origins, and
// whether it has one. What is called at the time of a deadline may still precede the operation.
func (h *History) Expired(deadline func(i OpID) (time int64, ok bool)) *History {
	out := *h
	out.Edges = slices.Clone(h.Edges)
	var until []int64 // the latest call of the operations so far
	for i := range h.Ops {
		if !h.Ops[i].Pending() {
			continue
		}
		at, ok := deadline(OpID(i))
		if !ok {
			continue
		}
		for k := len(until); k < len(h.Ops); k++ {
			until = append(until, h.Origins[k].CallTime)
			if k > 0 {
				until[k] = max(until[k], until[k-1])
			}
		}
		from := sort.Search(len(until), func(k int) bool { return until[k] > at })
		out.Edges = h.outlived(OpID(i), at, from, out.Edges)
	}
	sort.Slice(out.Edges, func(i, j int) bool { return compareEdges(out.Edges[i], out.Edges[j]) < 0 })
	out.Edges = slices.Compact(out.Edges)
	return &out
}

// outlived appends the edges from i to the first operations that are called after its deadline.
// None of these stands before from.
func (h *History) outlived(i OpID, deadline int64, from int, edges []Edge) []Edge {
	key, first := h.Ops[i].Key, Never // the first return on the object
	for j := OpID(from); int(j) < len(h.Ops) && h.Ops[j].Call < first; j++ {
		o := &h.Ops[j]
		if o.Key != key && o.Key != NoKey && key != NoKey || h.Origins[j].CallTime <= deadline {
			continue
		}
		edges = append(edges, Edge{Before: i, After: j})
		first = min(first, o.Return)
	}
	return edges
}

// expire returns h with the deadlines that the input states with its operations.
func (b *Builder) expire(h *History) *History {
	if len(b.expiries) == 0 {
		return h
	}
	return h.Expired(func(i OpID) (int64, bool) {
		at, ok := b.expiries[h.Origins[i].Position]
		return at + 2*b.options.Uncertainty, ok
	})
}

// Expire states that a pending operation takes effect by a time or never. It refuses a position
// that does not exist, an operation that returned, and a time before its call. The deadline of a
// failed operation is ignored.
func (b *Builder) Expire(position int, by int64) error {
	if position < 0 || position >= len(b.records) {
		return &Error{What: fmt.Sprintf("a deadline of operation %d, but there are %d", position, len(b.records))}
	}
	switch r := &b.records[position]; {
	case r.Failed:
		return nil
	case !r.Pending:
		return &Error{Line: r.Line, What: fmt.Sprintf("operation %s returned, and has a deadline (\"by\")",
			b.name(*r, int32(position))),
			Hint: "\"by\" says until when an operation of unknown outcome may have taken effect; leave it out here"}
	case by < r.Call:
		return &Error{Line: r.Line, What: fmt.Sprintf("operation %s is called at %d, after its deadline (\"by\") at %d",
			b.name(*r, int32(position)), r.Call, by),
			Hint: "an operation that expired before its call did not take effect: \"status\": \"fail\""}
	}
	if b.expiries == nil {
		b.expiries = map[int32]int64{}
	}
	b.expiries[int32(position)] = by
	return nil
}
