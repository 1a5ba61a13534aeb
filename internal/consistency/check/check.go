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
	Says    string // why the answer is no, where that is more than these
	Took    time.Duration
}

// Certified reports whether the verifier accepts the certificate.
func (a *Answer) Certified() bool { return a.Certificate != nil && a.Refused == nil }

// Ask answers one question. Errors are about the history or the specification.
func Ask(ctx context.Context, c *Case, q *consistency.Question) (Answer, error) {
	start := time.Now()
	a, err := answer(ctx, c, q)
	a.Question, a.From, a.Took = q, q, time.Since(start)
	if a.Certificate != nil {
		a.Certificate.Question = q.Name
	}
	return a, err
}

func answer(ctx context.Context, c *Case, q *consistency.Question) (Answer, error) {
	if q.Registers {
		return regular(ctx, c, q)
	}
	x, err := orderOf(c.Spec, c.History, q)
	if err != nil {
		return Answer{}, err
	}
	return linearized(ctx, c, x)
}

// linearized is the answer of engines that look for one order.
func linearized(ctx context.Context, c *Case, x *order) (Answer, error) {
	r, err := c.Linearize(ctx, x.spec, x.history, x.whole)
	if err != nil {
		return Answer{}, err
	}
	var a Answer
	switch r.Verdict {
	case engine.Linearizable:
		a.Verdict = check.Holds
	case engine.NotLinearizable:
		a.Verdict = check.Fails
		a.Results, a.Pairs = restsOn(r, x)
	default:
		a.Unclear = r.Cause.String()
	}
	if cert, err := r.Certificate(x.history); err == nil {
		var text bytes.Buffer
		if err := verify.WriteCertificate(&text, cert); err != nil {
			return a, err
		}
		a.Certificate = &consistency.Certificate{Order: text.Bytes()}
	}
	return a, nil
}

// restsOn lists the results and the order that a violation rests on, of operations of the input.
func restsOn(r *result.Result, x *order) (results []history.OpID, pairs []history.Edge) {
	if r.Core == nil {
		for _, i := range r.RestsOn() {
			if i = x.original(i); i >= 0 {
				results = append(results, i)
			}
		}
		return results, nil
	}
	of := func(i history.OpID) history.OpID { return x.original(r.Partition.Global(i)) }
	for _, f := range r.Core.Facts {
		switch f.Kind {
		case explain.ValueFact, explain.EmptyFact, explain.ResultFact:
			for _, i := range f.Operations {
				if i = of(i); i >= 0 {
					results = append(results, i)
				}
			}
		case explain.EdgeFact, explain.GivenFact:
			e := history.Edge{Before: of(f.Operations[0]), After: of(f.Operations[1])}
			if e.Before >= 0 && e.After >= 0 {
				pairs = append(pairs, e)
			}
		}
	}
	slices.Sort(results)
	return slices.Compact(results), pairs
}
