package encode

// First in, first out: of two items that are inserted one before the other, the first leaves first.
//
// What: an exit that takes or sees x demands that every item inserted before x is removed before.
// Where two insertions are concurrent, their order is the literal of the pair, so the clause is
// "x is taken and y is inserted before x, hence y is removed before".
//
// Only the last few insertions before x need be mentioned. Where y, z, x were certainly inserted
// one after the other, "y is gone when x leaves" follows from "z is gone when x leaves" and "y is
// gone when z leaves", and likewise for an exit in place of x that finds nothing.
//
// Cost: O(n log n), and for each exit the items that are not covered by a later one.

import (
	"slices"
	"sort"

	"github.com/linsat/linsat/internal/cnf"
)

// fifo is the condition under which y is removed before an exit that takes or sees x.
func (c *collection) fifo(x, y *item) demand {
	return demand{cnf.FirstInFirstOut, c.inserted(y, x), cnf.True}
}

// inLine emits what exit t of a queue demands of the items.
func (c *collection) inLine(t *exit, near *nearby) bool {
	speak := func(seen cnf.Lit, x, from, to int32) bool {
		return near.each(near.covered(from), to, func(y int32) bool {
			c.require(t, seen, x, y, open)
			return c.b.Alive(1)
		})
	}
	for _, m := range t.from {
		if x := &c.items[m.with]; !speak(m.is, m.with, x.call, x.ret) {
			return false
		}
	}
	return t.empty == cnf.False || speak(t.empty, -1, c.b.Order.Call[t.op], c.b.Order.Return[t.op])
}

// nearby holds the items of a collection by time.
type nearby struct {
	items   []int32 // by call, what is there at the start first
	call    []int32
	ret     []int32
	latest  []int32 // of the returns up to here
	pending []int32 // items that never return, which are in no other list
	sure    []int32 // returns of items that are certainly inserted, sorted
	cover   []int32 // the latest call of those up to here
}

func (c *collection) nearby(items []int32) nearby {
	var n nearby
	var sure []int32
	for _, i := range items {
		x := &c.items[i]
		if x.ret == never {
			n.pending = append(n.pending, i)
			continue
		}
		n.items = append(n.items, i)
		if x.certain() {
			sure = append(sure, i)
		}
	}
	slices.SortStableFunc(n.items, func(x, y int32) int { return int(c.items[x].call) - int(c.items[y].call) })
	slices.SortFunc(sure, func(x, y int32) int { return int(c.items[x].ret) - int(c.items[y].ret) })
	latest := always
	for _, i := range n.items {
		x := &c.items[i]
		latest = max(latest, x.ret)
		n.call, n.ret, n.latest = append(n.call, x.call), append(n.ret, x.ret), append(n.latest, latest)
	}
	latest = always
	for _, i := range sure {
		x := &c.items[i]
		latest = max(latest, x.call)
		n.sure, n.cover = append(n.sure, x.ret), append(n.cover, latest)
	}
	return n
}

// covered returns the latest call of the items that were certainly inserted before the rank:
// whatever returned before that call is covered by such an item.
func (n *nearby) covered(rank int32) int32 {
	k := sort.Search(len(n.sure), func(k int) bool { return n.sure[k] >= rank })
	if k == 0 {
		return always
	}
	return n.cover[k-1]
}

// each calls f for the items that were called until a rank and did not return before another, as
// long as f returns true, and reports whether it always did.
func (n *nearby) each(since, until int32, f func(i int32) bool) bool {
	for _, i := range n.pending {
		if !f(i) {
			return false
		}
	}
	last := sort.Search(len(n.call), func(k int) bool { return n.call[k] > until })
	for k := last - 1; k >= 0 && n.latest[k] >= since; k-- {
		if n.ret[k] >= since && !f(n.items[k]) {
			return false
		}
	}
	return true
}
