package portfolio

import (
	"context"

	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/model"
)

// Theories of specifications of the caller's own are derived from their states (model.Derive). That
// takes longer than the search of a partition of a few operations, and of a linearizable partition
// no theory is needed. The same holds for a key that is appended to, of which monitors only
// refute some.
// So where there are several partitions, or one is small, each is tried by the probe first, and
// gets a theory only if the probe does not find a linearization, or if a violation is to be
// explained.

// theoriesLater marks the partitions whose theories are derived when they are needed.
func (p *Portfolio) theoriesLater(q *Question, parts []*model.Partition) {
	if p.o.Engines != Auto || p.o.Sequential || q.Quasi != nil || q.Least != nil {
		return
	}
	for _, part := range parts {
		part.TheoryLater = len(parts) >= manyPartitions || part.Len() <= smallPartition
	}
}

// withoutTheory decides partition i, whose theory is for later. The probe comes first. If it does
// not say all that is asked, bounds[i] is bound again, with a theory, and the race goes on from
// there.
func (p *Portfolio) withoutTheory(ctx context.Context, q *Question, bounds []*model.Instance, i int, b *engine.Budget,
	probe func() (decision, error)) (d decision, err error) {
	part := bounds[i].Partition
	probed, err := probe()
	if err != nil || probed.Verdict == engine.Linearizable || probed.Verdict == engine.NotLinearizable &&
		p.o.VerdictOnly {
		return probed, err
	}
	part.TheoryLater = false
	if bounds[i], err = engine.Bind(q.Spec, part); err != nil {
		return decision{}, err
	}
	return p.raceWith(ctx, &engine.Task{Instance: bounds[i]}, b, func() (decision, error) { return probed, nil })
}
