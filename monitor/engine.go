package monitor

import (
	"context"

	"github.com/linsat/linsat/check"
)

// Engine is the engine named "monitor".
type Engine struct{}

// New returns the engine. It keeps no state and may be shared.
func New() *Engine { return &Engine{} }

// Name returns "monitor".
func (*Engine) Name() string { return "monitor" }

// Check answers the problem if there is a procedure for it, else Unknown as NotMine. Under a relaxation that is one
// FIFO queue with distinct values, no peeks and no explicit order; an incomplete procedure answers Undecided.
func (*Engine) Check(ctx context.Context, p *check.Problem, m *check.Meter) (check.Answer, error) {
	if p.Relax == nil {
		return check.Answer{Cause: check.NotMine}, nil
	}
	return relaxedQueue(ctx, p, m), nil
}
