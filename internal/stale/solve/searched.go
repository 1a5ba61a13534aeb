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

// leastSearched returns a core of operations; those called by a rank have no order.
func leastSearched(ctx context.Context, o *stale.Object, reached history.Rank, bound int, regular bool) []int32 {
	steps := coreSteps
	refuted := func(list []int32) bool {
		if steps -= len(list) / 8; steps <= 0 || ctx.Err() != nil || len(closing(o, list)) > 0 {
			return false
		}
		ops := make([]*stale.Op, len(list))
		for k, i := range list {
			ops[k] = &o.Ops[i]
		}
		s, result := search(ctx, ops, o.Initial, bound, regular, steps)
		steps = s.steps
		return result == impossible
	}
	var list []int32
	for i := range o.Ops {
		if o.Ops[i].Call <= reached {
			list = append(list, int32(i))
		}
	}
	// What is called later was not looked at.
	for more := closing(o, list); len(more) > 0; more = closing(o, list) {
		list = append(list, more...)
	}
	slices.Sort(list)
	for again := true; again; { // a write can be left out once the reads of it are
		again = false
		for size := (len(list) + 1) / 2; size > 0; size /= 2 {
			for to := len(list); to > 0 && steps > 0; to -= size {
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

// closing lists the operations that cannot be left out if the listed ones are a core.
func closing(o *stale.Object, list []int32) []int32 {
	in, found, not := make([]bool, len(o.Ops)), map[int32]history.Rank{}, start
	for _, i := range list {
		in[i] = true
		for _, m := range o.Ops[i].Modes {
			switch m.Test {
			case model.Is:
				found[m.V] = max(found[m.V], o.Ops[i].Return)
			case model.Not:
				not = max(not, o.Ops[i].Return)
			}
		}
	}
	var more []int32
	for i := range o.Ops {
		for _, m := range o.Ops[i].Modes {
			last, is := found[m.Leaves]
			if !in[i] && m.Leaves != model.Keep && (is && o.Ops[i].Call <= last || o.Ops[i].Call <= not) {
				more = append(more, int32(i))
				break
			}
		}
	}
	return more
}
