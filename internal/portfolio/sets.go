package portfolio

import (
	"context"
	"slices"

	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/quasi/setsearch"
)

// bySets decides a partition under a factor that bounds sets of operations. Such bounds only
// restrict ρ″, so a violation without them is one with them, and its proof holds. A witness found
// without them counts if it is within them, too, as one is that moves nothing by more than the
// least of them, where they are parts of classes. A set whose values alone violate its bound
// refutes a history of any length. Otherwise the search for sets decides.
func (p *Portfolio) bySets(ctx context.Context, q *engine.Task, b *engine.Budget) (decision, error) {
	base := *q.Quasi
	base.Sets = nil
	d, err := p.one(ctx, &engine.Task{Instance: q.Instance, Quasi: &base}, b)
	if err != nil || d.Verdict == engine.NotLinearizable {
		return d, err
	}
	if d.Verdict == engine.Linearizable && replay(q, d.Answer) == nil {
		return d, nil
	}
	least := base
	least.Factor = slices.Clone(base.Factor)
	for _, set := range q.Quasi.Sets {
		for c := range least.Factor {
			least.Factor[c] = min(least.Factor[c], set.Bound)
		}
	}
	if x, err := p.one(ctx, &engine.Task{Instance: q.Instance, Quasi: &least}, b); err != nil {
		return d, err
	} else if x.Verdict == engine.Linearizable && replay(q, x.Answer) == nil {
		return x, nil
	}
	if x, refuted, err := p.setRefuted(ctx, q, b); refuted || err != nil {
		x.Effort = x.Effort.Add(d.Effort)
		return x, err
	}
	if p.o.Engines != Search && p.o.Engines != Auto && p.o.Engines != All {
		d.Answer = engine.Answer{Cause: engine.Unsupported, Detail: "bounds on sets of operations that are no classes",
			Effort: d.Effort}
		return d, nil
	}
	e := setsearch.New()
	x := decision{engine: e.Name()}
	if x.Answer, err = e.Check(ctx, q, b); err != nil {
		return x, err
	}
	x.Effort = x.Effort.Add(d.Effort)
	return x, replayed(q, &x)
}
