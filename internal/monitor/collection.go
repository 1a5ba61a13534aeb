package monitor

import (
	"context"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/proof"
)

// collection decides queues, stacks and priority queues with distinct values.
func collection(ctx context.Context, p *engine.Problem, m *engine.Budget) engine.Answer {
	t, ok := p.Instance.Theory.(*model.CollectionTheory)
	if !ok {
		return engine.Answer{Cause: engine.Unsupported}
	}
	return admitted(ctx, p, m, t.Values, func() engine.Answer {
		n := p.Instance.Partition.Len()
		c, flaw, reason := collect(p.Instance)
		switch {
		case flaw != nil:
			return engine.Answer{Verdict: engine.NotLinearizable, Proof: flaw}
		case c == nil && (reason == twiceAtStart || reason == twiceInserted):
			if flaw := neverInserted(p.Instance, t); flaw != nil {
				return engine.Answer{Verdict: engine.NotLinearizable, Proof: flaw}
			}
			if t.Discipline == model.FIFO {
				return queueRepeated(ctx, p.Instance, m)
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

// admitted decides a collection of so many values if steps and memory allow it.
func admitted(ctx context.Context, p *engine.Problem, m *engine.Budget, values int, decide func() engine.Answer) engine.Answer {
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

// neverInserted refutes a collection by a value that a completed operation removed or saw though no
// operation inserts it; nil if there is none. Other values may be inserted any number of times.
func neverInserted(b *model.Instance, t *model.CollectionTheory) *proof.CollectionConflict {
	inserted := make([]bool, t.Values)
	for _, v := range t.Initial[0] {
		inserted[v] = true
	}
	for i, v := range t.Value {
		if t.Does[i] == model.Insert {
			inserted[v] = true
		}
	}
	for i, v := range t.Value {
		if v >= 0 && !inserted[v] && !b.Partition.Ops[i].Pending() {
			flaw := refutation(proof.NeverInserted, v)
			flaw.Op = history.OpID(i)
			return flaw
		}
	}
	return nil
}
