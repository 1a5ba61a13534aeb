package check

// What: causal questions about objects of any kind (consistency.Causes), of few operations.
//
// How: clauses say what an order of causes is. In a model, an order of the causes of each operation
// is looked for that the specification allows. Where there is none, most of the model does not
// matter: what is left is a case, and becomes a clause. A model in which each has an order is a
// yes, and clauses without a model, refuted, are a no. Lazy clause generation, as of SMT
// [Nieuwenhuis, Oliveras, Tinelli, JACM 2006]; what does not matter is found as by QuickXplain
// [Junker, AAAI 2004].
//
// A linearization, or an order that keeps those of processes, is an order of causes.
//
// Cost: exponential in the worst case.

import (
	"context"
	"fmt"
	"slices"
	"sort"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/consistency"
	"github.com/linsat/linsat/internal/consistency/solve"
	views "github.com/linsat/linsat/internal/consistency/verify"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/inorder"
	"github.com/linsat/linsat/internal/isolation/check"
	"github.com/linsat/linsat/internal/solver/cdcl"
	"github.com/linsat/linsat/internal/verify/base"
)

// byCauses decides a causal question.
func byCauses(ctx context.Context, c *Case, q *consistency.Question) (Answer, error) {
	h := c.History
	n := history.OpID(len(h.Ops))
	if !c.unordered {
		a, err := c.linearizable(ctx)
		if err != nil || a.Verdict == check.Holds {
			return a, err
		}
		g := consistency.ByProcess(h)
		r, err := c.Linearize(ctx, c.Spec, g, true, false)
		if err != nil {
			return a, err
		}
		if one, none := r.Certificate(g); none == nil && one.Verdict == engine.Linearizable {
			text, err := written(one)
			return Answer{Verdict: check.Holds, Certificate: &consistency.Certificate{Order: text}}, err
		}
	}
	if n > mostDistant {
		return Answer{Unclear: fmt.Sprintf("of %d operations, an order of causes is looked for among %d at most", n,
			mostDistant)}, nil
	}
	of, err := solve.NewCauses(c.Spec, h, q)
	if err != nil {
		return Answer{}, err
	}
	var cases []consistency.Impossible
	for ctx.Err() == nil {
		m := &causalModel{of, views.NewCausesFormula(h, q, cases), nil}
		status, _, model := cdcl.Refute(ctx, m.CausesFormula)
		if status != cdcl.Satisfied {
			if status == cdcl.Refuted {
				return c.noCauses(ctx, q, cases), nil
			}
			break
		}
		m.model = model
		found := &consistency.Causes{Orders: make([][]history.OpID, n)}
		known := len(cases)
		for op := range n {
			if !m.has(m.Effect(op)) {
				continue
			}
			facts := m.facts(op)
			order, decided := m.order(ctx, op, facts, base.MaxNodes)
			if !decided {
				return Answer{Unclear: "the search for an order of causes took too long"}, nil
			}
			if found.Orders[op] = order; order == nil {
				cases = append(cases, m.impossible(ctx, op, facts))
			}
		}
		if len(cases) == known {
			if q.Arbitrated() {
				found.Arbitration = m.arbitration()
			}
			return Answer{Verdict: check.Holds, Certificate: &consistency.Certificate{Causes: found}}, nil
		}
	}
	return Answer{Unclear: "the time was up"}, nil
}

// noCauses is a no with the fewest cases.
func (c *Case) noCauses(ctx context.Context, q *consistency.Question, cases []consistency.Impossible) Answer {
	why := &consistency.Causes{}
	refuted := func(cases []consistency.Impossible) bool {
		status, lemmas, _ := cdcl.Refute(ctx, views.NewCausesFormula(c.History, q, cases))
		why.Lemmas = lemmas
		return status == cdcl.Refuted
	}
	if why.Cases = fewest(nil, cases, refuted); !refuted(why.Cases) {
		why.Cases = cases
		refuted(cases)
	}
	if why.Lemmas == nil {
		return Answer{Unclear: "the time was up"}
	}
	a := Answer{Verdict: check.Fails, Certificate: &consistency.Certificate{Causes: why}}
	for _, x := range why.Cases {
		a.Results = append(a.Results, x.Op)
	}
	a.Results = inorder.Distinct(a.Results)
	return a
}

// causalModel is an order of causes that the clauses allow.
type causalModel struct {
	*solve.Causes
	*views.CausesFormula
	model []bool
}

func (m *causalModel) has(l int32) bool { return l > 0 && m.model[l] || l < 0 && !m.model[-l] }

// fact is something about the causes of an operation: that a is one or, if not is set, is none; or
// if b is not a, that a comes before b.
type fact struct {
	a, b history.OpID
	not  bool
}

// facts lists all that a model says of the causes of an operation beyond the order of processes:
// first those that say most to a reader.
func (m *causalModel) facts(op history.OpID) (facts []fact) {
	var causes []history.OpID
	var with []fact
	for i := range history.OpID(len(m.Own)) {
		is := m.has(m.Cause(i, op))
		if is && i != op {
			causes = append(causes, i)
		}
		switch {
		case i == op || m.Own[op]>>i&1 == 1 || m.Own[i]>>op&1 == 1:
		case is:
			with = append(with, fact{i, i, false})
		default:
			facts = append(facts, fact{i, i, true})
		}
	}
	facts = append(facts, with...)
	for _, a := range causes {
		for _, b := range causes {
			if a != b && m.Own[b]>>a&1 == 0 && m.has(m.Before(a, b)) {
				facts = append(facts, fact{a, b, false})
			}
		}
	}
	return facts
}

// order looks for an order of causes under which facts hold, and leaves others open.
func (m *causalModel) order(ctx context.Context, op history.OpID, facts []fact, steps int) ([]history.OpID, bool) {
	with, not, later := m.Own[op], uint64(1)<<op, make([]uint64, len(m.Own))
	for _, f := range facts {
		switch {
		case f.not:
			not |= 1 << f.a
		case f.a == f.b:
			with |= 1 << f.a
		default:
			later[f.a] |= 1 << f.b
		}
	}
	return m.Order(ctx, op, with, (1<<len(m.Own)-1)&^not, later, steps)
}

// impossible is what the facts that do not allow an order say, as few as are found.
func (m *causalModel) impossible(ctx context.Context, op history.OpID, facts []fact) consistency.Impossible {
	fails := func(steps int) func([]fact) bool {
		return func(facts []fact) bool {
			order, decided := m.order(ctx, op, facts, steps)
			return decided && order == nil
		}
	}
	if few := fewest(nil, facts, fails(mostTried)); fails(base.MaxNodes)(few) {
		facts = few
	}
	x := consistency.Impossible{Op: op}
	for _, f := range facts {
		switch {
		case f.not:
			x.Without = append(x.Without, f.a)
		case f.a == f.b:
			x.With = append(x.With, f.a)
		default:
			x.Order = append(x.Order, history.Edge{Before: f.a, After: f.b})
		}
	}
	return x
}

// arbitration lists what takes effect in the order of the model.
func (m *causalModel) arbitration() (order []history.OpID) {
	for i := range history.OpID(len(m.Own)) {
		if m.has(m.Effect(i)) {
			order = append(order, i)
		}
	}
	sort.Slice(order, func(i, j int) bool { return m.has(m.Before(order[i], order[j])) })
	return order
}

// fewest returns some of the rest without which, beside those given, fails is not true; it is of
// all.
func fewest[T any](given, rest []T, fails func([]T) bool) []T {
	if fails(given) {
		return nil
	}
	if len(rest) <= 1 {
		return rest
	}
	first, second := rest[:len(rest)/2], rest[len(rest)/2:]
	second = fewest(slices.Concat(given, first), second, fails)
	return slices.Concat(fewest(slices.Concat(given, second), first, fails), second)
}
