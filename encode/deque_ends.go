package encode

// Both ends: what leaves a deque at one end has nothing between itself and that end.
//
// What: an exit at one end that takes or sees x requires that every item between x and that end is
// removed before the exit. Whether y gets there depends on which ends the two were inserted at, and
// on their order:
//
//	                    x inserted at the exit's end   x inserted at the other end
//	y at the exit's end after x and before the exit    before the exit
//	y at the other end  never                          before x
//
// The ends are constants, so there are no positions: the first column is a stack, the last entry a
// queue, and the one above it says that whatever came in at this end is in front of x. Items at the
// start were inserted at the back, front first.
//
// Source: the axioms of queues and stacks (collection.go), of which these are the four cases; that
// they suffice follows from the order of two items that are in the deque together, which never
// changes and which the later of the two insertions determines.
//
// Matching is that of stacks without heights: a removal may take any copy of its value that was
// inserted before. If all values are the same, a deque is a queue.
//
// Cost: for each exit the items that may be present, times its candidates.

import (
	"github.com/linsat/linsat/internal/cnf"
	"github.com/linsat/linsat/internal/model"
)

// bothEnds is the discipline of a deque.
const bothEnds = model.ByPriority + 1

// firstAtEnd is the axiom of deques.
const firstAtEnd cnf.Axiom = "nothing is between what leaves and its end"

// newDeque returns the encoding of a deque.
func newDeque(t *model.DequeTheory, part *model.Partition) *collection {
	moves := t.Moves
	moves.Discipline = bothEnds
	c := newCollection(&moves, part)
	if c.theory.Discipline == bothEnds {
		c.back = t.Back
	}
	return c
}

// atBack reports whether an item was inserted at the back.
func (c *collection) atBack(x *item) bool { return x.op < 0 || c.back[c.b.Keep[x.op]] }

// ends is the condition under which y is between x and the end at which exit t takes or sees x.
func (c *collection) ends(x, y *item, t *exit) demand {
	end := c.back[c.b.Keep[t.op]]
	switch here, there := c.atBack(y) == end, c.atBack(x) == end; {
	case here && there:
		return demand{firstAtEnd, c.inserted(x, y), c.insertedBy(y, t.op)}
	case here:
		return demand{firstAtEnd, c.insertedBy(y, t.op), cnf.True}
	case there:
		return demand{firstAtEnd, cnf.False, cnf.False}
	}
	return demand{firstAtEnd, c.inserted(y, x), cnf.True}
}

// throughout emits what the exits of deques require of the items that may be present.
func (c *collection) throughout() {
	for k, items := range c.objects {
		all := c.contents(items)
		for e := range c.exits {
			if t := &c.exits[e]; t.object == model.CellID(k) && !c.demands(t, all) {
				return
			}
		}
	}
}
