package monitor

import (
	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/inorder"
)

// ranked is a rank, or any other number that is not negative, with what stands at it.
type ranked struct {
	at   history.Rank
	what int32
}

// sortRanked sorts by at; equal ones stay in their order. spare is used as scratch and returned,
// grown.
//
// Ranks are dense where there are many of them, so two or three passes over digits are enough.
func sortRanked(list, spare []ranked) []ranked {
	if len(list) < fewRanks {
		inorder.Sort(list, func(a, b ranked) int { return int(a.at) - int(b.at) })
		return spare
	}
	top, sorted := history.Rank(0), true
	for i := range list {
		sorted = sorted && (i == 0 || list[i-1].at <= list[i].at)
		top = max(top, list[i].at)
	}
	if sorted {
		return spare
	}
	spare = sized(spare, len(list))
	from, to := list, spare
	passes := 0
	for shift := 0; top>>shift > 0; shift += digitBits {
		var start [1 << digitBits]int32
		for _, r := range from {
			start[r.at>>shift&(1<<digitBits-1)]++
		}
		sum := int32(0)
		for d := range start {
			start[d], sum = sum, sum+start[d]
		}
		for _, r := range from {
			d := r.at >> shift & (1<<digitBits - 1)
			to[start[d]] = r
			start[d]++
		}
		from, to = to, from
		passes++
	}
	if passes%2 == 1 {
		copy(list, from)
	}
	return spare
}

// sized returns s with length n, its content undefined.
func sized[E any](s []E, n int) []E {
	if cap(s) < n {
		return make([]E, n)
	}
	return s[:n]
}

// filled returns s with length n and e everywhere.
func filled[E any](s []E, n int, e E) []E {
	s = sized(s, n)
	for i := range s {
		s[i] = e
	}
	return s
}
