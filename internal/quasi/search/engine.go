package search

import (
	"context"
	"math"

	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/quasi"
)

// Engine decides quasi-linearizability by backtracking. It has no state and may be shared.
type Engine struct{}

// New returns the engine.
func New() *Engine { return &Engine{} }

var _ engine.Decider = (*Engine)(nil)

// Name is "search".
func (e *Engine) Name() string { return "search" }

// Check decides a partition of a specification with classes under a factor; under the classes
// meaning only small ones. It answers Unsupported for any other problem. An answer of
// "linearizable" holds ρ′ (Witness), ρ″ (Rearranged) and Drains.
func (e *Engine) Check(ctx context.Context, p *engine.Task, m *engine.Budget) (engine.Answer, error) {
	if why := unsupported(p); why != "" {
		return engine.Answer{Cause: engine.Unsupported, Detail: why}, nil
	}
	b := engine.Account{Ctx: ctx, Budget: m, Limit: math.MaxInt64}
	if !b.Look() || !b.Grow(problemBytes(p.Instance.Partition.Len(), len(p.Instance.Partition.Edges))) {
		b.Close()
		return engine.Answer{Cause: b.Cause}, nil
	}
	l, err := newProblem(p.Instance, p.Quasi)
	if err != nil {
		b.Close()
		return engine.Answer{}, err
	}
	if l.lacking() {
		b.Close()
		return engine.Answer{Verdict: engine.NotLinearizable}, nil
	}
	r := newRun(l, b)
	outcome := r.search()
	r.Close()
	answer := engine.Answer{Effort: engine.Effort{Steps: r.Steps, States: int64(r.Top) + 1, Nodes: r.nodes}}
	switch outcome {
	case found:
		answer.Verdict = engine.Linearizable
		answer.Witness, answer.Rearranged, answer.Drains = r.orders()
	case failed:
		answer.Verdict = engine.NotLinearizable
	default:
		answer.Cause = r.Cause
	}
	return answer, nil
}

// unsupported returns why the engine cannot decide a problem, or "".
func unsupported(p *engine.Task) string {
	switch {
	case p.Quasi == nil:
		return "this search is for questions with a factor"
	case len(p.Quasi.Sets) > 0:
		return "bounds on sets of operations that are no classes"
	case p.Quasi.Meaning == quasi.Classes && p.Instance.Partition.Len() > maxClasses:
		return "search decides the classes meaning of small partitions only"
	case p.Instance.Class == nil:
		return "the specification has no classes"
	case p.Quasi.Causal && p.Instance.Items.Delta == nil:
		return "causality is only known where something is stored"
	}
	return ""
}
