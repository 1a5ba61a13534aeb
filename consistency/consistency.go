package consistency

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/linsat/linsat"
	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/consistency"
	"github.com/linsat/linsat/internal/consistency/check"
	levels "github.com/linsat/linsat/internal/isolation/check"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/result"
	"github.com/linsat/linsat/internal/solver/gini"
	"github.com/linsat/linsat/solver"
	"github.com/linsat/linsat/spec"
)

// Answer is what is known of a history and a question of consistency, or a level of isolation.
type Answer struct {
	Level   string // its name, or that of the question
	Decided bool
	Holds   bool // meaningless unless Decided
	// Certified reports whether the verifier accepts what the answer rests on: an order, or a
	// refutation of all.
	Certified bool
	// Reason says why it is not decided.
	Reason string
}

// Check decides another question than linearizability about the operations of one object:
// "sequential", "causal", "pram"; of reads and writes also "read-your-writes" and others
// (docs/consistency.md). An answer is undecided when ctx is done, and may be if values that are
// read were written more than once. The error is about an unknown question, or one that the
// operations do not support (both linsat.ErrOption), or those of linsat.Check.
func Check(ctx context.Context, s spec.Spec, h *history.History, question string) (*Answer, error) {
	q, err := consistency.Parse(question)
	if err != nil {
		return nil, &optionError{err}
	}
	full := model.Full(s)
	switch {
	case full == nil:
		return nil, &optionError{errors.New(
			"linsat: no specification of linsat's is given; spec.MustLookup finds one by name, spec.Define makes one")}
	case h == nil:
		return nil, &optionError{errors.New(
			"linsat: the history is nil; history.ReadFile reads one, history.Recorder records one")}
	}
	if err := h.Validate(); err != nil {
		return nil, err
	}
	c := &check.Case{Spec: full, History: h, Linearize: linearize,
		Solver: func() solver.Solver { return gini.New() }}
	a, err := check.Ask(ctx, c, q)
	var none *consistency.NoAccesses
	switch {
	case errors.As(err, &none):
		return nil, &optionError{fmt.Errorf("linsat: %s is asked of reads and of writes: %s; these operations support %s",
			q.Name, none.Why, strings.Join(check.Supported(c), ", "))}
	case err != nil:
		return nil, err
	}
	return &Answer{Level: q.Name, Decided: a.Verdict != levels.Unknown, Holds: a.Verdict == levels.Holds,
		Certified: a.Certified(), Reason: a.Unclear}, nil
}

// linearize is linsat.Check for what decides the questions.
func linearize(ctx context.Context, s model.Spec, h *history.History, whole, why bool) (*result.Result, error) {
	var options []linsat.Option
	if whole {
		options = append(options, linsat.Partition(linsat.Whole))
	}
	if !why {
		options = append(options, linsat.Explain(linsat.ExplainOptions{Cores: linsat.NoCore}))
	}
	r, err := linsat.Check(ctx, s, h, options...)
	if err != nil {
		return nil, err
	}
	return result.Of(r), nil
}

// optionError is a linsat.ErrOption with a text of its own.
type optionError struct{ error }

// Unwrap returns the kind and the error.
func (e *optionError) Unwrap() []error { return []error{linsat.ErrOption, e.error} }
