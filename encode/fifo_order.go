package encode

// First in, first out: of two items that are inserted one before the other, the first leaves first.
//
// What: an exit that takes or sees x requires that every item inserted before x is removed before
// the exit. If two insertions are concurrent, their order is the literal of the pair, so the clause
// is "x is taken and y is inserted before x, hence y is removed before".
//
// Only the last few insertions before x need clauses. If y, z, x were certainly inserted one after
// the other, "y is gone when x leaves" follows from "z is gone when x leaves" and "y is gone when z
// leaves", and likewise for an exit in place of x that finds nothing.
//
// Cost: O(n log n), and for each exit the items that are not covered by a later one.

import (
	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/cnf"
)

// fifo is the condition under which y is removed before an exit that takes or sees x.
func (c *collection) fifo(x, y *item) demand {
	return demand{cnf.FirstInFirstOut, c.inserted(y, x), cnf.True}
}

// inLine emits what exit t of a queue requires of the items.
func (c *collection) inLine(t *exit, near *nearby) bool {
	speak := func(seen cnf.Lit, x itemID, from, to history.Rank) bool {
		return near.each(near.covered(from), to, func(y itemID) bool {
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
