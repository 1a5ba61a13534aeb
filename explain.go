package linsat

import (
	"context"
	"errors"
	"time"

	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/result"
)

// Explain returns r with the reasons that Check was not asked for (NoCore): of a violation the
// operation that cannot be placed, a core and what certifies it. Nothing is decided again that r
// tells, and a model is not asked again what it has answered. Of the options, those about limits
// and reasons count; the question is that of r.
//
// A result that is not a violation, or is certified, is returned as it is. Errors are those of
// Check.
func (r *Result) Explain(ctx context.Context, options ...Option) (Result, error) {
	if r == nil {
		return Result{}, errNoResult
	}
	full, err := explained(ctx, r.whole(), options, nil)
	if err != nil {
		return Result{}, err
	}
	return public(full), nil
}

// Explain is that of Result, in terms of the indices of the operations.
func (r *OpsResult) Explain(ctx context.Context, options ...Option) (OpsResult, error) {
	if r == nil {
		return OpsResult{}, errNoResult
	}
	full, err := explained(ctx, r.whole(), options, r.confirm)
	if err != nil {
		return OpsResult{}, err
	}
	if r.History == nil { // it claims nothing
		return *r, nil
	}
	return opsResult(full, r.History, r.confirm), nil
}

var errNoResult = missing("the result is nil: Check gives one")

func explained(ctx context.Context, r *result.Result, options []Option, confirm *confirmation) (*result.Result, error) {
	c, err := configured(options)
	switch {
	case err != nil:
		return nil, err
	case c.questions > 0:
		return nil, senseless(errors.New("linsat: Explain takes no question: it is that of the result"))
	case r.Verdict != engine.NotLinearizable || r.Certified:
		return r, nil
	}
	start := time.Now()
	c.quasi, c.partitioning = r.Quasi, r.Partitioning
	k := newChecking(c, r.Spec, engine.NewBudget(c.steps, c.memory), nil)
	k.unconfirmed = confirm != nil
	k.history.Store(r.Partition.History)
	k.know(*r)
	found, err := k.within(ctx, func(ctx context.Context) (result.Result, error) {
		again := *r
		if r.Given == nil && r.Failure == nil { // only the verdict was wanted
			a, err := k.portfolio.Decide(ctx, &engine.Task{Instance: r.Instance(), Quasi: r.Quasi}, k.budget)
			if err != nil || a.Verdict != engine.NotLinearizable {
				return again, err
			}
			again.Failure, again.Reached, again.Given = a.Failure, a.Reached, a.Proof
		}
		err := k.explainAll(ctx, &again)
		if err == nil {
			err = confirm.of(ctx, &again)
		}
		return again, err
	})
	if err != nil {
		return nil, err
	}
	found.Took = r.Took + time.Since(start)
	return &found, nil
}
