package portfolio

import (
	"context"

	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/model"
)

// Theories of specifications of the caller's own are derived from their states (model.Derive). That
// takes longer than the search of a partition of a few operations, and of a linearizable partition
// no theory is needed. So where there are many partitions, each is tried by the probe first, and
// gets a theory only if the probe does not find a linearization.

// theoriesLater marks the partitions whose theories are derived when they are needed.
func (p *Portfolio) theoriesLater(q *Question, parts []*model.Partition) {
	if len(parts) < manyPartitions || p.o.Engines != Auto || p.o.Sequential || q.Quasi != nil || q.Least != nil {
		return
	}
	for _, part := range parts {
		part.TheoryLater = true
	}
}

// withoutTheory decides partition i by the probe, if its theory is for later; ok reports whether
// the partition is linearizable. If not, bounds[i] is bound again, with a theory.
func (p *Portfolio) withoutTheory(ctx context.Context, q *Question, bounds []*model.Instance, i int, b *engine.Budget) (d decision, ok bool, err error) {
	part := bounds[i].Partition
	if !part.TheoryLater || bounds[i].Theory != nil {
		return decision{}, false, nil
	}
	d, err = p.probe(ctx, &engine.Task{Instance: bounds[i]}, b)
	if err != nil || d.Verdict == engine.Linearizable {
		return d, err == nil, err
	}
	part.TheoryLater = false
	bounds[i], err = engine.Bind(q.Spec, part)
	return decision{}, false, err
}
