package search

import (
	"context"
	"math"

	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/quasi"
)

// SlotEngine decides quasi-linearizability by backtracking. It has no state and may be shared.
type SlotEngine struct{}

// NewSlotEngine returns the engine.
func NewSlotEngine() *SlotEngine { return &SlotEngine{} }

var _ engine.Engine = (*SlotEngine)(nil)

// Name is "search".
func (e *SlotEngine) Name() string { return "search" }

// Check decides a partition of a specification with classes under a factor; under the classes meaning only
// small ones. It answers Unsupported otherwise. An answer of "linearizable" holds ρ′ (Witness), ρ″
// (Rearranged) and Drains.
func (e *SlotEngine) Check(ctx context.Context, p *engine.Problem, m *engine.Budget) (engine.Answer, error) {
	if why := unsupported(p); why != "" {
		return engine.Answer{Cause: engine.Unsupported, Detail: why}, nil
	}
	b := budget{ctx: ctx, meter: m, limit: math.MaxInt64}
	if !b.look() || !b.grow(slotBytes(p.Instance.Partition.Len(), len(p.Instance.Partition.Edges))) {
		b.close()
		return engine.Answer{Cause: b.cause}, nil
	}
	l, err := newSlotLayout(p.Instance, p.Quasi)
	if err != nil {
		b.close()
		return engine.Answer{}, err
	}
	if l.lacking() {
		b.close()
		return engine.Answer{Verdict: engine.NotLinearizable}, nil
	}
	r := newSlotRun(l, b)
	outcome := r.search()
	r.close()
	answer := engine.Answer{Effort: engine.Effort{Steps: r.steps, States: int64(r.top) + 1, Nodes: r.nodes}}
	switch outcome {
	case slotFound:
		answer.Verdict = engine.Linearizable
		answer.Witness, answer.Rearranged, answer.Drains = r.orders()
	case slotFailed:
		answer.Verdict = engine.NotLinearizable
	default:
		answer.Cause = r.cause
	}
	return answer, nil
}

// unsupported returns why the engine does not decide a problem, "" if it does.
func unsupported(p *engine.Problem) string {
	switch {
	case p.Quasi == nil:
		return "this search is for questions with a factor"
	case p.Quasi.Meaning == quasi.Classes && p.Instance.Partition.Len() > maxClasses:
		return "search judges the classes meaning of small parts only"
	case p.Instance.Class == nil:
		return "the specification has no classes"
	case p.Quasi.Causal && p.Instance.ItemDelta == nil:
		return "causality is only known where something is stored"
	}
	return ""
}
