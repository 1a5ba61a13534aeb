package encode

// Rank windows: which copies of a value may belong to which removals, judging by their ranks, and
// where to look for them.
//
// What: in a queue, and by convention in a priority queue, copies of a value leave in the order of
// their insertion, so the bounds that real time gives to the rank of an insertion and to that of a
// removal must overlap. In a stack the last moment when it was too low bounds the insertions. Both
// leave a range of the insertions sorted by call.
//
// Cost: O(log k) for each removal, with k copies, plus the range.

import (
	"sort"

	"github.com/linsat/linsat/internal/cnf"
	"github.com/linsat/linsat/internal/model"
)

// windows bound the ranks of items among the copies of a value and of removals among those that
// take one.
type windows struct {
	itemLo, itemHi, exitLo, exitHi []int32 // nil: no bounds
}

func (w *windows) meet(x, d int) bool {
	return w.itemLo == nil || w.itemLo[x] <= w.exitHi[d] && w.exitLo[d] <= w.itemHi[x]
}

func (c *collection) windows(s *class, others int) windows {
	d := c.theory.Discipline
	if d == model.LIFO || d == bothEnds || len(s.items) == 1 || len(c.clears.all) > 0 {
		return windows{}
	}
	o := c.b.Order
	var w windows
	items := make([]span, len(s.items))
	for k, i := range s.items {
		x := &c.items[i]
		items[k] = span{x.op, x.call, x.ret, x.in == cnf.True}
	}
	w.itemLo, w.itemHi = ranks(o, items, 0)
	exits := make([]span, len(s.must))
	for k, e := range s.must {
		op := c.exits[e].op
		exits[k] = span{op, o.Call[op], o.Return[op], true}
	}
	w.exitLo, w.exitHi = ranks(o, exits, int32(others+len(s.may)))
	return w
}

// reach returns a function that bounds the items which a removal may take: by windows, or by the
// last moment when a stack was too low.
func (c *collection) reach(s *class, w *windows) func(d int) (first, last int) {
	n := len(s.items)
	// the latest of those up to here; the earliest of those from here on
	late, early := make([]int32, n), make([]int32, n)
	for x := range n {
		switch {
		case w.itemHi != nil:
			late[x] = w.itemHi[x]
		default:
			late[x] = int32(c.items[s.items[x]].ret)
		}
		if x > 0 {
			late[x] = max(late[x], late[x-1])
		}
	}
	for x := n - 1; x >= 0; x-- {
		switch {
		case w.itemLo != nil:
			early[x] = w.itemLo[x]
		default:
			early[x] = int32(c.items[s.items[x]].call)
		}
		if x < n-1 {
			early[x] = min(early[x], early[x+1])
		}
	}
	return func(d int) (int, int) {
		lo, hi := int32(always), int32(c.b.Order.Return[c.exits[s.must[d]].op])
		switch {
		case w.itemLo != nil:
			lo, hi = w.exitLo[d], w.exitHi[d]
		case c.heights != nil:
			lo = int32(c.heights.lower(c, s.must[d])) + 1
		}
		return sort.Search(n, func(x int) bool {
			return late[x] >= lo
		}), sort.Search(n, func(x int) bool { return early[x] > hi })
	}
}
