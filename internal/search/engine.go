// Package search is the engine "search": the table of techniques that decide a partition
// (techniques.go), and those of them that are neither of pending operations (package pending) nor
// of stacks and deques (package collections). It supports any executable specification,
// deterministic or not, with pending operations, unknown results and explicit edges.
//
// The input is a partition (engine.Problem). The answer is a verdict with the linearization found,
// or with the shortest prefix that has none and the configurations in which that prefix ends
// (engine.Answer). Histories are split elsewhere (model.Split), and questions with a quasi factor
// go to package quasi/search: a Problem for this engine has none.
//
// The problem is NP-hard. With very many pending operations that just suffice, or just do not, and
// with specifications that have no bound on their states, the search can exceed any budget.
package search

import (
	"context"
	"fmt"
	"math"

	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/pending"
	"github.com/linsat/linsat/internal/proof"
	"github.com/linsat/linsat/internal/wgl"
)

// Engine decides partitions by backtracking. It has no state of its own and may be shared.
type Engine struct {
	verdictOnly bool
	plan        pending.Plan
}

// Option configures an Engine.
type Option func(*Engine)

// VerdictOnly omits Answer.Failure, for callers that ask for many verdicts.
func VerdictOnly() Option { return func(e *Engine) { e.verdictOnly = true } }

// New returns the engine.
func New(options ...Option) *Engine {
	e := &Engine{plan: pending.DefaultPlan}
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
	if answer, ok := searchWord(ctx, p.Instance, m, e.verdictOnly); ok {
		return answer, nil
	}
	r, answer := start(ctx, p, m)
	if r == nil {
		return answer, nil
	}
	d := decide(r, e.plan)
	r.Close()
	r.GiveBuffers()
	answer.By = d.By
	answer.Effort = engine.Effort{Steps: r.Steps + d.Steps, States: int64(r.Top) + 1, Nodes: r.Nodes}
	switch d.Outcome {
	case wgl.Found:
		answer.Verdict = engine.Linearizable
		answer.Witness = d.Witness
	case wgl.Failed:
		answer.Verdict = engine.NotLinearizable
		answer.Proof, answer.Reached = d.Evidence, d.Reached
		if !e.verdictOnly && !d.Approximate {
			returns, deepest, steps := r.Returns, int(r.Deepest), r.Account.Steps
			r = nil // frees its tables
			answer.Failure = wgl.Failure(ctx, p.Instance, m, returns, deepest, steps, pending.NewRun)
		}
	default:
		answer.Cause = r.Cause
		if r.Cause == engine.Memory && r.MostBytes > 0 {
			answer.Detail = fmt.Sprintf("the search uses at most %d MB if no memory limit is given", r.MostBytes>>20)
		}
		return answer, r.Broken
	}
	return answer, nil
}

// start prepares a run, with the rules that the instance calls for.
func start(ctx context.Context, p *engine.Problem, m *engine.Budget) (*wgl.Run, engine.Answer) {
	return wgl.Begin(ctx, p, m, pending.NewRun)
}

// Evidence looks for a proof that a partition is not linearizable (a *proof.DualBound) by the dual
// problem alone, for a partition that another engine has refuted. It returns nil if that does not
// refute within the limits.
func Evidence(ctx context.Context, p *engine.Problem, m *engine.Budget) proof.Proof {
	r, _ := start(ctx, p, m)
	if r == nil {
		return nil
	}
	defer r.Close()
	x := pending.NewDual(r)
	defer x.Close()
	d, _ := x.GoOn(math.MaxInt64, pending.DefaultPlan.Updates)
	return d.Evidence
}
