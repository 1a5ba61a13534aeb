package encode

// Last in, first out: what is inserted on top leaves first.
//
// What: an exit that takes or sees x requires that every item inserted after x and before the exit
// is removed before the exit. A pop with several candidates may require the same item to be gone
// for each of them, and the item may be gone in several ways: one literal between the two replaces
// a clause for each pair.

import (
	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/cnf"
)

// lifo is the condition under which y is removed before exit t, which takes or sees x.
func (c *collection) lifo(x, y *item, t *exit) demand {
	return demand{cnf.LastInFirstOut, c.inserted(x, y), c.insertedBy(y, t.op)}
}

// deepest is the call of the first item that exit t may take or see.
func (c *collection) deepest(t *exit) history.Rank {
	call := never
	for _, m := range t.from {
		call = min(call, c.items[m.with].call)
	}
	return call
}

// gone returns a literal that implies that item y is removed before exit t.
func (c *collection) gone(t *exit, y *item) cnf.Lit {
	b := c.b
	surely, ever, lost := y.all, false, c.lost(t, y)
	for _, d := range y.outs {
		before := c.before(d.with, t)
		surely = surely && before == cnf.True
		ever = ever || before != cnf.False
	}
	switch {
	case !ever && lost == cnf.False:
		return cnf.False
	case surely || lost == cnf.True:
		return cnf.True
	}
	g := b.Fresh()
	for _, d := range y.outs {
		before := c.before(d.with, t)
		b.Clause(cnf.Matched, cnf.By(t.op, y.op), -g, -d.is, before)
	}
	if !y.all {
		c.some = c.some[:0]
		for _, d := range y.outs {
			c.some = append(c.some, d.is)
		}
		b.Imply(cnf.Matched, cnf.By(t.op, y.op), []cnf.Lit{g}, append(c.some, lost)...)
	}
	return g
}
