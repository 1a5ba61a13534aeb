package collections

// What: the search for a way through a part of a deque's history, from known contents. It is
// depth-first, and its states are the operations that took effect and the contents. A state that
// failed is remembered by what of it was looked at (deque_nogoods.go). So that it fails proves
// nothing; what it finds is replayed.
//
// Normal form. Let r be the operation that returns first of those that have not taken effect, and
// let the deque hold more items than open removals can take. Then until r the ends have nothing to
// do with each other, and what happens at the other end than that of r can follow r. At the end of
// r the deque is a stack, with the normal form of lifo.go: before r come some pops and then some
// pushes; if r pops, some pops or one push of what it pops, unless it finds the same value without.
// With fewer items everything that is open may come before r. What only looks is taken as soon as
// it is legal. Of operations that do the same only the one that returns first is tried.
//
// When operations take effect can be restricted (deque_moments.go). Those that may take effect near
// their call are then tried there whatever the normal form says, since later they must not.
//
// Source: the search of Wing and Gong (JPDC'93) with the memo of Lowe (CCPE'17); the normal form is
// ours.
//
// Invariant: while the deque holds enough for the normal form it does so until r: a pop takes one
// item and leaves one removal less.
//
// Cost: states × open operations. Contents differ by the order of concurrent insertions, so this is
// for parts in which few of them are free.

import (
	"slices"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/inorder"
	"github.com/linsat/linsat/internal/model"
)

// The extra of a beginning.
const (
	dequePushing = 1 // some push has taken effect since the last return, at its end
	dequeThrough = 2 // a push has taken effect for the next return to pop
)

// newDequeContents makes a search on one deque with contents, front first, that is to pass goal
// returns. It is nil if the operations are too concurrent.
func newDequeContents(ops []laneOp, contents []int32, goal int32, patience int64,
	budget *engine.Account) *dequeContents {
	s := &dequeContents{Account: budget, patience: patience}
	if s.lane = newLane(ops); s.lane == nil {
		return nil
	}
	s.nogoods = newDequeNogoods(s.lane)
	s.goal = min(goal, int32(len(s.lane.returns)))
	inserts := 0
	for i := range ops {
		if ops[i].does == model.Insert {
			inserts++
		}
	}
	s.ring = make([]int32, 2*inserts+len(contents))
	s.sums = make([]uint64, len(s.ring)+1)
	s.from, s.to = inserts, inserts
	for _, v := range contents {
		s.push(1, v)
	}
	s.start = [2]int32{int32(s.from), int32(s.to)}
	s.Footprint = func() int64 {
		return s.lane.bytes() + int64(cap(s.ring))*12 + s.nogoods.bytes() + int64(cap(s.frames))*40 +
			int64(cap(s.moves))*8
	}
	return s
}

// search answers found, failed, undecided or gaveUp.
func (s *dequeContents) search() outcome {
	if !s.enter(dequeFrame{begun: s.lane.first, op: -1, took: model.Nothing}) {
		return gaveUp
	}
	for len(s.frames) > 0 {
		f := &s.frames[len(s.frames)-1]
		if s.lane.begun[f.begun].layer >= s.goal {
			return found
		}
		if int(f.moves) == len(s.moves) {
			s.fail()
			continue
		}
		m := s.moves[len(s.moves)-1]
		s.moves = s.moves[:len(s.moves)-1]
		next := dequeFrame{begun: s.lane.with(f.begun, m.op, uint32(m.extra)), op: m.op, took: s.do(m.op), odd: m.odd}
		s.odd[s.lane.ops[m.op].end] += int32(m.odd)
		if known := s.known(next.begun); known != nil {
			if !s.Spend(1) {
				return gaveUp
			}
			next.failure = *known
			s.frames = append(s.frames, next)
			s.leave()
			continue
		}
		if s.patience--; s.patience < 0 {
			return undecided
		}
		if !s.enter(next) {
			return gaveUp
		}
	}
	return failed
}

// enter goes on to a state and lists the moves there. It returns false if the search has to stop.
func (s *dequeContents) enter(f dequeFrame) bool {
	f.moves = int32(len(s.moves))
	f.failure = sawNothing
	if s.lane.begun[f.begun].layer < s.goal {
		f.end = s.list(f.begun)
		slices.Reverse(s.moves[f.moves:])
		f.branches = len(s.moves) > int(f.moves)+1
		s.look(&f)
	}
	s.frames = append(s.frames, f)
	return s.Spend(1 + int64(len(s.moves)) - int64(f.moves))
}

// list lists the moves after a beginning, the most promising first, and returns the end at which
// they work.
func (s *dequeContents) list(b int32) int8 {
	at := s.lane.begun[b]
	first := s.lane.returns[at.layer]
	r := &s.lane.ops[first]
	s.next = s.lane.next(b, s.next[:0])
	removals := 0
	for _, i := range s.next {
		switch o := &s.lane.ops[i]; {
		case o.does == model.Remove && o.value != model.Nothing:
			removals++
		case o.does == model.Insert, !s.legal(o), o.ret == history.Never:
		default: // it only looks
			s.moves = append(s.moves, dequeMove{i, uint16(at.extra), 0})
			return given
		}
	}
	if at.extra == dequeThrough {
		s.moves = append(s.moves, dequeMove{first, 0, 0})
		return given
	}
	end := int8(unclear)
	if s.to-s.from > removals {
		if end = r.end; r.value == model.Nothing && r.does != model.Insert {
			return unclear
		}
	}
	from := len(s.moves)
	s.recent = s.recent[:0]
	for _, i := range s.next {
		o := &s.lane.ops[i]
		m := dequeMove{op: i}
		switch {
		case o.does == model.Peek || o.value == model.Nothing || !s.legal(o):
			continue
		case end != unclear && o.end != end:
			continue
		case i != first && s.moments.called(i, at.layer):
			s.recent = append(s.recent, dequeMove{op: i, extra: uint16(at.extra)})
			continue
		case s.listed(from, o):
			continue
		case end == unclear || i == first:
		case o.does == model.Remove:
			if at.extra == dequePushing {
				continue
			}
		case r.does == model.Remove:
			if o.value != r.value && !r.wild() || s.legal(r) && !r.wild() {
				continue
			}
			m.extra = dequeThrough
		default:
			m.extra = dequePushing
		}
		if s.moments.odd(i, at.layer) {
			if m.odd = 1; s.odd[o.end] == s.mostOdd {
				continue
			}
		}
		s.moves = append(s.moves, m)
	}
	s.moves = append(s.moves, s.recent...)
	if s.mostOdd > 0 {
		inorder.Sort(s.moves[from:], func(a, b dequeMove) int { return int(a.odd - b.odd) })
	}
	return end
}

// listed reports whether a move since from does the same as o.
func (s *dequeContents) listed(from int, o *laneOp) bool {
	return slices.ContainsFunc(s.moves[from:], func(m dequeMove) bool {
		x := &s.lane.ops[m.op]
		return x.does == o.does && x.end == o.end && x.value == o.value
	})
}

// legal reports whether an operation can take effect on the contents.
func (s *dequeContents) legal(o *laneOp) bool {
	switch {
	case o.does == model.Insert || o.wild() && o.ret != history.Never:
		return true
	case s.from == s.to:
		return o.value == model.Nothing
	}
	return o.wild() || s.ring[s.outermost(o.end)] == o.value
}

// linearization returns the operations in order, after search has found one.
func (s *dequeContents) linearization() []history.OpID {
	var order []history.OpID
	for _, f := range s.frames[1:] {
		order = append(order, s.lane.ops[f.op].op)
	}
	return order
}
