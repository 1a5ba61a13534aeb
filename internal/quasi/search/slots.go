package search

// What: the slots meaning. A move linearizes the next operation of ρ′, so its class has one more
// place, and some content of the class fills that place. That content is applied to the machine: it
// is the next operation of ρ″.
//
// Source: the definition of slots (Round-Up, Algorithms 1 and 2).
//
// What we changed: a content can be applied when its operation is linearized, after that (owed) or
// before (early), by at most the bound of the class. Contents of equal effect can be matched in
// sorted order, so only deadlines have to be kept (debts.go). Drains are removals that come after
// everything else; how many there can be follows from the pending operations that were included,
// so the first drain ends that choice. With causality, the value that an unknown removal takes is
// chosen when it is linearized, because the value must be in the object in ρ′ then; it takes the
// same value in ρ″.
//
// Invariant: in every group as many contents are owed as are early.
//
// Cost: exponential at worst. With n operations of which w are open and a bound K there are at most
// about n·2^w·(w+K)^2K keys for each state. Priority queues, whose insertions commute, stay near n.

import (
	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
)

// slotsMeaning is the slots meaning of a factor.
type slotsMeaning struct{ *run }

// dead reports whether the debts cannot be settled, or the configuration was visited before.
func (r *slotsMeaning) dead() bool { return r.hopeless() || r.memo.visited(r.key()) }

// Where the content that fills a place comes from.
const (
	own   = iota // the operation linearized at that place
	owed         // an operation linearized before
	early        // an operation to be linearized later
)

// absent is the op of a move that linearizes nothing, and the fill of one that applies nothing.
const absent = -1

// move linearizes an operation and fills its place.
type move struct {
	op      history.OpID
	content int32 // the content of the operation: its own kind, or a guess
	fill    int32 // kind that fills the place
	from    uint8
	order   int64 // what is tried first
}

// step is a move that was made, with what is needed to undo it.
type step struct {
	move
	before  model.State
	settled debt // the early content that the operation settled, kind -1 if none
	served  debt // the owed content that filled the place, kind -1 if none
	taken   int32
}

// make makes a move after which the object is in state t.
func (c *slotsMeaning) make(m move, t model.State) {
	s := step{move: m, before: c.state, settled: debt{kind: -1}, served: debt{kind: -1}, taken: -1}
	v, g := m.op, c.group[m.op]
	c.linearize(v, m.content)
	c.places[g]++
	if m.from != own {
		at := c.deadline(g, c.places[g])
		if k, n := c.early[g].find(m.content); n > 0 {
			s.settled = c.early[g][k]
			c.early[g].remove(s.settled)
		} else {
			c.owed[g].add(debt{m.content, at})
			c.debts++
		}
		if m.from == owed {
			k, _ := c.owed[g].find(m.fill)
			s.served = c.owed[g][k]
			c.owed[g].remove(s.served)
			c.debts--
		} else {
			c.early[g].add(debt{m.fill, at})
		}
	}
	if c.collections != nil {
		s.taken = c.collections[c.collectionOf[v]].apply(c.sample[m.fill])
	}
	c.state = t
	c.trail = append(c.trail, s)
}

// undo reverts the last move.
func (c *slotsMeaning) undo() {
	s := &c.trail[len(c.trail)-1]
	v, g := s.op, c.group[s.op]
	c.state = s.before
	if c.collections != nil {
		c.collections[c.collectionOf[v]].undo(c.sample[s.fill], s.taken)
	}
	if s.from != own {
		at := c.deadline(g, c.places[g])
		if s.from == owed {
			c.owed[g].add(s.served)
			c.debts++
		} else {
			c.early[g].remove(debt{s.fill, at})
		}
		if s.settled.kind >= 0 {
			c.early[g].add(s.settled)
		} else {
			c.owed[g].remove(debt{s.content, at})
			c.debts--
		}
	}
	c.places[g]--
	c.unlinearize(v, s.content)
	c.trail = c.trail[:len(c.trail)-1]
}
