package portfolio

import (
	"context"

	"github.com/linsat/linsat/internal/engine"
)

// probe lets the search try for a few steps, on the caller's goroutine. Most small partitions are
// decided here. Under a factor the search is too slow for that, and there is no probe.
func (p *Portfolio) probe(ctx context.Context, q *engine.Task, b *engine.Budget) (decision, error) {
	if q.Quasi != nil {
		return decision{}, nil
	}
	steps := probeSteps + probeEach*int64(q.Instance.Partition.Len())
	return sequential(ctx, []engine.Decider{p.probing}, q, b.Share(steps))
}
