package monitor

import (
	"context"

	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/model"
)

// Engine is the engine named "monitor".
type Engine struct{}

// New returns the engine. It keeps no state and may be shared.
func New() *Engine { return &Engine{} }

// Name returns "monitor".
func (*Engine) Name() string { return "monitor" }

// Check answers the problem if there is a procedure for its theory and its history, else Unknown
// with the cause Unsupported. An incomplete procedure may answer Undecided.
func (*Engine) Check(ctx context.Context, p *engine.Problem, m *engine.Budget) (engine.Answer, error) {
	if p.Instance.Holding != nil {
		a := admitted(ctx, p, m, 0, func() engine.Answer { return checkHolds(ctx, p.Instance) })
		if a.Verdict != engine.Unknown || p.Instance.Theory == nil {
			return a, nil
		}
	}
	if theory, ok := p.Instance.Theory.(*model.RegisterTheory); ok {
		if a := checkCells(ctx, p, theory, m); a.Verdict != engine.Unknown || p.Instance.Ends == nil {
			return a, nil
		}
	}
	if p.Instance.Log != nil {
		return admitted(ctx, p, m, len(p.Instance.Partition.Ops), func() engine.Answer { return checkLog(ctx, p.Instance) }), nil
	}
	if p.Instance.Ends != nil {
		return admitted(ctx, p, m, len(p.Instance.Partition.Ops), func() engine.Answer { return checkDeque(ctx, p.Instance) }), nil
	}
	if t := p.Instance.Taken(); t != nil && p.Instance.Queue != nil {
		return admitted(ctx, p, m, t.Values, func() engine.Answer { return boundedQueue(ctx, p.Instance, t, m) }), nil
	}
	if theory, ok := p.Instance.Theory.(*model.CountingTheory); ok {
		return checkCounter(ctx, p, theory, m), nil
	}
	if p.Instance.Sums != nil {
		return checkSums(ctx, p.Instance, m), nil
	}
	return collection(ctx, p, m), nil
}
