package encode

import (
	"slices"
	"sort"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/cnf"
)

// span is one of several operations of the same kind: insertions or removals of one value, equal
// changes of a counter.
type span struct {
	op        history.OpID // -1 if it is not an operation
	call, ret history.Rank
	certain   bool
}

// ranks bounds the places of operations of the same kind, sorted by call, if some are optional and
// others may stand among them, at most that many.
func ranks(o *cnf.Order, like []span, others int32) (lo, hi []int32) {
	n := len(like)
	lo, hi = make([]int32, n), make([]int32, n)
	var rets []history.Rank
	at := map[history.OpID]int{}
	for k, s := range like {
		if s.certain && s.ret != history.Never {
			rets = append(rets, s.ret)
		}
		if s.op >= 0 {
			at[s.op] = k
		}
	}
	slices.Sort(rets)
	for k, s := range like {
		before, _ := slices.BinarySearch(rets, s.call)
		after := n - sort.Search(n, func(j int) bool { return like[j].call > s.ret })
		lo[k], hi[k] = int32(before), int32(n-1-after)+others
	}
	if !o.AnyFixed() {
		return lo, hi
	}
	for k, s := range like {
		if s.op < 0 {
			continue
		}
		for z := s.op + 1; z <= o.Last[s.op]; z++ {
			j, ok := at[z]
			if !ok {
				continue
			}
			first, second := k, j
			switch o.Before(s.op, z) {
			case cnf.True:
			case cnf.False:
				first, second = j, k
			default:
				continue
			}
			hi[first]--
			if like[first].certain {
				lo[second]++
			}
		}
	}
	return lo, hi
}
