package collections

// What can come next on a stack after a beginning, in the normal form of lifo.go, whatever the
// place on top is.

import (
	"slices"

	"github.com/linsat/linsat/internal/model"
)

const pushing = 1 // extra of a beginning: some push has taken effect since the last return

// lifoMove is an operation that can come next after a beginning, on some places.
type lifoMove struct {
	kind      uint8
	op, first opIndex
	to        int32 // the beginning that results
	value     int32 // on top, before or after
}

// The kinds of moves.
const (
	looks   = iota // sees the value, or finds nothing; taken as soon as it is legal
	pushes         // pushes the value
	pops           // pops the value
	through        // what first pushes, op pops at once
	passes         // takes effect before the start
)

// lifoMoves lists moves.
type lifoMoves struct {
	moves []lifoMove
	next  []opIndex // scratch
	seen  []int32   // scratch
}

// list appends the moves after a beginning.
func (s *lifoMoves) list(l *lane, b int32) {
	extra := l.begun[b].extra
	r := l.returns[l.begun[b].layer]
	last := &l.ops[r]
	s.next = l.next(b, s.next[:0])
	for _, i := range s.next {
		if o := &l.ops[i]; o.does == model.Peek || o.value == model.Nothing {
			s.moves = append(s.moves, lifoMove{looks, i, -1, l.with(b, i, extra), o.value})
		}
	}
	s.seen = s.seen[:0]
	for _, i := range s.next {
		o := &l.ops[i]
		if i == r && o.early {
			s.moves = append(s.moves, lifoMove{passes, i, -1, l.with(b, i, extra), o.value})
		}
		if o.does == model.Peek || o.value == model.Nothing || s.met(o) {
			continue
		}
		switch {
		case o.does == model.Insert && last.does == model.Remove:
			if o.value == last.value || last.value == model.Anything {
				to := l.with(b, i, extra)
				for _, p := range s.next {
					if l.sees(p, o.value) {
						to = l.with(to, p, extra)
					}
				}
				s.moves = append(s.moves, lifoMove{through, r, i, l.with(to, r, 0), o.value})
			}
		case o.does == model.Insert:
			s.moves = append(s.moves, lifoMove{pushes, i, -1, l.with(b, i, pushing), o.value})
		case extra != pushing:
			s.moves = append(s.moves, lifoMove{pops, i, -1, l.with(b, i, extra), o.value})
		}
	}
}

// met reports whether an operation of the same kind was seen before after this beginning.
func (s *lifoMoves) met(o *laneOp) bool {
	kind := int32(o.does)<<28 ^ o.value
	if o.early {
		kind ^= 1 << 30
	}
	if slices.Contains(s.seen, kind) {
		return true
	}
	s.seen = append(s.seen, kind)
	return false
}

// sees reports whether operation i is a peek of a value.
func (l *lane) sees(i opIndex, value int32) bool {
	o := &l.ops[i]
	return o.does == model.Peek && o.value == value
}
