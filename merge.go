package linsat

import (
	"cmp"
	"slices"

	"github.com/linsat/linsat/history"
)

// mergeWitnesses combines linearizations of the parts of h (positions in h.Ops) into one: every operation
// takes effect at the latest call up to and including its own, within its part; sorted by that
// moment, parts keep their orders and no operation moves past one that returned before its call.
// (The parts' orders and the interval order have no circle: locality, Herlihy-Wing §3.3.)
func mergeWitnesses(h *history.History, parts [][]int32) []int32 {
	if len(parts) == 1 {
		return parts[0]
	}
	type moment struct{ at, op int32 }
	n := 0
	for _, p := range parts {
		n += len(p)
	}
	all := make([]moment, 0, n)
	for _, p := range parts {
		at := int32(-1)
		for _, i := range p {
			at = max(at, h.Ops[i].Call)
			all = append(all, moment{at, i})
		}
	}
	slices.SortStableFunc(all, func(a, b moment) int { return cmp.Compare(a.at, b.at) })
	out := make([]int32, n)
	for k, m := range all {
		out[k] = m.op
	}
	return out
}
