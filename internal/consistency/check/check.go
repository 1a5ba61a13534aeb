// Package check answers the questions of package consistency, and has every answer judged by a
// verifier before it is given.
package check

import (
	"bytes"
	"context"
	"slices"
	"time"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/consistency"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/explain"
	"github.com/linsat/linsat/internal/isolation/check"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/result"
	"github.com/linsat/linsat/internal/verify"
)

// Linearize decides whether a history is linearizable, whole: not split by key or object.
type Linearize func(ctx context.Context, s model.Spec, h *history.History, whole bool) (*result.Result, error)

// Case is a history of one specification, of which something is asked.
type Case struct {
	Spec      model.Spec
	History   *history.History
	Linearize Linearize
}

// Answer is what is known of one question.
type Answer struct {
	Question *consistency.Question
	Verdict  check.Verdict
	// From is the question that was asked: a stronger one that holds, or a weaker one that fails,
	// if it is not Question itself.
	From        *consistency.Question
	Certificate *consistency.Certificate // of From; nil without one
	// Refused is why the verifier does not accept the certificate; nil if it does, or without one.
	Refused error
	// Unclear says why the question is not decided.
	Unclear string
	// Results are operations whose results cannot all be kept, by position in the history, and
	// Pairs those whose order is needed for that; both of an answer no.
	Results []history.OpID
	Pairs   []history.Edge
	Took    time.Duration
}

// Certified reports whether the verifier accepts the certificate.
func (a *Answer) Certified() bool { return a.Certificate != nil && a.Refused == nil }

// decider answers one question about a case.
type decider func(ctx context.Context, c *Case) (Answer, error)

// deciders says how each question is decided.
var deciders = map[string]decider{
	"linearizable": func(ctx context.Context, c *Case) (Answer, error) {
		return linearized(ctx, c, c.History, false)
	},
	// Sequential consistency is not local: keys that are sequential one by one need not be so
	// together. So the history is not split.
	"sequential": func(ctx context.Context, c *Case) (Answer, error) {
		return linearized(ctx, c, consistency.ByProcess(c.History), true)
	},
}

// Ask answers one question. Errors are about the history or the specification.
func Ask(ctx context.Context, c *Case, q *consistency.Question) (Answer, error) {
	start := time.Now()
	a, err := deciders[q.Name](ctx, c)
	a.Question, a.From, a.Took = q, q, time.Since(start)
	if a.Certificate != nil {
		a.Certificate.Question = q.Name
	}
	return a, err
}

// linearized is the answer of engines that look for one order.
func linearized(ctx context.Context, c *Case, h *history.History, whole bool) (Answer, error) {
	r, err := c.Linearize(ctx, c.Spec, h, whole)
	if err != nil {
		return Answer{}, err
	}
	var a Answer
	switch r.Verdict {
	case engine.Linearizable:
		a.Verdict = check.Holds
	case engine.NotLinearizable:
		a.Verdict = check.Fails
		a.Results, a.Pairs = restsOn(r)
	default:
		a.Unclear = r.Cause.String()
	}
	if cert, err := r.Certificate(h); err == nil {
		var text bytes.Buffer
		if err := verify.WriteCertificate(&text, cert); err != nil {
			return a, err
		}
		a.Certificate = &consistency.Certificate{Order: text.Bytes()}
	}
	return a, nil
}

// restsOn lists the results and the order that a violation rests on.
func restsOn(r *result.Result) (results []history.OpID, pairs []history.Edge) {
	if r.Core == nil {
		return r.RestsOn(), nil
	}
	for _, f := range r.Core.Facts {
		switch f.Kind {
		case explain.ValueFact, explain.EmptyFact, explain.ResultFact:
			for _, i := range f.Operations {
				results = append(results, r.Partition.Global(i))
			}
		case explain.EdgeFact, explain.GivenFact:
			pairs = append(pairs, history.Edge{Before: r.Partition.Global(f.Operations[0]),
				After: r.Partition.Global(f.Operations[1])})
		}
	}
	slices.Sort(results)
	return slices.Compact(results), pairs
}
