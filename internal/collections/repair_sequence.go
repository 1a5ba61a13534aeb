package collections

// What: the sequence σ that repairs change, and the contents after it, as doubly linked lists whose
// changes can be undone.
//
// σ is a list of operations, each with a moment, the rank of a return: the operation takes effect
// just before it. Moments ascend along σ; each is later than the call and no later than the return.
// So σ respects the order of the history. Contents are a list of insertions, with an end 0 and an
// end 1.
//
// Invariants: the contents are those after σ; moments are as described; every operation in σ is
// legal there. legal checks the last one at the end by executing σ, because peeks, and removals
// that found nothing, are kept in place only by simple rules (fast).
//
// Cost: O(1) for a change.

import (
	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/model"
)

// repair is a search on one stack or deque. All mutable data is in cells, so that changes can be
// undone.
type repair struct {
	*engine.Account
	lane *lane
	ops  []laneOp     // those that insert the initial values last
	head history.OpID // of the lists: no operation

	cells   []int32
	trail   []change
	taken   []choice
	rand    uint64
	at      int32 // the current layer
	retries int
	// If remembers is set, stuck is σ as it was when layer stuckAt, the deepest so far, could not
	// be passed; stuckAt is -1 where σ is complete and not legal.
	remembers bool
	stuck     []placed
	stuckAt   int32
	now       history.OpID   // the operation for which ways are searched
	open      []history.OpID // scratch
	ways      []repairWay
	plan      []clearing
}

// choice is a removal or a peek for which there were several ways.
type choice struct {
	trail int   // length before
	layer int32 // of the removal
}

// cellID is the place of a cell among those of all operations, and cellField which one of its
// operation it is.
type (
	cellID    int32
	cellField int32
)

// change is the former content of a cell.
type change struct {
	cell cellID
	was  int32
}

// The cells of an operation.
const (
	before = iota // in σ
	after         // in σ
	inner0        // in the contents: the neighbour on the side of end 0
	inner1        // the same for end 1
	moment        // 0: not in σ
	fast          // seen by a peek: it stays where it is
	there         // in the contents
	since         // the layer in which it was put into σ last
	perOp
)

// get returns a field of an operation.
func (s *repair) get(op history.OpID, field cellField) int32 {
	return s.cells[cellID(op)*perOp+cellID(field)]
}

// near returns a field that holds an operation.
func (s *repair) near(op history.OpID, field cellField) history.OpID {
	return history.OpID(s.get(op, field))
}

// when returns the moment of an operation, 0 if it is not in σ.
func (s *repair) when(op history.OpID) history.Rank { return history.Rank(s.get(op, moment)) }

// set changes a field of an operation.
func (s *repair) set(op history.OpID, field cellField, to int32) {
	c := cellID(op)*perOp + cellID(field)
	s.trail = append(s.trail, change{c, s.cells[c]})
	s.cells[c] = to
}

// setNear changes a field that holds an operation.
func (s *repair) setNear(op history.OpID, field cellField, to history.OpID) {
	s.set(op, field, int32(to))
}

// undo reverts changes until the trail has the given length.
func (s *repair) undo(mark int) {
	for len(s.trail) > mark {
		c := s.trail[len(s.trail)-1]
		s.trail = s.trail[:len(s.trail)-1]
		s.cells[c.cell] = c.was
	}
}

// put puts an operation into σ before another, or at the end before head.
func (s *repair) put(o, next history.OpID, at history.Rank) {
	p := s.near(next, before)
	s.setNear(p, after, o)
	s.setNear(o, before, p)
	s.setNear(o, after, next)
	s.setNear(next, before, o)
	if !s.in(o) {
		s.set(o, since, s.at)
	}
	s.set(o, moment, int32(at))
}

// lift takes an operation out of σ.
func (s *repair) lift(o history.OpID) {
	p, n := s.near(o, before), s.near(o, after)
	s.setNear(p, after, n)
	s.setNear(n, before, p)
}

// inward returns the neighbour of x in the contents away from an end; for head the outermost
// element.
func (s *repair) inward(x history.OpID, end int8) history.OpID {
	return s.near(x, inner0+1-cellField(end))
}

// outward returns the neighbour of x in the contents towards an end; for head the innermost
// element.
func (s *repair) outward(x history.OpID, end int8) history.OpID {
	return s.near(x, inner0+cellField(end))
}

// insert puts x into the contents, on the side of an end from y.
func (s *repair) insert(x, y history.OpID, end int8) {
	in, out := inner0+1-cellField(end), inner0+cellField(end)
	z := s.near(y, out)
	s.setNear(x, out, z)
	s.setNear(x, in, y)
	s.setNear(y, out, x)
	s.setNear(z, in, x)
	s.set(x, there, 1)
}

// remove takes x out of the contents.
func (s *repair) remove(x history.OpID) {
	a, b := s.near(x, inner0), s.near(x, inner1)
	s.setNear(a, inner1, b)
	s.setNear(b, inner0, a)
	s.set(x, there, 0)
}

// in reports whether an operation is in σ.
func (s *repair) in(o history.OpID) bool { return s.when(o) != 0 }

// isFast reports whether x was seen by a peek, and so stays where it is.
func (s *repair) isFast(x history.OpID) bool { return s.get(x, fast) != 0 }

// enter appends an insertion to σ, and adds its value to the contents.
func (s *repair) enter(x, next history.OpID, now history.Rank) {
	s.put(x, next, now)
	e := s.ops[x].end
	s.insert(x, s.inward(s.head, e), e)
}

// linearization returns σ without the insertions of initial values.
func (s *repair) linearization() []history.OpID {
	var order []history.OpID
	n := history.OpID(len(s.ops) - 1 - s.initials())
	for o := s.near(s.head, after); o != s.head; o = s.near(o, after) {
		if o < n {
			order = append(order, o)
		}
	}
	return order
}

// sequence appends to dst the operations of σ with their moments.
func (s *repair) sequence(dst []placed) []placed {
	for o := s.near(s.head, after); o != s.head; o = s.near(o, after) {
		dst = append(dst, placed{s.when(o), o})
	}
	return dst
}

// restart sets σ to a legal sequence, after the insertions of initial values.
func (s *repair) restart(sequence []placed) {
	clear(s.cells)
	s.trail, s.taken = s.trail[:0], s.taken[:0]
	h := s.head
	at := int32(h)
	s.cells[at*perOp+before], s.cells[at*perOp+after], s.cells[at*perOp+inner0], s.cells[at*perOp+inner1] = at, at, at,
		at
	for _, p := range sequence {
		x := &s.ops[p.op]
		top := s.inward(h, x.end)
		switch {
		case x.does == model.Insert:
			s.enter(p.op, h, p.at)
			if x.ret < 0 {
				s.set(p.op, fast, 1)
			}
			continue
		case top == h:
		case x.does == model.Remove && x.value != model.Nothing:
			s.remove(top)
		case x.does == model.Peek:
			s.set(top, fast, 1)
		}
		s.put(p.op, h, p.at)
	}
	s.trail = s.trail[:0]
}

// initials counts the initial values.
func (s *repair) initials() (n int) {
	for o := s.head - 1; o >= 0 && s.ops[o].ret == -1; o-- {
		n++
	}
	return n
}

// legal executes σ, and compares it with the order of the history.
func (s *repair) legal() bool {
	ring := make([]int32, 2*len(s.ops))
	from := len(s.ops)
	to := from
	latest := history.Rank(-2) // latest call
	for o := s.near(s.head, after); o != s.head; o = s.near(o, after) {
		x := &s.ops[o]
		if latest = max(latest, x.call); latest >= x.ret {
			return false
		}
		if x.does == model.Insert {
			if x.end == 0 {
				from--
				ring[from] = x.value
			} else {
				ring[to] = x.value
				to++
			}
			continue
		}
		top := model.Nothing
		if from < to && x.end == 0 {
			top = ring[from]
		} else if from < to {
			top = ring[to-1]
		}
		if top != x.value && !x.wild() {
			return false
		}
		if x.does == model.Remove && top != model.Nothing {
			if x.end == 0 {
				from++
			} else {
				to--
			}
		}
	}
	return true
}

// repairWay is a way for a removal or a peek to find its value.
type repairWay struct {
	x    history.OpID // the insertion of what it finds, head for nothing
	next history.OpID // σ: what it is put before
	open bool         // x has not taken effect yet
	soon bool         // x takes effect right before next, sooner than it did
	stay int          // how many insertions of the contents, from the end inwards, were made after
	cost int32
}

// clearing removes one value that is in the way.
type clearing struct {
	y  history.OpID
	by history.OpID // the removal that takes y out; -1: y goes behind x
	as history.OpID // the insertion that goes behind x in the place of y, which takes its place
	at history.OpID // what by is put before in σ, -1 for what r is put before
}
