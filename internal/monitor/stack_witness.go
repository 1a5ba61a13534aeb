package monitor

import "github.com/linsat/linsat/history"

// The linearization that the moments of a stack make.
//
// What: inside one moment come first the pops, those of values taken away later first, each after
// the peeks that go with it; then what leaves the stack as it was — peeks of the value that is
// alone inside, empty results, values that are set aside —; then the pushes, those of values taken
// away earlier first, each before the peeks that go with it.
//
// Why it nests: when a value is taken away, only what lies under it is inside at the moments
// chosen, so everything that is taken away later fits between two consecutive operations.
//
// Cost: O(n).

const (
	popping = iota
	resting
	pushing
	partsOfMoment
)

func (s *peeler) witness(empties []moment) []history.OpID {
	out := newSlots(int(s.end+1) * partsOfMoment)
	return out.fill(func(put func(slot int, op history.OpID)) {
		s.place(func(g moment, part int, op history.OpID) { put(int(g)*partsOfMoment+part, op) })
		for e, g := range empties {
			put(int(g)*partsOfMoment+resting, s.emptyOp[e])
		}
	})
}

// place puts all operations on values into parts of moments, in their order.
func (s *peeler) place(put func(g moment, part int, op history.OpID)) {
	for k := len(s.order) - 1; k >= 0; k-- {
		v := s.order[k]
		for p := s.peekFrom[v]; p < s.peekFrom[v+1]; p++ {
			if s.peekAt[p] < 0 && s.peekLo[p] > s.pushAt[v] {
				put(s.popAt[v], popping, s.peekOp[p])
			}
		}
		if s.rem[v] != absent {
			put(s.popAt[v], popping, s.rem[v])
		}
	}
	for _, v := range s.collected.values {
		if !s.aside(v) {
			continue
		}
		rest := s.remLo[v]
		if s.ins[v] >= 0 {
			put(rest, resting, s.ins[v])
		}
		for p := s.peekFrom[v]; p < s.peekFrom[v+1]; p++ {
			put(rest, resting, s.peekOp[p])
		}
		if s.rem[v] != absent {
			put(rest, resting, s.rem[v])
		}
	}
	for _, v := range s.order {
		if s.ins[v] >= 0 {
			put(s.pushAt[v], pushing, s.ins[v])
		}
		for p := s.peekFrom[v]; p < s.peekFrom[v+1]; p++ {
			switch {
			case s.peekAt[p] >= 0:
				put(s.peekAt[p], resting, s.peekOp[p])
			case s.peekLo[p] <= s.pushAt[v]:
				put(s.pushAt[v], pushing, s.peekOp[p])
			}
		}
	}
}
