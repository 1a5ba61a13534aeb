package solve

// Answers of the search, and their cores.
//
// What: leaves out halves, quarters and so on of the operations, as long as what is left has no
// order and what is left out is in nobody's way (stale.Core says what is).

import (
	"context"
	"slices"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/stale"
)

// searched answers by search.
func searched(ctx context.Context, o *stale.Object, bound int, regular, core bool) Answer {
	ops := make([]*stale.Op, len(o.Ops))
	for i := range o.Ops {
		ops[i] = &o.Ops[i]
	}
	a := Answer{By: "search"}
	s, result := search(ctx, ops, o.Initial, bound, regular, searchSteps)
	switch result {
	case placed:
		a.Holds, a.Order = true, s.order
	case stopped:
		a.Unclear = unclear(ctx)
	case impossible:
		a.Fails = true
		if core {
			a.Core = leastSearched(ctx, o, s.reached, bound, regular)
		}
	}
	return a
}

// leastSearched returns a core among the operations called by a rank, which have no order.
func leastSearched(ctx context.Context, o *stale.Object, reached history.Rank, bound int, regular bool) []int32 {
	refuted := func(list []int32) bool {
		if !closed(o, list) {
			return false
		}
		ops := make([]*stale.Op, len(list))
		for k, i := range list {
			ops[k] = &o.Ops[i]
		}
		_, result := search(ctx, ops, o.Initial, bound, regular, coreSteps)
		return result == impossible
	}
	all := make([]int32, len(o.Ops))
	var list []int32
	for i := range o.Ops {
		if all[i] = int32(i); o.Ops[i].Call <= reached {
			list = append(list, int32(i))
		}
	}
	if !closed(o, list) {
		list = all
	}
	// A write can be left out once the reads of it are, and they come after it.
	for again := true; again; {
		again = false
		for size := (len(list) + 1) / 2; size > 0; size /= 2 {
			for to := len(list); to > 0 && ctx.Err() == nil; to -= size {
				from := max(0, to-size)
				without := slices.Concat(list[:from], list[min(to, len(list)):])
				if len(without) > 0 && refuted(without) {
					list, again = without, true
				}
			}
		}
	}
	return list
}

// closed reports whether everything but the listed operations can be left out.
func closed(o *stale.Object, list []int32) bool {
	in, found, some := make([]bool, len(o.Ops)), map[int32]bool{}, false
	for _, i := range list {
		in[i] = true
		for _, m := range o.Ops[i].Modes {
			found[m.V] = found[m.V] || m.Test == model.Is
			some = some || m.Test == model.Not
		}
	}
	for i := range o.Ops {
		for _, m := range o.Ops[i].Modes {
			if !in[i] && m.Leaves != model.Keep && (some || found[m.Leaves]) {
				return false
			}
		}
	}
	return true
}
