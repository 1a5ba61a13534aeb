package check

// Units: objects that are decided one by one, or together where operations of several are in a
// stated order.
//
// Why objects of different units are independent: between them there is only time, and operations
// take time, so orders of the units that extend it can be merged [Herlihy and Wing, TOPLAS 1990,
// locality].

import (
	"context"
	"slices"
	"sort"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/solver/cdcl"
	"github.com/linsat/linsat/internal/stale"
	"github.com/linsat/linsat/internal/stale/solve"
	"github.com/linsat/linsat/internal/stale/verify"
)

// unit is objects that are decided together.
type unit struct {
	objects []int
	silent  []history.OpID
	tied    bool // operations of them are in a stated order
}

// unitsOf returns the units of a history, by their first objects.
func unitsOf(h *stale.History) []unit {
	of := make([]int, len(h.From.Ops)) // by operation: its object, or after those a silent one
	for i := range of {
		of[i] = -1
	}
	for k := range h.Objects {
		for i := range h.Objects[k].Ops {
			of[h.Objects[k].Ops[i].ID] = k
		}
	}
	for i := range h.Silent {
		of[h.Silent[i].ID] = len(h.Objects) + i
	}
	root := make([]int, len(h.Objects)+len(h.Silent))
	for k := range root {
		root[k] = k
	}
	find := func(k int) int {
		for root[k] != k {
			k = root[k]
		}
		return k
	}
	tied := make([]bool, len(root))
	for _, e := range h.From.Edges {
		a, b := of[e.Before], of[e.After]
		if a < 0 || b < 0 {
			continue
		}
		a, b = find(a), find(b)
		root[max(a, b)] = min(a, b)
		tied[a], tied[b] = true, true
	}
	var units []unit
	at := map[int]int{}
	for k := range root {
		r := find(k)
		if _, met := at[r]; !met {
			at[r] = len(units)
			units = append(units, unit{})
		}
		u := &units[at[r]]
		u.tied = u.tied || tied[k]
		if k < len(h.Objects) {
			u.objects = append(u.objects, k)
		} else {
			u.silent = append(u.silent, h.Silent[k-len(h.Objects)].ID)
		}
	}
	return slices.DeleteFunc(units, func(u unit) bool { return len(u.objects) == 0 })
}

// said is an answer about a unit, not judged.
type said struct {
	holds, fails bool
	orders       []stale.Order // by unit.objects
	core         *stale.Core   // if one was asked for
	unclear, by  string
}

// decide answers a question about a unit.
func decide(ctx context.Context, h *stale.History, v *verify.Verifier, u *unit, q stale.Question, core bool) said {
	s := said{holds: true, by: "monitor", orders: make([]stale.Order, len(u.objects))}
	for n, k := range u.objects {
		found := solve.Decide(ctx, h, &h.Objects[k], q, core)
		if found.By != "monitor" {
			s.by = found.By
		}
		switch {
		case found.Fails:
			s.holds, s.fails, s.by = false, true, found.By
			if core {
				s.core = coreOf(&h.Objects[k], &found)
			}
			return s
		case !found.Holds:
			s.holds, s.unclear = false, found.Unclear
		default:
			s.orders[n] = orderOf(h, k, q, &found)
		}
	}
	if s.holds && (!u.tied || v.Joined(q, s.orders) == nil) {
		return s
	}
	if s.holds && q.Kind == stale.Regular {
		if arrange(v, s.orders); v.Joined(q, s.orders) == nil {
			return s
		}
	}
	if s.holds {
		s.holds, s.unclear = false, "some operations are in a stated order, and they are too many for clauses"
		if q.Kind > stale.Moved {
			s.unclear = "some operations are in a stated order, which what was found does not keep"
		}
	}
	s.byClauses(ctx, h, v, u, q, core)
	return s
}

// arrange puts the writes of orders in the stated order, each with the reads that return it.
func arrange(v *verify.Verifier, orders []stale.Order) {
	stated := v.Stated()
	for k := range orders {
		var groups [][]history.OpID // by write, after those of the start
		var start []history.OpID
		for _, id := range orders[k].Operations {
			switch n := len(groups); {
			case !v.Reads(id):
				groups = append(groups, []history.OpID{id})
			case n == 0:
				start = append(start, id)
			default:
				groups[n-1] = append(groups[n-1], id)
			}
		}
		sort.SliceStable(groups, func(i, j int) bool {
			return stated.Preceding(groups[i][0]) < stated.Preceding(groups[j][0])
		})
		orders[k].Operations = slices.Concat(append([][]history.OpID{start}, groups...)...)
	}
}

// byClauses answers by the clauses of the verifier: with an order, or with lemmas about a core.
func (s *said) byClauses(ctx context.Context, h *stale.History, v *verify.Verifier, u *unit, q stale.Question,
	core bool) {
	ids := slices.Clone(u.silent)
	for _, k := range u.objects {
		for i := range h.Objects[k].Ops {
			ids = append(ids, h.Objects[k].Ops[i].ID)
		}
	}
	if len(ids) > mostInClauses || q.Kind > stale.Moved {
		return
	}
	slices.Sort(ids)
	c, err := v.Clauses(q, ids)
	if err != nil {
		return
	}
	status, lemmas, model := cdcl.Refute(ctx, c)
	switch status {
	case cdcl.Refuted:
		s.holds, s.fails, s.by, s.unclear = false, true, "sat", ""
		if core {
			s.core = leastRefuted(ctx, v, q, &stale.Core{Operations: ids, Lemmas: lemmas})
		}
	case cdcl.Satisfied:
		s.holds, s.by, s.unclear = true, "sat", ""
		sequence := c.Sequence(model)
		for n, k := range u.objects {
			s.orders[n] = orderIn(h, k, q, sequence)
		}
	case cdcl.Stopped:
		if ctx.Err() != nil {
			s.unclear = "the time was up"
		}
	}
}

// byLemmas adds lemmas to a core that takes too long to be tried; it reports whether it found any.
func byLemmas(ctx context.Context, v *verify.Verifier, q stale.Question, core *stale.Core) bool {
	if core == nil || core.Lemmas != nil || len(core.Operations) > mostInClauses {
		return false
	}
	c, err := v.Clauses(q, core.Operations)
	if err != nil {
		return false
	}
	status, lemmas, _ := cdcl.Refute(ctx, c)
	if status == cdcl.Refuted {
		core.Lemmas = lemmas
	}
	return status == cdcl.Refuted
}

// orderIn is the order of an object in a sequence of operations of several.
func orderIn(h *stale.History, k int, q stale.Question, sequence []history.OpID) stale.Order {
	o := &h.Objects[k]
	at := make(map[history.OpID]int32, len(o.Ops))
	for i := range o.Ops {
		at[o.Ops[i].ID] = int32(i)
	}
	var order []int32
	for _, id := range sequence {
		if i, is := at[id]; is {
			order = append(order, i)
		}
	}
	return orderOf(h, k, q, &solve.Answer{Order: order})
}

// leastRefuted leaves out of a core halves, quarters and so on, as long as the clauses about the
// rest are refuted and what is left out is in nobody's way.
func leastRefuted(ctx context.Context, v *verify.Verifier, q stale.Question, core *stale.Core) *stale.Core {
	attempts := mostAttempts
	refuted := func(ids []history.OpID) *stale.Core {
		if attempts--; attempts < 0 || len(ids) == 0 || v.Closed(ids) != nil {
			return nil
		}
		c, err := v.Clauses(q, ids)
		if err != nil {
			return nil
		}
		status, lemmas, _ := cdcl.Refute(ctx, c)
		if status != cdcl.Refuted {
			return nil
		}
		return &stale.Core{Operations: ids, Lemmas: lemmas}
	}
	for again := true; again; { // a write can be left out once the reads of it are
		again = false
		for size := (len(core.Operations) + 1) / 2; size > 0; size /= 2 {
			for to := len(core.Operations); to > 0; to -= size {
				ids := core.Operations
				to = min(to, len(ids))
				without := slices.Concat(ids[:max(0, to-size)], ids[to:])
				if less := refuted(without); less != nil {
					core, again = less, true
				}
			}
		}
	}
	return core
}
