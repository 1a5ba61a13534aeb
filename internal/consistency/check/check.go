// Package check answers the questions of package consistency, and has every answer judged by a
// verifier before it is given.
package check

import (
	"context"
	"encoding/json"
	"time"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/consistency"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/explain"
	"github.com/linsat/linsat/internal/inorder"
	"github.com/linsat/linsat/internal/isolation/check"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/result"
	"github.com/linsat/linsat/solver"
)

// Linearize decides whether a history is linearizable, whole: not split by key or object; and why
// not, if that is wanted.
type Linearize func(ctx context.Context, s model.Spec, h *history.History, whole, why bool) (*result.Result, error)

// Case is a history of one specification, of which something is asked.
type Case struct {
	Spec      model.Spec
	History   *history.History
	Linearize Linearize
	Solver    func() solver.Solver
	Memory    int64 // for tables, 0 for a limit of their own

	accesses  *consistency.Accesses // once they are made
	none      error                 // why there are none
	unordered bool                  // no order was found that keeps those of processes
}

// reads returns the accesses of the history.
func (c *Case) reads() (*consistency.Accesses, error) {
	if c.accesses == nil && c.none == nil {
		c.accesses, c.none = consistency.Of(c.Spec, c.History)
	}
	return c.accesses, c.none
}

// plain returns the accesses if each of them is either a read or a write.
func (c *Case) plain() (*consistency.Accesses, error) {
	a, err := c.reads()
	if err == nil && a.Updates >= 0 {
		err = &consistency.NoAccesses{Op: a.Updates, Why: "it reads and writes at once"}
	}
	return a, err
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
	// Steps are what a contradiction is made of, in the place of Results and Pairs, and Pattern its
	// name. It is of a Process that cannot see the writes in an order if ByProcess is set. If it is
	// Closed, the last steps are a cycle; else Initial may be a read of the start that the last
	// steps lead to from a write, or it is -1.
	Steps     []Step
	Pattern   Pattern
	ByProcess bool
	Process   int32
	Closed    bool
	Initial   history.OpID
	// Against are of a sequential history the fewest pairs that an order has to put against time,
	// if they are known.
	Against []history.Edge
	Says    string // why the answer is no, where that is more than these
	// Cases are contradictions of choices, of an answer no where reads may be from several writes.
	Cases []Supposed
	Took  time.Duration
}

// Supposed is a contradiction that rests on what some reads are from.
type Supposed struct {
	Chosen []consistency.Choice
	Answer Answer
}

// Certified reports whether the verifier accepts the certificate.
func (a *Answer) Certified() bool { return a.Certificate != nil && a.Refused == nil }

// decider answers one question about a case.
type decider func(ctx context.Context, c *Case, q *consistency.Question) (Answer, error)

// deciders says how questions are decided that are not of one order of all operations (orderOf), or
// not only.
var deciders = map[string]decider{
	"sequential":          sequential,
	"causal":              causal,
	"causal-convergence":  causal,
	"weakly-causal":       causal,
	"pram":                pram,
	"read-your-writes":    viewed,
	"monotonic-reads":     viewed,
	"monotonic-writes":    viewed,
	"writes-follow-reads": viewed,
	"regular":             regular,
	"weakly-regular":      regular,
}

// Ask answers one question. Errors are about the history or the specification.
func Ask(ctx context.Context, c *Case, q *consistency.Question) (Answer, error) {
	start := time.Now()
	decide := deciders[q.Name]
	if decide == nil {
		decide = linearized
	}
	a, err := decide(ctx, c, q)
	if err != nil {
		return Answer{}, err
	}
	a.Question, a.From = q, q
	if a.Certificate != nil {
		a.Certificate.Question = q.Name
		x := a.Certificate // what engines judged that were asked is not judged again
		if x.Chosen != nil || x.Views != nil || x.Conflict != nil || x.Choices != nil || x.Causes != nil {
			_, a.Refused = Verify(ctx, c.Spec, c.History, q, a.Certificate)
		}
	}
	a.Took = time.Since(start)
	return a, nil
}

// linearized is the answer of engines that look for one order.
func linearized(ctx context.Context, c *Case, q *consistency.Question) (Answer, error) {
	x, err := orderOf(c.Spec, c.History, q)
	if err != nil {
		return Answer{}, err
	}
	a, cert, err := c.linearize(ctx, x)
	if cert != nil {
		a.Certificate = &consistency.Certificate{Order: cert}
	}
	return a, err
}

// linearize decides a question of one order, and returns a certificate of that.
func (c *Case) linearize(ctx context.Context, x *order) (a Answer, cert json.RawMessage, err error) {
	r, err := c.Linearize(ctx, x.spec, x.history, x.whole, true)
	if err != nil {
		return Answer{}, nil, err
	}
	switch r.Verdict {
	case engine.Linearizable:
		a.Verdict = check.Holds
	case engine.NotLinearizable:
		a.Verdict = check.Fails
		a.Results, a.Pairs = restsOn(r, x)
	default:
		a.Unclear = r.Cause.String()
	}
	if one, none := r.Certificate(x.history); none == nil {
		cert, err = written(one)
	}
	return a, cert, err
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
	return inorder.Distinct(results), pairs
}
