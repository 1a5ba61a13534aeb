package wgl

import (
	"context"
	"fmt"
	"math"

	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/layout"
)

// Engine decides partitions by backtracking. It has no state of its own and may be shared.
type Engine struct {
	verdictOnly bool
	plan        plan
}

// Option configures an Engine.
type Option func(*Engine)

// VerdictOnly omits Answer.Failure, for callers that ask for many verdicts.
func VerdictOnly() Option { return func(e *Engine) { e.verdictOnly = true } }

// New returns the engine.
func New(options ...Option) *Engine {
	e := &Engine{plan: defaultPlan}
	for _, o := range options {
		o(e)
	}
	return e
}

var _ engine.Engine = (*Engine)(nil)

// Name is "search".
func (e *Engine) Name() string { return "search" }

// Check decides the partition, for any specification. The answer is Unknown if the context or m
// stops the search; an error is a broken specification. The steps in Effort and on the budget are
// those of the decision; the steps for Failure come on top and are bounded by them.
func (e *Engine) Check(ctx context.Context, p *engine.Problem, m *engine.Budget) (engine.Answer, error) {
	if answer, ok := e.searchWord(ctx, p.Instance, m); ok {
		return answer, nil
	}
	r, answer := start(ctx, p, m)
	if r == nil {
		return answer, nil
	}
	d := r.decide(e.plan)
	r.Close()
	r.giveBuffers()
	answer.By = d.by
	answer.Effort = engine.Effort{Steps: r.Steps + d.steps, States: int64(r.Top) + 1, Nodes: r.nodes}
	switch d.outcome {
	case found:
		answer.Verdict = engine.Linearizable
		answer.Witness = d.witness
	case failed:
		answer.Verdict = engine.NotLinearizable
		answer.Proof, answer.Reached = d.evidence, d.reached
		if !e.verdictOnly && !d.approximate {
			why := newFailureSearch(ctx, p.Instance, m, r.Returns, int(r.deepest), r.Steps)
			r = nil // frees its tables
			answer.Failure = why.failure()
		}
	default:
		answer.Cause = r.Cause
		if r.Cause == engine.Memory && r.MostBytes > 0 {
			answer.Detail = fmt.Sprintf("the search uses at most %d MB if no memory limit is given", r.MostBytes>>20)
		}
		return answer, r.broken
	}
	return answer, nil
}

// start prepares a run. If memory or time do not suffice, it returns nil and an answer that says
// so.
func start(ctx context.Context, p *engine.Problem, m *engine.Budget) (*run, engine.Answer) {
	b := engine.Account{Ctx: ctx, Budget: m, Limit: math.MaxInt64, MostBytes: m.SearchBytes()}
	if !b.Look() || !b.Grow(layout.Bytes(p.Instance.Partition.Len(), len(p.Instance.Partition.Edges))) {
		b.Close()
		return nil, engine.Answer{Cause: b.Cause}
	}
	l := layout.New(p.Instance, p.Instance.Partition.Len())
	if !b.Look() {
		b.Close()
		return nil, engine.Answer{Cause: b.Cause}
	}
	r := newRun(l, b)
	r.mayForget(m, 1)
	return r, engine.Answer{}
}
