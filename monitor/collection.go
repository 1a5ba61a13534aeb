package monitor

import (
	"context"

	"github.com/linsat/linsat/check"
	"github.com/linsat/linsat/spec"
)

// bytesPerCollected is what the monitors of collections take for one operation, by measurement.
const bytesPerCollected = 120

// collection decides queues, stacks and priority queues with distinct values.
func collection(ctx context.Context, p *check.Problem, m *check.Meter) check.Answer {
	t, ok := p.Bound.Theory.(*spec.Collection)
	if !ok {
		return check.Answer{Cause: check.NotMine}
	}
	n := int64(p.Bound.Part.Len())
	need := n*bytesPerCollected + int64(t.Values)*24
	defer m.Grow(-need)
	if !m.Grow(need) {
		return check.Answer{Cause: check.Memory}
	}
	if !m.Spend(n) {
		return check.Answer{Cause: check.Steps}
	}
	if ctx.Err() != nil {
		return check.Stopped(ctx)
	}
	c, flaw, reason := collect(p.Bound)
	switch {
	case flaw != nil:
		return check.Answer{Verdict: check.NotLinearizable, Evidence: flaw}
	case c == nil:
		return check.Answer{Cause: check.NotMine, Detail: reason}
	case ctx.Err() != nil:
		return check.Stopped(ctx)
	}
	switch t.Discipline {
	case spec.FIFO:
		return queue(ctx, c)
	case spec.ByPriority:
		return priority(ctx, c, int(n))
	default:
		return stack(ctx, c, int(n))
	}
}
