package verify

// Causes of operations of objects of any kind (consistency.Causes).
//
// What: of a yes each operation has an order, which the specification allows, of its causes; what
// is a cause of a cause is one. Of a no the specification allows none of some cases, and clauses
// say that every order has one of these.
//
// How: what a case allows is looked for in layers, by how many causes are done.
//
// Cost: of a case exponential in how many operations it leaves open, up to base.MaxNodes.

import (
	"context"
	"slices"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/consistency"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/verify/base"
	"github.com/linsat/linsat/internal/verify/clausal"
)

// CausesFormula are the clauses about an order of causes in which no case is.
type CausesFormula struct {
	*clausal.Formula
	n       history.OpID
	ordered clausal.Lit // before the first of the variables of arbitration, 0 without
}

// Cause is the literal that a is a cause of b.
func (f *CausesFormula) Cause(a, b history.OpID) clausal.Lit { return 1 + clausal.Lit(f.n*a+b) }

// Effect is the literal that an operation takes effect.
func (f *CausesFormula) Effect(a history.OpID) clausal.Lit { return f.Cause(a, a) }

// Before is the literal that a comes before b where both are causes of one operation.
func (f *CausesFormula) Before(a, b history.OpID) clausal.Lit {
	switch {
	case f.ordered == 0:
		return f.Cause(a, b)
	case a > b:
		return -f.Before(b, a)
	}
	return f.ordered + clausal.Lit(f.n*a+b)
}

// NewCausesFormula makes them.
func NewCausesFormula(h *history.History, q *consistency.Question, cases []consistency.Impossible) *CausesFormula {
	f := &CausesFormula{Formula: clausal.NewFormula(), n: history.OpID(len(h.Ops))}
	all := clausal.Lit(f.n * f.n)
	if f.Fresh(all); q.Arbitrated() {
		f.ordered = f.Fresh(all)
	}
	for a := range f.n {
		if !h.Ops[a].Pending() {
			f.Add("it returned", clausal.By(a), f.Effect(a))
		}
		for b := range f.n {
			if a == b {
				continue
			}
			f.Add("causes take effect", clausal.By(a, b), -f.Cause(a, b), f.Effect(a))
			f.Add("no operation is a cause of itself", clausal.By(a, b), -f.Cause(a, b), -f.Cause(b, a))
			if a < b && h.Ops[a].Process == h.Ops[b].Process {
				f.Add("order of a process", clausal.By(a, b), f.Cause(a, b))
			}
			if f.ordered > 0 {
				f.Add("arbitration has causes first", clausal.By(a, b), -f.Cause(a, b), f.Before(a, b))
			}
			for c := range f.n {
				if c == a || c == b {
					continue
				}
				f.Add("causes of causes", clausal.By(a, b, c), -f.Cause(a, b), -f.Cause(b, c), f.Cause(a, c))
				if f.ordered > 0 && a < c {
					f.Add("arbitration is an order", clausal.By(a, b, c), -f.Before(a, b), -f.Before(b, c),
						f.Before(a, c))
				}
			}
		}
	}
	for k := range cases {
		x := &cases[k]
		not := []clausal.Lit{-f.Effect(x.Op)}
		for _, i := range x.With {
			not = append(not, -f.Cause(i, x.Op))
		}
		for _, i := range x.Without {
			not = append(not, f.Cause(i, x.Op))
		}
		for _, e := range x.Order {
			not = append(not, -f.Before(e.Before, e.After))
		}
		f.Add("a case is impossible", clausal.By(x.Op), not...)
	}
	return f
}

// causes judges what is said of a history.
type causes struct {
	spec model.Spec
	h    *history.History
	q    *consistency.Question
}

// CheckCauses checks causes of a yes or a no, and reports which it is.
func CheckCauses(ctx context.Context, s model.Spec, h *history.History, q *consistency.Question,
	c *consistency.Causes) (holds bool, err error) {
	j := &causes{s, h, q}
	if len(c.Lemmas) == 0 {
		return true, base.Under("causes", j.orders(c))
	}
	if len(h.Ops) > 64 {
		return false, base.ErrTooLarge
	}
	for k := range c.Cases {
		if err := j.impossible(ctx, &c.Cases[k]); err != nil {
			return false, base.Under("causes", err)
		}
	}
	return false, NewCausesFormula(h, q, c.Cases).Check(ctx, c.Lemmas)
}

// orders checks the orders of a yes.
func (j *causes) orders(c *consistency.Causes) error {
	if len(c.Orders) != len(j.h.Ops) {
		return base.Faultf("", "%d orders of %d operations", len(c.Orders), len(j.h.Ops))
	}
	for k, order := range c.Orders {
		op := history.OpID(k)
		name := j.h.ID(op)
		if len(order) == 0 {
			if !j.h.Ops[op].Pending() {
				return base.Faultf(name, "it returned and has no order")
			}
			continue
		}
		if order[len(order)-1] != op {
			return base.Faultf(name, "its order does not end with it")
		}
		there := map[history.OpID]bool{}
		for _, i := range order {
			if i < 0 || int(i) >= len(c.Orders) || there[i] || len(c.Orders[i]) == 0 {
				return base.Faultf(name, "its order has %d twice, or it does not take effect", i)
			}
			for _, cause := range c.Orders[i] {
				if !there[cause] && cause != i {
					return base.Faultf(name, "%d is a cause of %d and not before it in the order", cause, i)
				}
			}
			there[i] = true
		}
		for i := range op {
			if j.h.Ops[i].Process == j.h.Ops[op].Process && !there[i] {
				return base.Faultf(name, "operation %d is before it in its process and no cause", i)
			}
		}
		if j.q.Arbitrated() {
			kept := slices.DeleteFunc(slices.Clone(c.Arbitration), func(i history.OpID) bool { return !there[i] })
			if !slices.Equal(kept, order) {
				return base.Faultf(name, "its order is not that of arbitration")
			}
		}
		if err := j.replay(op, order); err != nil {
			return err
		}
	}
	return nil
}

// machine is the specification for what an operation knows.
func (j *causes) machine(op history.OpID) (model.Machine, error) {
	b, err := j.spec.Bind(model.Whole(j.q.Known(j.h, op)))
	if err != nil {
		return nil, err
	}
	return b.NewMachine(), nil
}

// replay checks that the specification allows an order.
func (j *causes) replay(op history.OpID, order []history.OpID) error {
	m, err := j.machine(op)
	if err != nil {
		return err
	}
	states := []model.State{m.Init()}
	for _, i := range order {
		var next []model.State
		for _, s := range states {
			next = m.Step(s, i, next)
		}
		slices.Sort(next)
		if states = slices.Compact(next); len(states) == 0 {
			return base.Faultf(j.h.ID(op), "its order is not allowed at operation %d", i)
		}
	}
	return nil
}

// impossible checks that a case has no order.
func (j *causes) impossible(ctx context.Context, x *consistency.Impossible) error {
	n := history.OpID(len(j.h.Ops))
	with, without, first := map[history.OpID]bool{}, map[history.OpID]bool{}, make([]uint64, n)
	for _, i := range x.With {
		with[i] = true
	}
	for _, i := range x.Without {
		without[i] = true
	}
	named := append(append([]history.OpID{x.Op}, x.With...), x.Without...)
	for _, e := range x.Order {
		named = append(named, e.Before, e.After)
	}
	if slices.Min(named) < 0 || slices.Max(named) >= n || with[x.Op] {
		return base.Faultf("", "a case of operation %d names what there is not, or it as its own cause", x.Op)
	}
	all := uint64(0)
	for i := range n {
		same := j.h.Ops[i].Process == j.h.Ops[x.Op].Process
		if same && i < x.Op || with[i] {
			all |= 1 << i
		}
		if same && i >= x.Op {
			without[i] = true
		}
		for k := range i {
			if j.h.Ops[i].Process == j.h.Ops[k].Process {
				first[i] |= 1 << k
			}
		}
	}
	m, err := j.machine(x.Op)
	if err != nil {
		return err
	}
	type place struct {
		done  uint64
		state model.State
	}
	layer, places := map[place]bool{{0, m.Init()}: true}, 0
	for len(layer) > 0 && ctx.Err() == nil {
		next := map[place]bool{}
		for at := range layer {
			if all&^at.done == 0 && len(m.Step(at.state, x.Op, nil)) > 0 {
				return base.Faultf(j.h.ID(x.Op), "a case is possible")
			}
			for i := range n {
				late := slices.ContainsFunc(x.Order, func(e history.Edge) bool {
					return e.Before == i && at.done>>e.After&1 == 1
				})
				if late || without[i] || at.done>>i&1 == 1 || first[i]&^at.done != 0 {
					continue
				}
				for _, s := range m.Step(at.state, i, nil) {
					next[place{at.done | 1<<i, s}] = true
				}
			}
		}
		layer = next
		if places += len(layer); places > base.MaxNodes {
			return base.ErrTooLarge
		}
	}
	return context.Cause(ctx)
}
