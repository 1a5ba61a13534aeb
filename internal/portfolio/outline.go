package portfolio

import (
	"context"
	"sync"

	"github.com/linsat/linsat/internal/engine"
)

// What is known of a collection before it is bound is all that monitors look at. So they are asked
// first, and where they refute and the verdict alone is asked for, it is never bound.

// outlined asks the monitors about partition i, which is not bound yet. known is their answer,
// whose witness is not replayed, or nil if they were not asked; refuted says that no more is asked.
func (p *Portfolio) outlined(ctx context.Context, q *Question, d *deciding, i int, b *engine.Budget) (known *decision,
	refuted bool, err error) {
	if p.o.Engines != Auto || p.o.Sequential || q.Quasi != nil {
		return nil, false, nil
	}
	outline := engine.Outline(d.bind[i])
	if outline == nil {
		return nil, false, nil
	}
	found, err := inOrder(ctx, p.team()[:1], &engine.Task{Instance: outline}, b)
	if err != nil {
		return nil, false, err
	}
	if refuted = found.Verdict == engine.NotLinearizable && p.o.VerdictOnly; refuted {
		found.bind = sync.OnceValue(d.bind[i].Bind)
	}
	return &found, refuted, nil
}
