package monitor

import (
	"context"

	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/model"
)

// checkCollection decides queues, stacks and priority queues with distinct values.
func checkCollection(ctx context.Context, p *engine.Problem, t *model.CollectionTheory,
	m *engine.Budget) engine.Answer {
	return admitted(ctx, p, m, t.Values, func() engine.Answer {
		n := p.Instance.Partition.Len()
		if a, ok := unordered(p.Instance, t); ok {
			return a
		}
		c, flaw, reason := collect(p.Instance, t)
		switch {
		case flaw != nil:
			return engine.Answer{Verdict: engine.NotLinearizable, Proof: flaw}
		case c == nil && (reason == twiceAtStart || reason == twiceInserted):
			if flaw := overdrawn(p.Instance, t); flaw != nil {
				return engine.Answer{Verdict: engine.NotLinearizable, Proof: flaw}
			}
			if t.Discipline == model.FIFO {
				return queueRepeated(ctx, p.Instance.Partition, t, m)
			}
			return engine.Answer{Cause: engine.Unsupported, Detail: reason}
		case c == nil:
			return engine.Answer{Cause: engine.Unsupported, Detail: reason}
		case ctx.Err() != nil:
			return engine.Stopped(ctx)
		}
		switch t.Discipline {
		case model.FIFO:
			return queue(ctx, c)
		case model.ByPriority:
			return priority(ctx, c, n)
		default:
			return stack(ctx, c, n)
		}
	})
}

// admitted decides a collection of that many values if steps and memory allow it.
func admitted(ctx context.Context, p *engine.Problem, m *engine.Budget, values int,
	decide func() engine.Answer) engine.Answer {
	n := int64(p.Instance.Partition.Len())
	need := n*bytesPerCollected + int64(values)*24
	defer m.Grow(-need)
	if !m.Grow(need) {
		return engine.Answer{Cause: engine.Memory}
	}
	if !m.Spend(n) {
		return engine.Answer{Cause: engine.Steps}
	}
	if ctx.Err() != nil {
		return engine.Stopped(ctx)
	}
	return decide()
}
