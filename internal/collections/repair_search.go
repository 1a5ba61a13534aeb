package collections

// What: stacks and deques, quickly, if they are linearizable. One linearization σ is built just in
// time, and where it goes wrong it is repaired: by another order of insertions that were
// concurrent, or by removals that took effect earlier. So a wrong order of two insertions is
// corrected when they leave, at no cost, however long ago it was chosen; nothing in between
// changes.
//
// Source: ours. What is exchanged is what the monitors of stacks with distinct values (Lee and
// Mathur, OOPSLA'25) treat as alternatives; here values may repeat.
//
// Every completed operation that returns next and has not taken effect is put at the end of σ. An
// insertion can always be put there. For a removal, repair_ways.go lists the ways in which the
// value can be found, and the cheapest one is taken. If there is none, the search goes back to an
// earlier removal and takes one of its ways at random: a removal that used an operation which is
// still open, or one of the last removals, of more and more of them. From there on it mostly takes
// the cheapest ways again.
//
// Invariants: those of σ (repair_sequence.go); choices ascend by layer.
//
// Cost: operations × (open operations + depth looked into), without going back. The answer is found
// or undecided: this search cannot refute.

import (
	"slices"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/model"
)

// Which way to choose.
const (
	cheapest = iota
	random
)

// newRepair reads a partition of one stack or deque; it returns nil if too many operations are
// concurrent. Initial values are listed from end 0.
func newRepair(ops []laneOp, initial []int32, patience int, budget *engine.Account) *repair {
	n := history.OpID(0)
	for i := range ops {
		n = max(n, ops[i].op+1)
	}
	s := &repair{Account: budget, rand: 1, retries: patience, head: n + history.OpID(len(initial))}
	s.ops = make([]laneOp, s.head+1)
	if s.lane = newLane(ops); s.lane == nil {
		return nil
	}
	for i := range s.lane.ops {
		s.ops[s.lane.ops[i].op] = s.lane.ops[i]
	}
	s.cells = make([]int32, perOp*(s.head+1))
	h := s.head
	for _, field := range []cellField{before, after, inner0, inner1} {
		s.setNear(h, field, h)
	}
	for k := len(initial) - 1; k >= 0; k-- {
		x := n + history.OpID(k)
		s.ops[x] = laneOp{op: x, call: -2, ret: -1, does: model.Insert, value: initial[k]}
		s.put(x, h, -1)
		s.insert(x, s.inward(h, 0), 0)
		s.set(x, fast, 1)
	}
	s.trail = s.trail[:0]
	s.Footprint = func() int64 {
		return s.lane.bytes() + int64(cap(s.cells))*4 + int64(cap(s.trail))*8 + int64(cap(s.ops))*24 +
			int64(cap(s.taken))*16
	}
	return s
}

// from continues from a layer up to which σ is correct. It answers found, undecided or gaveUp.
func (s *repair) from(j int32) outcome {
	patience, deepest, fails := s.retries, j, 0
	for int(j) < len(s.lane.returns) {
		if !s.Spend(1 + int64(s.lane.open.First[j+1]-s.lane.open.First[j])) {
			return gaveUp
		}
		way := cheapest
		if fails > 0 && s.draw(rarely) == 0 {
			way = random
		}
		for !s.layer(j, way) {
			if fails == 0 && s.remembers {
				s.stuck, s.stuckAt = s.sequence(s.stuck[:0]), j
			}
			if patience--; patience < 0 || len(s.taken) == 0 {
				return undecided
			}
			fails++
			k := s.culprit(j)
			if k < 0 || fails%3 == 0 {
				k = len(s.taken) - 1 - s.draw(min(2<<min(fails/16, 20), len(s.taken)))
			}
			c := s.taken[k]
			s.taken = s.taken[:k]
			s.undo(c.trail)
			j, way = c.layer, random
		}
		j++
		if j > deepest {
			deepest, fails = j, 0
			patience = min(patience+retriesEachReturn, s.retries)
		}
	}
	if !s.legal() {
		s.stuckAt = -1
		return undecided
	}
	return found
}

// culprit returns a choice that used an operation which is open in a layer, or -1.
func (s *repair) culprit(layer int32) int {
	found, n := -1, 0
	look := func(i opIndex) {
		o := s.lane.ops[i].op
		if !s.in(o) {
			return
		}
		k, ok := slices.BinarySearchFunc(s.taken, s.get(o, since), func(c choice, l int32) int {
			return int(c.layer - l)
		})
		if n++; ok && s.draw(n) == 0 {
			found = k
		}
	}
	for _, i := range s.lane.open.Of(layer) {
		look(i)
	}
	for _, i := range s.lane.pending {
		look(i)
	}
	return found
}

// draw returns a number from 0 to n-1, the same ones in each search [Marsaglia, Xorshift RNGs,
// JSS'03].
func (s *repair) draw(n int) int {
	s.rand ^= s.rand << 13
	s.rand ^= s.rand >> 7
	s.rand ^= s.rand << 17
	return int(s.rand % uint64(n))
}

// layer applies the operation that returns next. It returns false if there is no way.
func (s *repair) layer(j int32, choose int) bool {
	r := s.lane.ops[s.lane.returns[j]].op
	now := s.ops[r].ret
	s.open = s.open[:0]
	for _, i := range s.lane.open.Of(j) {
		if o := s.lane.ops[i].op; !s.in(o) {
			s.open = append(s.open, o)
		}
	}
	for _, i := range s.lane.pending {
		if s.lane.ops[i].call >= now {
			break
		}
		if o := s.lane.ops[i].op; !s.in(o) {
			s.open = append(s.open, o)
		}
	}
	mark := len(s.trail)
	s.at = j
	s.atOnce(now)
	if s.in(r) {
		return true
	}
	if s.ops[r].does == model.Insert {
		s.enter(r, s.head, now)
		s.atOnce(now)
		return true
	}
	s.list(r, now)
	if len(s.ways) == 0 {
		return false
	}
	way := 0
	if choose == random {
		way = s.draw(len(s.ways))
	}
	if len(s.ways) > 1 {
		s.taken = append(s.taken, choice{mark, j})
	}
	s.pass(r, now, s.ways[way])
	s.atOnce(now)
	return true
}

// atOnce appends to σ the peeks and removals that found nothing, where they are legal.
func (s *repair) atOnce(now history.Rank) {
	for _, o := range s.open {
		x := &s.ops[o]
		if x.does == model.Insert || x.does == model.Remove && x.value != model.Nothing || s.in(o) {
			continue
		}
		top := s.inward(s.head, x.end)
		switch {
		case x.value == model.Anything || x.value == model.Nothing && top == s.head:
		case top != s.head && x.value == s.ops[top].value:
			s.set(top, fast, 1)
		default:
			continue
		}
		s.put(o, s.head, now)
	}
}
