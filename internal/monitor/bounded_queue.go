package monitor

// Queues of limited capacity.
//
// What: what such a queue allows, one of unlimited capacity allows as well, without the operations
// that found no room or counted (model.Instance.Taken). So what refutes the one refutes the other.
// Where there is nothing to refute, the capacity decides, and that is left to the search.
//
// Source: ours; the monitors of queues, over a queue that allows more.
//
// Invariant: a conflict that is found is one for the verifier, which leaves out the same
// operations.
//
// Cost: that of queue.go or queue_repeated.go.

import (
	"context"

	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/model"
)

// checkBoundedQueue refutes a queue by the queue t that allows more, or leaves it open.
func checkBoundedQueue(ctx context.Context, p *engine.Problem, t *model.CollectionTheory,
	m *engine.Budget) engine.Answer {
	return admitted(ctx, p, m, t.Values, func() engine.Answer { return boundedQueue(ctx, p.Instance, t, m) })
}

func boundedQueue(ctx context.Context, b *model.Instance, t *model.CollectionTheory, m *engine.Budget) engine.Answer {
	a := onlyOverdrawn(b, t, "the capacity of a queue is left to the search")
	if a.Verdict != engine.Unknown {
		return a
	}
	c, flaw, reason := collect(b, t)
	switch {
	case flaw != nil:
		return engine.Answer{Verdict: engine.NotLinearizable, Proof: flaw}
	case ctx.Err() != nil:
		return engine.Stopped(ctx)
	}
	var wide engine.Answer
	switch {
	case c != nil:
		wide = queue(ctx, c)
	case reason == twiceAtStart || reason == twiceInserted:
		wide = queueRepeated(ctx, b.Partition, t, m)
	default:
		return a
	}
	if wide.Verdict == engine.NotLinearizable {
		return wide
	}
	a.Effort = wide.Effort
	return a
}
