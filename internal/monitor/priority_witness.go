package monitor

import (
	"cmp"
	"slices"

	"github.com/linsat/linsat/history"
)

// The linearization that the moments of a priority queue make.
//
// What: inside one moment come, first, the values that leave in it, each with all that it does
// there, those that go first first: what is still inside then goes no earlier. Then peeks of values
// that came earlier and leave later; then empty results; then the values that come and stay, those
// that go last first, each with its peeks.
//
// How: values are put into their slots in the order of time, which stays in the cache, and sorted
// by priority within each.
//
// Cost: O(n), and sorting within slots.

// The four groups of a moment.
const (
	leaving = iota
	staying
	nothing
	coming
	groupsOfMoment
)

func (q *priorities) witness(empties []moment) []history.OpID {
	s := newSlots(int(q.end+1) * groupsOfMoment)
	pass := func(put func(slot int, op history.OpID)) {
		at := func(g moment, group int) int { return int(g)*groupsOfMoment + group }
		peeks := func(v int32, g moment, group int) {
			for k := q.peekFrom[v]; k < q.peekFrom[v+1]; k++ {
				if q.peekAt[k] == g {
					put(at(g, group), q.peekOp[k])
				}
			}
		}
		for _, v := range q.values {
			in, out := q.insAt[v], q.remAt[v]
			if in == out && q.ins[v] >= 0 {
				put(at(out, leaving), q.ins[v])
			}
			peeks(v, out, leaving)
			if q.rem[v] != absent {
				put(at(out, leaving), q.rem[v])
			}
			for k := q.peekFrom[v]; k < q.peekFrom[v+1]; k++ {
				if g := q.peekAt[k]; in < g && g < out {
					put(at(g, staying), q.peekOp[k])
				}
			}
		}
		for e, g := range empties {
			put(at(g, nothing), q.emptyOp[e])
		}
		for _, v := range q.values {
			if in := q.insAt[v]; in < q.remAt[v] {
				if q.ins[v] >= 0 {
					put(at(in, coming), q.ins[v])
				}
				peeks(v, in, coming)
			}
		}
	}
	out := s.fill(pass)
	taken := map[history.OpID]int32{} // by pending removal
	for _, v := range q.left {
		if q.rem[v] != absent {
			taken[q.rem[v]] = v
		}
	}
	for g := range q.end + 1 {
		q.byPriority(s.slot(out, int(g)*groupsOfMoment+leaving), taken, 1)
		q.byPriority(s.slot(out, int(g)*groupsOfMoment+coming), taken, -1)
	}
	return out
}

// byPriority sorts operations by the rank of their values, times sign; those of one value stay
// together, in their order.
func (q *priorities) byPriority(ops []history.OpID, taken map[history.OpID]int32, sign int) {
	if len(ops) < 2 {
		return
	}
	rank := q.theory.Rank
	value := func(i history.OpID) int32 {
		if v := q.theory.Value[i]; v >= 0 {
			return v
		}
		return taken[i]
	}
	slices.SortStableFunc(ops, func(a, b history.OpID) int {
		u, v := value(a), value(b)
		return sign * cmp.Or(cmp.Compare(rank[u], rank[v]), cmp.Compare(u, v))
	})
}

// slots sorts operations by numbered slots, keeping the order within each.
type slots struct{ from []int32 }

func newSlots(n int) *slots { return &slots{make([]int32, n+1)} }

// slot returns what fill put into a slot of out.
func (s *slots) slot(out []history.OpID, k int) []history.OpID {
	from := int32(0)
	if k > 0 {
		from = s.from[k-1]
	}
	return out[from:s.from[k]]
}

// fill calls pass twice, which puts the same operations into the same slots each time.
func (s *slots) fill(pass func(put func(slot int, op history.OpID))) []history.OpID {
	total := 0
	pass(func(slot int, _ history.OpID) {
		s.from[slot+1]++
		total++
	})
	for k := 1; k < len(s.from); k++ {
		s.from[k] += s.from[k-1]
	}
	out := make([]history.OpID, total)
	pass(func(slot int, op history.OpID) {
		out[s.from[slot]] = op
		s.from[slot]++
	})
	return out
}
