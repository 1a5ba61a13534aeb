package widening

// Widening: a factor as wider operations.
//
// What: under slots, an operation that may move by K places within its class takes effect in ρ″ at
// most K places of its class away from its place in ρ′. Give the operations of ρ′ moments in their
// intervals. Let c completed operations of the class return before operation r is called. If j
// pending ones are before r in ρ′, its place in ρ″ is 1 + c + j - K or later. At most j of the
// places up to it that are before r are pending, so that moment is not before the call with number
// 1 + c - K of completed operations, or not before r is called. In the same way, with c completed
// ones called before r returns, it is not behind the return with number c + K, or not behind that
// of r. Pending operations need not be counted. With such calls and returns, ρ″ is a linearization.
// What may not move has its place in both.
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
	"slices"
	"sort"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/quasi"
)

// group is the operations of one class on one object.
type group struct {
	class   model.ClassID
	bound   int32
	calls   []history.Rank // of completed operations, sorted
	returns []history.Rank // of completed operations, sorted
	one     history.Op     // the one that is called first
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
	if q.Drain && b.Items.Delta != nil {
		for _, g := range groups {
			if !g.drained(b.Spec.Info()) {
				continue
			}
			for range min(2*int64(g.bound), int64(len(given.Ops)+b.Items.Stored)) {
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
		object model.ObjectID
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
			g = &group{bound: q.Factor[c], class: c, one: ops[i]}
			at[place{object[i], c}], groups = g, append(groups, g)
		}
		of[i] = g
		if !ops[i].Pending() {
			g.calls = append(g.calls, ops[i].Call)
			g.returns = append(g.returns, ops[i].Return)
		}
	}
	for _, g := range groups {
		slices.Sort(g.returns)
	}
	return groups, of
}

// widen gives an operation of g the call and the return that its effect in ρ″ may have.
func (g *group) widen(o *history.Op, end history.Rank) {
	before, _ := slices.BinarySearch(g.returns, o.Call)
	first := 1 + int64(before) - int64(g.bound)
	o.Call = min(o.Call, g.earliest(first))
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

// earliest returns the call with a number of completed operations, or for a number below 1 the
// first call of all.
func (g *group) earliest(number int64) history.Rank {
	if number < 1 || number > int64(len(g.calls)) {
		return g.one.Call
	}
	return g.calls[number-1]
}

// drained reports whether drains are of the class of g.
func (g *group) drained(info model.Info) bool {
	return info.Drain != "" && slices.Contains(info.Classes[g.class].Operations, info.Drain)
}

// drain returns a removal that stands for a drain.
func (g *group) drain() history.Op {
	o := g.one
	o.Arg, o.Result, o.Unknown, o.NoResult, o.Return = history.Nil, history.Nil, true, false, history.Never
	o.Call = g.earliest(1 + int64(len(g.returns)) - int64(g.bound))
	return o
}

// renumber sorts the operations by call and gives all calls and returns ranks of their own, in the
// same order.
func renumber(p *model.Partition) {
	order := make([]int, len(p.Ops))
	for i := range order {
		order[i] = i
	}
	sort.SliceStable(order, func(i, j int) bool { return p.Ops[order[i]].Call < p.Ops[order[j]].Call })
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
	sort.SliceStable(ranks, func(i, j int) bool { return *ranks[i] < *ranks[j] })
	for k, r := range ranks {
		*r = history.Rank(k)
	}
	p.Ops, p.Index = ops, index
}
