package search

// What: the classes meaning (Round-Up, Definition 4), where the order between classes is free in
// ρ″, for small partitions.
//
// Source: Round-Up, Definition 4, searched by the driver of driver.go, as slots are.
//
// What we changed: a move either linearizes the next operation of ρ′ or applies the next content of
// ρ″. How the two sequences interleave matters to neither of them, so a content is applied only
// after its operation was linearized, and every debt is an owed content. A debt keeps the
// operation's rank; the place at which the content is applied, counted within its class, may differ
// from that rank by at most the bound. As under slots, contents of equal kind are applied in the
// order of their ranks. The memo keeps the ranks in the key, because neither earlier nor later
// ranks are better.
//
// Invariant: no content is early.
//
// Cost: an operation may be displaced any number of places relative to other classes, so there may
// be a configuration for every pair of a set of linearized and a set of applied operations. Hence
// maxClasses.

import (
	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
)

// classesMeaning searches under the classes meaning of a factor.
type classesMeaning struct {
	*run
	filled []int32 // by group: contents applied
}

// dead reports whether some content is too late, or the configuration was visited before.
func (c *classesMeaning) dead() bool { return c.late() || c.visited() }

// children appends the moves: first those that apply a content, then those that linearize an
// operation.
func (c *classesMeaning) children() bool {
	c.apply()
	work := c.gather()
	for _, v := range c.ready {
		c.place(v, func(v history.OpID, content int32) {
			c.moves = append(c.moves, move{op: v, content: content, fill: absent})
		})
	}
	return c.Toil(work)
}

// late reports whether some content can no longer be applied early enough.
func (c *classesMeaning) late() bool {
	for g := range c.groups {
		for _, d := range c.owed[g] {
			if c.filled[g]-d.deadline >= c.groups[g].bound {
				return true
			}
		}
	}
	return false
}

// visited reports whether the configuration was visited before, and records it.
func (c *classesMeaning) visited() bool {
	key, ranks := c.key()
	key = append(key, -6)
	return c.memo.visited(append(key, ranks...), nil)
}

// apply appends the moves that apply a content. Deadlines are ranks here.
func (c *classesMeaning) apply() {
	for g := range c.groups {
		for k, d := range c.owed[g] {
			if k > 0 && c.owed[g][k-1].kind == d.kind {
				continue
			}
			place := c.filled[g] + 1
			if d.deadline-place <= c.groups[g].bound && c.agrees(d.kind) {
				c.moves = append(c.moves, move{op: absent, fill: d.kind})
			}
		}
	}
}

// agrees reports whether the collection allows a content of that kind now.
func (c *classesMeaning) agrees(kind int32) bool {
	op := c.sample[kind]
	return c.collections == nil || c.collections[c.collectionOf[op]].allows(op, c.drains[c.object[op]] == op)
}

// make makes a move after which the object is in state t.
func (c *classesMeaning) make(m move, t model.State) {
	s := step{move: m, before: c.state, taken: -1}
	if m.op != absent {
		g := c.group[m.op]
		c.linearize(m.op, m.content)
		c.places[g]++
		c.owed[g].add(debt{m.content, c.places[g]})
		c.debts++
	} else {
		op := c.sample[m.fill]
		g := c.group[op]
		k, _ := c.owed[g].find(m.fill)
		s.served = c.owed[g][k]
		c.owed[g].remove(s.served)
		c.debts--
		c.filled[g]++
		if c.collections != nil {
			s.taken = c.collections[c.collectionOf[op]].apply(op)
		}
		c.state = t
	}
	c.trail = append(c.trail, s)
}

// undo takes the last move back.
func (c *classesMeaning) undo() {
	s := &c.trail[len(c.trail)-1]
	if s.op != absent {
		g := c.group[s.op]
		c.owed[g].remove(debt{s.content, c.places[g]})
		c.debts--
		c.places[g]--
		c.unlinearize(s.op, s.content)
	} else {
		op := c.sample[s.fill]
		g := c.group[op]
		c.state = s.before
		if c.collections != nil {
			c.collections[c.collectionOf[op]].undo(op, s.taken)
		}
		c.filled[g]--
		c.owed[g].add(s.served)
		c.debts++
	}
	c.trail = c.trail[:len(c.trail)-1]
}
