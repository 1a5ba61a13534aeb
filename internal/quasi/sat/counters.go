package sat

// Counters under a factor: the sum of what comes before an observation in ρ″ is what it observed.
//
// What: ρ″ is an order of literals (rearranged_literals.go), and every observation adds up what
// they put before it (cnf/sums.go). Of tickets that all add 1, with nothing else, that is the slot
// itself.
//
// Source: the plain encoding of counters (encode/counter_sums.go), with the order of ρ″ in place of
// ρ′. Windows do not come from real time but from slots, so more operations are open at an
// observation.
//
// Cost: for each observation, the operations whose windows of slots overlap with its own, times the
// sums that they can make.

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"sort"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/cnf"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/quasi"
)

const summed cnf.Axiom = "what came before adds up to what is observed"

// counters is one question about one counter while it is encoded.
type counters struct {
	instance *model.Instance
	theory   *model.CountingTheory
	question *quasi.Question
	b        *cnf.Builder
	order    *rearranged
}

// counter decides a counter.
func (e *Engine) counter(ctx context.Context, p *engine.Task, t *model.CountingTheory, m *engine.Budget) (engine.Answer,
	error) {
	part := p.Instance.Partition
	if len(t.Init) != 1 || p.Quasi.Causal || !t.Exact() {
		return engine.Answer{Cause: engine.Unsupported, Detail: "slots are known of one counter within 64 bits"}, nil
	}
	if ctx.Err() != nil {
		return engine.Stopped(ctx), nil
	}
	keep := make([]history.OpID, part.Len())
	for i := range keep {
		keep[i] = history.OpID(i)
	}
	c := &counters{instance: p.Instance, theory: t, question: p.Quasi,
		b: cnf.NewBuilder(ctx, m, part.Ops, keep, nil)}
	defer c.b.Release()
	c.b.Build(e.factory, p.Instance, c)
	return c.decide()
}

// Outcomes implements cnf.Encoding.
func (c *counters) Outcomes(b *cnf.Builder) {
	for i := range b.Order.N {
		b.In[i] = cnf.True
		if c.instance.Partition.Ops[i].Pending() {
			b.In[i] = b.Fresh()
		}
	}
}

// Axioms implements cnf.Encoding.
func (c *counters) Axioms(b *cnf.Builder) {
	c.order = rearrange(b, c.instance.Class, len(c.instance.Spec.Info().Classes), c.question)
	for r := range b.Order.N {
		if c.theory.Observes[r] {
			c.observe(r)
		}
		if !b.Alive(1) {
			return
		}
	}
	c.order.oneOrder()
}

// observe adds that observation r observes the sum of what comes before it in ρ″.
func (c *counters) observe(r history.OpID) {
	b := c.b
	start := cnf.Start{Value: c.theory.Init[0], Is: cnf.True}
	var terms []cnf.Term
	for x := range b.Order.N {
		by := c.theory.Delta[x]
		if x == r || by == 0 {
			continue
		}
		switch l := b.And(b.In[x], c.order.Before(x, r)); l {
		case cnf.False:
		case cnf.True:
			start.Value += by
		default:
			terms = append(terms, cnf.Term{If: l, By: by})
		}
	}
	compare := func(x, y cnf.Term) int { return cmp.Compare(x.By, y.By) }
	sort.SliceStable(terms, func(i, j int) bool { return compare(terms[i], terms[j]) < 0 })
	b.Sum(summed, cnf.By(r), b.In[r], []cnf.Start{start}, terms, func(sum int64) bool {
		return sum == c.theory.Observed[r]
	})
}

// decide solves the formula and reads the witness.
func (c *counters) decide() (engine.Answer, error) {
	a, err := c.b.Decide(c.instance.Partition)
	if err != nil || a.Verdict != engine.Linearizable {
		return a, err
	}
	if a.Rearranged, err = c.order.read(a.Witness); err != nil {
		return engine.Answer{Effort: a.Effort}, err
	}
	return a, nil
}

// read returns ρ″, from a model and its ρ′: every operation is kept.
func (r *rearranged) read(first []history.OpID) ([]history.OpID, error) {
	if r.free {
		then := slices.Clone(first)
		slices.SortStableFunc(then, func(x, y history.OpID) int {
			if x != y && r.b.Holds(r.Before(x, y)) {
				return -1
			}
			return 1
		})
		return then, nil
	}
	slots := make([][]history.OpID, len(r.members)) // by class, in the order of ρ″
	for _, i := range first {
		slots[r.class[i]] = append(slots[r.class[i]], i)
	}
	for c := range slots {
		if r.bound[c] > 0 {
			slices.SortStableFunc(slots[c], func(x, y history.OpID) int {
				return int(valueOf(r.b, &r.slot[x])) - int(valueOf(r.b, &r.slot[y]))
			})
		}
	}
	var then []history.OpID
	for _, i := range first {
		c := r.class[i]
		if len(slots[c]) == 0 {
			return nil, errors.New("the solver returned an invalid model: it leaves a place without content")
		}
		then, slots[c] = append(then, slots[c][0]), slots[c][1:]
	}
	return then, nil
}
