package wgl

// What: the search for a way through a part of a deque's history, from known contents. It is
// depth-first, and its states are the operations that took effect and the contents, of which a hash
// is kept. So that it fails proves nothing; what it finds is replayed.
//
// Normal form. Let r be the operation that returns first of those that have not taken effect, and
// let the deque hold more items than open removals can take. Then until r the ends have nothing to
// do with each other, and what happens at the other end than that of r can follow r. At the end of
// r the deque is a stack, with the normal form of lifo.go: before r come some pops and then some
// pushes; if r pops, some pops or one push of what it pops, unless it finds the same value without.
// With fewer items everything that is open may come before r. What only looks is taken as soon as
// it is legal. Of operations that do the same only the one that returns first is tried.
//
// Source: the search of Wing and Gong (JPDC'93) with the memo of Lowe (CCPE'17); the normal form is
// ours.
//
// Invariant: hash is that of the contents. While the deque holds enough for the normal form it does
// so until r: a pop takes one item and leaves one removal less.
//
// Cost: states × open operations. Contents differ by the order of concurrent insertions, so this is
// for parts in which few of them are free.

import (
	"slices"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/model"
)

// dequeContents is the search.
type dequeContents struct {
	*engine.Account
	lane     *lane
	goal     int32   // how many returns to pass
	ring     []int32 // contents are ring[from:to]
	from, to int
	hash     uint64
	failed   map[dequeState]struct{}
	frames   []dequeFrame
	moves    []dequeMove
	next     []int32 // scratch
	patience int64   // steps
}

// dequeState is what took effect, and contents.
type dequeState struct {
	begun int32
	from  int32
	hash  uint64
}

// dequeFrame is a state on the way.
type dequeFrame struct {
	begun    int32
	op       int32 // that led to it, -1 at the start
	took     int32 // what it took out; model.Nothing: nothing
	moves    int32 // those from here on in dequeContents.moves, in reverse
	branches bool
}

// dequeMove is an operation that can come next, and the extra of the beginning that results.
type dequeMove struct {
	op    int32
	extra uint32
}

// The extra of a beginning.
const (
	dequePushing = 1 // some push has taken effect since the last return, at its end
	dequeThrough = 2 // a push has taken effect for the next return to pop
)

// newDequeContents makes a search on one deque with contents, front first, that is to pass goal
// returns. It is nil if the operations are too concurrent.
func newDequeContents(ops []laneOp, contents []int32, goal int32, patience int64, budget *engine.Account) *dequeContents {
	s := &dequeContents{Account: budget, patience: patience, failed: map[dequeState]struct{}{}}
	if s.lane = newLane(ops); s.lane == nil {
		return nil
	}
	s.goal = min(goal, int32(len(s.lane.returns)))
	inserts := 0
	for i := range ops {
		if ops[i].does == model.Insert {
			inserts++
		}
	}
	s.ring = make([]int32, 2*inserts+len(contents))
	s.from, s.to = inserts, inserts
	for _, v := range contents {
		s.push(1, v)
	}
	s.Footprint = func() int64 {
		return s.lane.bytes() + int64(cap(s.ring))*4 + int64(len(s.failed))*40 + int64(cap(s.frames))*20 + int64(cap(s.moves))*8
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
			if f.branches || len(s.frames) > 1 && s.frames[len(s.frames)-2].branches {
				s.failed[s.state(f.begun)] = struct{}{}
			}
			s.takeBack(f)
			s.frames = s.frames[:len(s.frames)-1]
			continue
		}
		m := s.moves[len(s.moves)-1]
		s.moves = s.moves[:len(s.moves)-1]
		next := dequeFrame{begun: s.lane.with(f.begun, m.op, m.extra), op: m.op, took: s.do(m.op)}
		if _, known := s.failed[s.state(next.begun)]; known {
			s.takeBack(&next)
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
	s.frames = append(s.frames, f)
	if s.lane.begun[f.begun].layer >= s.goal {
		return true
	}
	s.list(f.begun)
	slices.Reverse(s.moves[f.moves:])
	s.frames[len(s.frames)-1].branches = len(s.moves) > int(f.moves)+1
	return s.Spend(1 + int64(len(s.moves)) - int64(f.moves))
}

// list lists the moves after a beginning, the most promising first.
func (s *dequeContents) list(b int32) {
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
			s.moves = append(s.moves, dequeMove{i, at.extra})
			return
		}
	}
	if at.extra == dequeThrough {
		s.moves = append(s.moves, dequeMove{first, 0})
		return
	}
	apart := s.to-s.from > removals
	if apart && r.value == model.Nothing && r.does != model.Insert {
		return
	}
	from := len(s.moves)
	for _, i := range s.next {
		o := &s.lane.ops[i]
		m := dequeMove{op: i}
		switch {
		case o.does == model.Peek || o.value == model.Nothing || !s.legal(o) || s.listed(from, o):
			continue
		case !apart || i == first:
		case o.end != r.end:
			continue
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
		s.moves = append(s.moves, m)
	}
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

// outermost returns the place of the item nearest to an end.
func (s *dequeContents) outermost(end int8) int {
	if end == 0 {
		return s.from
	}
	return s.to - 1
}

// do lets an operation take effect, and returns what it took out.
func (s *dequeContents) do(op int32) (took int32) {
	switch o := &s.lane.ops[op]; {
	case o.does == model.Insert:
		s.push(o.end, o.value)
	case o.does == model.Remove && s.from < s.to && o.value != model.Nothing:
		return s.pop(o.end)
	}
	return model.Nothing
}

// takeBack undoes what led to a frame.
func (s *dequeContents) takeBack(f *dequeFrame) {
	if f.op < 0 {
		return
	}
	if o := &s.lane.ops[f.op]; o.does == model.Insert {
		s.pop(o.end)
	} else if f.took != model.Nothing {
		s.push(o.end, f.took)
	}
}

func (s *dequeContents) push(end int8, v int32) {
	if end == 0 {
		s.from--
	} else {
		s.to++
	}
	at := s.outermost(end)
	s.ring[at] = v
	s.hash += hashOfItem(at, v)
}

func (s *dequeContents) pop(end int8) (v int32) {
	at := s.outermost(end)
	v = s.ring[at]
	s.hash -= hashOfItem(at, v)
	if end == 0 {
		s.from++
	} else {
		s.to--
	}
	return v
}

// hashOfItem hashes a value in a place; sums of such hashes stand for contents.
func hashOfItem(at int, v int32) uint64 {
	h := uint64(at)<<32 | uint64(uint32(v)) + 0x9e3779b97f4a7c15
	h = (h ^ h>>30) * 0xbf58476d1ce4e5b9
	h = (h ^ h>>27) * 0x94d049bb133111eb
	return h ^ h>>31
}

// state returns the state in which a beginning has taken effect.
func (s *dequeContents) state(b int32) dequeState { return dequeState{b, int32(s.from), s.hash} }

// linearization returns the operations in order, after search has found one.
func (s *dequeContents) linearization() []history.OpID {
	var order []history.OpID
	for _, f := range s.frames[1:] {
		order = append(order, s.lane.ops[f.op].op)
	}
	return order
}
