package monitor

import (
	"context"

	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/quasi/window"
)

// Engine is the engine "monitor" under a quasi factor.
type Engine struct{}

var _ engine.Minimizer = (*Engine)(nil)

// New returns the engine. It keeps no state and may be shared.
func New() *Engine { return &Engine{} }

// Name returns "monitor".
func (*Engine) Name() string { return "monitor" }

// Check decides the history of one FIFO queue without peeks and without explicit order, in which
// only removals may move; under the slots meaning values may repeat. It answers Unsupported for any
// other question, and Undecided if its procedure, which is incomplete, finds neither a witness nor
// a refutation.
func (*Engine) Check(ctx context.Context, p *engine.Task, m *engine.Budget) (engine.Answer, error) {
	if p.Quasi != nil && len(p.Quasi.Sets) > 0 {
		return engine.Answer{Cause: engine.Unsupported, Detail: "bounds on sets of operations that are no classes"}, nil
	}
	q, bound := window.Collect(p.Instance, p.Quasi)
	if q == nil {
		return decideRepeated(ctx, p, m), nil
	}
	return decide(ctx, p, q, bound, m), nil
}
