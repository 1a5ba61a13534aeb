package widening

// Widening: a factor as wider operations.
//
// What: under slots, an operation that may move by K places within its class takes effect in ρ″ at
// most K places of its class away from its place in ρ′. Give the operations of ρ′ moments in their
// intervals. The s-th place of a class comes at the s-th call of the class or later, and at the
// s-th return or sooner; the place of an operation lies between 1 + those of its class that
// returned before its call and those that were called before its return. So the moment of its
// effect in ρ″ lies between the call with number (its first place - K) and the return with number
// (its last place + K). With such calls and returns, ρ″ is a linearization. What may not move has
// its place in both.
//
// Removals that never returned make these ranges wide. One that finds nothing can be left out of ρ′
// and ρ″: no other then moves by more. The others take items that no completed removal takes. Of
// those in the first s places of ρ′, all but K have their content in the first s places of ρ″, so
// it was inserted by then. So by any moment at most as many count as there are such items whose
// insertions were called, and K more (limits.go).
//
// Drains come last in ρ′, so their effects come at the call with number (completed operations of
// the class + 1 - K) or later. Only 2K of them may come before an operation of the history, K
// before the last place of ρ′ and K among those after it; they are added as operations that never
// returned.
//
// Left out: the order of the places among each other. So a history that is not quasi-linearizable
// may have a widening that is linearizable.
//
// Source: ours; the ranks are those of internal/quasi/search/windows.go.
//
// Cost: O(n log n).

import (
	"cmp"
	"slices"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/quasi"
)

// group is the operations of one class on one object.
type group struct {
	class   model.ClassID
	bound   int32
	calls   []history.Rank // by place: the earliest moment, sorted
	returns []history.Rank // of completed operations, sorted
	some    int            // the position of one of them
	one     history.Op     // that one
}

// Of returns the widened partition of b. It returns nil if there is explicit order, if the meaning
// is not slots, or if nothing may move.
func Of(b *model.Instance, q *quasi.Question) *model.Partition {
	given := b.Partition
	if q.Meaning != quasi.Slots || len(given.Edges) > 0 || b.Class == nil {
		return nil
	}
	groups, of := collect(b, q)
	if len(groups) == 0 {
		return nil
	}
	wide := *given
	wide.Ops, wide.Index = slices.Clone(given.Ops), make([]history.OpID, len(given.Ops))
	end := given.End()
	for i := range wide.Ops {
		wide.Index[i] = given.Global(history.OpID(i))
		if of[i] != nil {
			of[i].widen(&wide.Ops[i], end)
		}
	}
	if q.Drain && b.ItemDelta != nil {
		for _, g := range groups {
			if !g.drained(b.Spec.Info()) {
				continue
			}
			for range min(2*int64(g.bound), int64(len(given.Ops)+b.Stored)) {
				wide.Ops, wide.Index = append(wide.Ops, g.drain()), append(wide.Index, -1)
			}
		}
	}
	renumber(&wide)
	return &wide
}

// collect finds the operations that may move, by class and object, and the group of each.
func collect(b *model.Instance, q *quasi.Question) (groups []*group, of []*group) {
	type place struct {
		object int32
		class  model.ClassID
	}
	object, _ := b.Objects()
	ops := b.Partition.Ops
	at := map[place]*group{}
	of = make([]*group, len(ops))
	for i := range ops {
		c := b.Class[i]
		if c < 0 || int(c) >= len(q.Factor) || q.Factor[c] == 0 {
			continue
		}
		g := at[place{object[i], c}]
		if g == nil {
			g = &group{bound: q.Factor[c], class: c, some: i, one: ops[i]}
			at[place{object[i], c}], groups = g, append(groups, g)
		}
		of[i] = g
		g.calls = append(g.calls, ops[i].Call)
		if !ops[i].Pending() {
			g.returns = append(g.returns, ops[i].Return)
		}
	}
	t := b.Taken()
	for _, g := range groups {
		slices.Sort(g.returns)
		if t != nil && len(t.Initial) == 1 && b.ItemDelta[g.some] < 0 {
			g.limitPending(ops, of, t)
		}
	}
	return groups, of
}

// widen gives an operation of g the call and the return that its effect in ρ″ may have.
func (g *group) widen(o *history.Op, end history.Rank) {
	before, _ := slices.BinarySearch(g.returns, o.Call)
	first := 1 + int64(before) - int64(g.bound)
	o.Call = min(o.Call, g.calls[max(1, first)-1])
	if o.Pending() {
		return
	}
	last, _ := slices.BinarySearch(g.calls, o.Return)
	if at := int64(last) + int64(g.bound); at <= int64(len(g.returns)) {
		o.Return = max(o.Return, g.returns[at-1])
	} else {
		o.Return = end
	}
}

// drained reports whether drains are of the class of g.
func (g *group) drained(info model.Info) bool {
	return info.Drain != "" && slices.Contains(info.Classes[g.class].Operations, info.Drain)
}

// drain returns a removal that stands for a drain.
func (g *group) drain() history.Op {
	o := g.one
	o.Arg, o.Result, o.Unknown, o.NoResult, o.Return = history.Nil, history.Nil, true, false, history.Never
	o.Call = g.calls[max(0, int64(len(g.returns))-int64(g.bound))]
	return o
}

// renumber sorts the operations by call and gives all calls and returns ranks of their own, in the
// same order.
func renumber(p *model.Partition) {
	order := make([]int, len(p.Ops))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(x, y int) int { return cmp.Compare(p.Ops[x].Call, p.Ops[y].Call) })
	ops, index := make([]history.Op, len(order)), make([]history.OpID, len(order))
	var ranks []*history.Rank
	for k, i := range order {
		ops[k], index[k] = p.Ops[i], p.Index[i]
	}
	for k := range ops {
		ranks = append(ranks, &ops[k].Call)
	}
	for k := range ops {
		if !ops[k].Pending() {
			ranks = append(ranks, &ops[k].Return)
		}
	}
	slices.SortStableFunc(ranks, func(x, y *history.Rank) int { return cmp.Compare(*x, *y) })
	for k, r := range ranks {
		*r = history.Rank(k)
	}
	p.Ops, p.Index = ops, index
}
