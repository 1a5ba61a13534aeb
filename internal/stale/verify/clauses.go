package verify

// Clauses.
//
// What: what holds of every order of some operations, of one object or of several, under a question
// about late or moved reads: the order of time and that which is stated, what takes effect, which
// version an operation finds, and that no more versions are between than the bound.
//
// Why it is right: an order is total, so what comes between by others that are not among the
// operations is left out, which only allows more; Core says which operations may be left out.
//
// Cost: clauses in the third power of the operations that overlap.

import (
	"cmp"
	"slices"
	"sort"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/stale"
	"github.com/linsat/linsat/internal/verify/base"
	"github.com/linsat/linsat/internal/verify/clausal"
)

// Clauses are clauses about an order of operations.
type Clauses struct {
	*clausal.Formula
	nodes []node // by call
	order *clausal.Order
}

// node is an operation, called at a rank that is that of Op or, if it is moved, an earlier one.
type node struct {
	*stale.Op
	object int32 // silent if it says nothing
	call   history.Rank
	modes  []clausal.Lit // by mode: that it takes effect so
}

// version is what a mode of an operation leaves behind.
type version struct {
	op    history.OpID // in Clauses.nodes
	value int32
	made  clausal.Lit
}

// The axioms.
const (
	stated  clausal.Axiom = "the stated order"
	takes   clausal.Axiom = "what returned takes effect in one of its ways"
	finds   clausal.Axiom = "what it says that it found is there"
	between clausal.Axiom = "no more versions are between than the bound"
)

// nodesOf returns operations of the history by their calls under q.
func (v *Verifier) nodesOf(q stale.Question, ids []history.OpID) ([]node, error) {
	j := &judged{Verifier: v, q: q}
	nodes := make([]node, 0, len(ids))
	for _, id := range ids {
		if id < 0 || int(id) >= len(v.objects) || v.objects[id] == nowhere {
			return nil, base.Faultf(j.name(id), "it is not one of the operations that are asked about")
		}
		n := node{object: v.objects[id]}
		if n.object == silent {
			n.Op = &v.h.Silent[v.places[id]]
		} else {
			n.Op = &v.h.Objects[n.object].Ops[v.places[id]]
		}
		n.call = n.Call
		nodes = append(nodes, n)
	}
	if q.Kind == stale.Moved && q.Bound > 0 {
		var returns []*stale.Op
		for _, n := range nodes {
			if !n.Pending() {
				returns = append(returns, n.Op)
			}
		}
		sort.Slice(returns, func(i, j int) bool { return returns[i].Return < returns[j].Return })
		for i := range nodes {
			if n := &nodes[i]; n.Read {
				k := sort.Search(len(returns), func(k int) bool { return !j.precedes(returns[k], n.Op) })
				if k < len(returns) {
					n.call = min(n.call, returns[k].Return)
				}
			}
		}
	}
	sort.Slice(nodes, func(i, j int) bool {
		a, b := nodes[i], nodes[j]
		return cmp.Or(cmp.Compare(a.call, b.call), cmp.Compare(a.ID, b.ID)) < 0
	})
	return nodes, nil
}

// Clauses returns the clauses about the operations named. They have no model if these have no
// order as the question asks for.
func (v *Verifier) Clauses(q stale.Question, ids []history.OpID) (*Clauses, error) {
	if q.Kind > stale.Moved {
		return nil, base.Faultf("", "there are no clauses about %v", q)
	}
	nodes, err := v.nodesOf(q, ids)
	if err != nil {
		return nil, err
	}
	c := &Clauses{Formula: clausal.NewFormula(), nodes: nodes}
	at := map[history.OpID]history.OpID{}
	ops := make([]history.Op, len(nodes))
	for i := range nodes {
		if _, twice := at[nodes[i].ID]; twice {
			return nil, base.Faultf((&judged{Verifier: v}).name(nodes[i].ID), "it is named twice")
		}
		at[nodes[i].ID] = history.OpID(i)
		ops[i] = history.Op{Call: nodes[i].call, Return: nodes[i].Return}
	}
	c.order = c.Order(ops)
	versions := map[int32][]version{}
	for i := range nodes {
		n := &nodes[i]
		c.effects(n)
		for k, m := range n.Modes {
			if n.object != silent && m.Leaves != model.Keep {
				versions[n.object] = append(versions[n.object], version{history.OpID(i), m.Leaves, n.modes[k]})
			}
		}
	}
	for _, e := range v.h.From.Edges {
		a, isA := at[e.Before]
		b, isB := at[e.After]
		if !isA || !isB {
			continue
		}
		for _, x := range nodes[a].modes {
			for _, y := range nodes[b].modes {
				c.Add(stated, clausal.By(a, b), -x, -y, c.order.Before(a, b))
			}
		}
	}
	for i := range nodes {
		n := &nodes[i]
		if n.object == silent {
			continue
		}
		bound := int64(0)
		if q.Kind == stale.Late && n.Read {
			bound = q.Bound
		}
		for k, m := range n.Modes {
			if m.Test != model.Any {
				c.found(history.OpID(i), m, n.modes[k], v.h.Objects[n.object].Initial, versions[n.object], bound)
			}
		}
	}
	if !c.Step(0) {
		return nil, base.ErrTooLarge
	}
	return c, nil
}

// effects adds the literals of an operation.
func (c *Clauses) effects(n *node) {
	switch {
	case n.object == silent, !n.Pending() && len(n.Modes) == 1:
		n.modes = []clausal.Lit{clausal.True}
		return
	}
	for range n.Modes {
		n.modes = append(n.modes, c.Fresh(1))
	}
	if !n.Pending() {
		c.Add(takes, clausal.By(), n.modes...)
	}
}

// found adds that operation i, if it takes effect by a mode, finds a version that this allows, and
// how many versions may come between.
func (c *Clauses) found(i history.OpID, m model.Mode, effect clausal.Lit, initial int32, versions []version,
	bound int64) {
	type source struct {
		from clausal.Lit
		op   history.OpID // -1 for the start
	}
	var sources []source
	some := []clausal.Lit{-effect}
	add := func(op history.OpID) clausal.Lit {
		from := c.Fresh(1)
		sources, some = append(sources, source{from, op}), append(some, from)
		return from
	}
	if m.Allows(initial) {
		add(-1)
	}
	for _, x := range versions {
		if x.op != i && m.Allows(x.value) && c.order.Before(x.op, i) != clausal.False {
			from := add(x.op)
			c.Add(finds, clausal.By(i, x.op), -from, x.made)
			c.Add(finds, clausal.By(i, x.op), -from, c.order.Before(x.op, i))
		}
	}
	c.Add(finds, clausal.By(i), some...)
	if bound >= int64(len(versions)) {
		return
	}
	var counted []clausal.Lit
	last := history.OpID(-1)
	for _, y := range versions {
		if y.op == i || c.order.Before(y.op, i) == clausal.False {
			continue
		}
		is := clausal.False
		if bound > 0 {
			if y.op != last { // modes of one operation are one version
				counted, last = append(counted, c.Fresh(1)), y.op
			}
			is = counted[len(counted)-1]
		}
		for _, s := range sources {
			after := clausal.True
			if s.op >= 0 {
				after = c.order.Before(s.op, y.op)
			}
			if s.op != y.op {
				c.Add(between, clausal.By(i, s.op, y.op), -s.from, -y.made, -after, -c.order.Before(y.op, i), is)
			}
		}
	}
	if bound > 0 {
		n := c.Count(clausal.By(i), counted, 0)
		c.Add(between, clausal.By(i), -effect, n.AtMost(int32(bound)))
	}
}

// Sequence returns the operations that take effect under a model, by its order, without those that
// say nothing.
func (c *Clauses) Sequence(model []bool) []history.OpID {
	holds := func(l clausal.Lit) bool {
		return l == clausal.True || l != clausal.False && (l > 0 && model[l] || l < 0 && !model[-l])
	}
	place, all := make([]int, len(c.nodes)), []int{}
	for i := range c.nodes {
		for k := range c.nodes {
			if i != k && holds(c.order.Before(history.OpID(k), history.OpID(i))) {
				place[i]++
			}
		}
		if c.nodes[i].object != silent && (!c.nodes[i].Pending() || slices.ContainsFunc(c.nodes[i].modes, holds)) {
			all = append(all, i)
		}
	}
	sort.Slice(all, func(i, j int) bool { return place[all[i]] < place[all[j]] })
	ids := make([]history.OpID, len(all))
	for k, i := range all {
		ids[k] = c.nodes[i].ID
	}
	return ids
}
