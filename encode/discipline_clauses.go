package encode

// Removed before: the clauses that say which items must be gone when an exit happens.
//
// What: under the condition of the discipline (fifo_order.go, lifo_order.go, priority_order.go)
// some removal takes y, and that removal comes before exit t. Instances between items and exits
// whose matches are known are emitted by a walk through the rows of concurrent pairs: an instance
// belongs to its first open pair, so it is emitted once.

import (
	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/cnf"
	"github.com/linsat/linsat/internal/model"
)

// demand is a condition under which an item must be removed before an exit: both literals hold.
type demand struct {
	rule     cnf.Axiom
	one, two cnf.Lit
}

// require emits what it requires of item y that exit t takes or sees item x, or finds nothing (x is
// -1). The literal seen says that t does. gone is a literal that implies that y is removed before
// t, or open.
func (c *collection) require(t *exit, seen cnf.Lit, xi, yi itemID, gone cnf.Lit) {
	if xi == yi {
		return
	}
	y := &c.items[yi]
	d := demand{cnf.Empty, cnf.True, cnf.True}
	switch {
	case xi < 0:
		d.one = c.insertedBy(y, t.op)
	case c.theory.Discipline == model.FIFO:
		d = c.fifo(&c.items[xi], y)
	case c.theory.Discipline == model.LIFO:
		d = c.lifo(&c.items[xi], y, t)
	case c.theory.Discipline == bothEnds:
		d = c.ends(&c.items[xi], y, t)
	case c.better(y, &c.items[xi]):
		d = c.bestFirst(y, t)
	default:
		return
	}
	if d.one == cnf.False || d.two == cnf.False || y.in == cnf.False {
		return
	}
	ops := cnf.By(t.op, y.op)
	if xi >= 0 {
		ops = cnf.By(t.op, y.op, c.items[xi].op)
	}
	c.conds = append(c.conds[:0], seen, y.in, d.one, d.two)
	if gone != open {
		c.b.Imply(d.rule, ops, c.conds, gone)
		return
	}
	if len(y.outs) == 1 && y.outs[0].is == cnf.True {
		c.b.Imply(d.rule, ops, c.conds, c.before(y.outs[0].with, t))
		return
	}
	if !y.all {
		c.some = c.some[:0]
		for _, r := range y.outs {
			c.some = append(c.some, r.is)
		}
		c.b.Imply(d.rule, ops, c.conds, append(c.some, c.lost(t, y))...)
	}
	for _, r := range y.outs {
		if t != &c.exits[r.with] {
			c.b.Imply(d.rule, ops, append(c.conds, r.is), c.before(r.with, t))
		}
	}
}

// clearedBy returns the literal "item y is inserted before a drain of unknown result".
func (c *collection) clearedBy(y *item, d reset) cnf.Lit {
	if d.op < 0 {
		return cnf.False
	}
	return c.insertedBy(y, d.op)
}

// lost returns a literal that implies that item y is inserted before such a drain, which comes
// before exit t.
func (c *collection) lost(t *exit, y *item) cnf.Lit {
	all, surely, ever := c.clears.before(t.op), true, false
	for _, d := range all {
		is := c.clearedBy(y, d)
		surely, ever = surely && is == cnf.True, ever || is != cnf.False
	}
	switch {
	case !ever:
		return cnf.False
	case surely:
		return cnf.True
	}
	l := c.b.Fresh()
	for _, d := range all {
		c.b.Clause(cnf.Present, cnf.By(t.op, y.op, d.op), -l, -d.is, c.clearedBy(y, d))
	}
	return l
}

// rows emits the instances between simple exits and items some of whose orders are open.
func (c *collection) rows() {
	o := c.b.Order
	for a := range o.N {
		for z := a + 1; z <= o.Last[a]; z++ {
			if !c.b.Alive(1) {
				return
			}
			c.pair(a, z)
			c.pair(z, a)
		}
	}
}

// pair emits the instances of which (a,z) is the first open pair, a being the item y or its
// removal, and z the item x or the exit t.
func (c *collection) pair(a, z history.OpID) {
	queueOrStack := c.theory.Discipline != model.ByPriority
	if y := c.itemOf[a]; y >= 0 {
		if !c.items[y].simple() {
			return
		}
		if x := c.itemOf[z]; x >= 0 && queueOrStack && c.items[x].object == c.items[y].object {
			for _, e := range c.items[x].seen {
				c.require(&c.exits[e], cnf.True, x, y, open)
			}
		}
		if e := c.exitOf[z]; e >= 0 {
			c.exitPair(e, y, 1)
		}
		return
	}
	if d := c.exitOf[a]; d >= 0 && c.exitOf[z] >= 0 {
		t := &c.exits[d]
		if t.peek || t.empty != cnf.False || !t.simple() {
			return
		}
		if y := t.from[0].with; c.items[y].simple() {
			c.exitPair(c.exitOf[z], y, 2)
		}
	}
}

// exitPair emits the instance of exit e and item y if it has no earlier open pair: before the pair
// of y's insertion and the exit (stage 1) comes that of the two insertions, before that of y's
// removal and the exit (2) come both.
func (c *collection) exitPair(e exitID, y itemID, stage int) {
	t, it := &c.exits[e], &c.items[y]
	if !t.simple() || t.object != it.object {
		return
	}
	x := itemID(-1)
	if t.empty == cnf.False {
		x = t.from[0].with
	}
	fifo := x >= 0 && c.theory.Discipline == model.FIFO
	if stage == 1 && fifo {
		return // the instance does not contain that pair
	}
	if x >= 0 && c.theory.Discipline != model.ByPriority && c.concurrent(it.op, c.items[x].op) {
		return
	}
	if stage == 2 && !fifo && c.concurrent(it.op, t.op) {
		return
	}
	c.require(t, cnf.True, x, y, open)
}

func (c *collection) concurrent(a, b history.OpID) bool {
	return a >= 0 && b >= 0 && max(a, b) <= c.b.Order.Last[min(a, b)]
}

// inserted returns the literal "x is inserted before y".
func (c *collection) inserted(x, y *item) cnf.Lit {
	if x.op >= 0 && y.op >= 0 {
		return c.b.Order.Before(x.op, y.op)
	}
	if x.ret < y.call {
		return cnf.True
	}
	return cnf.False
}

// insertedBy returns the literal "x is inserted before operation t".
func (c *collection) insertedBy(x *item, t history.OpID) cnf.Lit {
	if x.op < 0 {
		return cnf.True
	}
	return c.b.Order.Before(x.op, t)
}
