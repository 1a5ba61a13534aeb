package verify

// What can come next on a stack (saturation.go).
//
// What is left out. Let r be the completed operation that returns first and has not taken effect.
// Before r, only what r needs has to take effect: some pops and then some pushes, or, if r pops,
// some pops, or a push of what r pops, unless r finds the same value without it. Whatever else
// leaves the stack as it was can come right after r. Peeks, and pops that found nothing, take
// effect as soon as they are legal. Of operations that do the same, the one that returns first
// comes first.

import (
	"slices"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
)

// stackMove is an operation that can come next.
type stackMove struct {
	kind  int
	value int32
	after stackSet
}

// The kinds of moves.
const (
	seesTop    = iota // a peek, or a pop that finds nothing: at once if it can
	pushesTop         // a push
	popsTop           // a pop of a value, or of any
	passesTop         // a push and the pop that returns next
	findsEmpty        // a pop of any on an empty stack
)

// list lists what can come next after a set, whatever is on top.
func (s *saturation) list(set stackSet) {
	s.moves = s.moves[:0]
	does, value := s.theory.Does, s.theory.Value
	r := s.returns[set.returned]
	free := s.free[:0]
	for _, op := range s.open[set.returned] {
		if set.bits>>s.slot[op]&1 == 0 {
			free = append(free, op)
		}
	}
	for _, op := range s.pending {
		if s.ops[op].Call < s.ops[r].Return && set.bits>>s.slot[op]&1 == 0 {
			free = append(free, op)
		}
	}
	s.free = free
	for _, op := range free {
		if does[op] == model.Peek || value[op] == model.Nothing {
			s.moves = append(s.moves, stackMove{seesTop, value[op], s.with(set, op, set.climbing)})
		}
	}
	s.met = s.met[:0]
	for _, op := range free {
		v := value[op]
		kind := [2]int32{int32(does[op]), v}
		if does[op] == model.Peek || v == model.Nothing || slices.Contains(s.met, kind) {
			continue
		}
		s.met = append(s.met, kind)
		switch {
		case does[op] == model.Insert && does[r] != model.Remove:
			s.moves = append(s.moves, stackMove{pushesTop, v, s.with(set, op, true)})
		case does[op] == model.Insert:
			if v == value[r] || value[r] == model.Anything {
				s.moves = append(s.moves, stackMove{passesTop, v, s.through(set, op, r, free)})
			}
		case set.climbing:
		default:
			s.moves = append(s.moves, stackMove{popsTop, v, s.with(set, op, false)})
			if v == model.Anything && !s.ops[op].Pending() {
				s.moves = append(s.moves, stackMove{findsEmpty, v, s.with(set, op, false)})
			}
		}
	}
}

// through returns the set after a value was pushed, all peeks have seen it, and r has popped it.
func (s *saturation) through(set stackSet, push, r history.OpID, free []history.OpID) stackSet {
	set = s.with(set, push, false)
	for _, op := range free {
		if s.theory.Does[op] == model.Peek && s.theory.Value[op] == s.theory.Value[push] {
			set = s.with(set, op, false)
		}
	}
	return s.with(set, r, false)
}
