package linsat

import (
	"context"
	"errors"
	"fmt"
	"strings"

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

// CheckConsistency decides another question than linearizability about the operations of one
// object: "sequential", "pram"; of reads and writes also "causal", "read-your-writes" and others
// (docs/consistency.md). An answer is undecided when ctx is done, or if values that are read were
// written more than once. The error is about an unknown question, or one that the operations do not
// support (both ErrOption), or those of Check.
func CheckConsistency(ctx context.Context, s spec.Spec, h *history.History, question string) (*Isolation, error) {
	q, err := consistency.Parse(question)
	if err != nil {
		return nil, senseless(err)
	}
	full, err := whole(s)
	if err == nil {
		err = (&config{}).refuse(full, h)
	}
	if err != nil {
		return nil, err
	}
	c := &check.Case{Spec: full, History: h, Linearize: linearize,
		Solver: func() solver.Solver { return gini.New() }}
	a, err := check.Ask(ctx, c, q)
	var none *consistency.NoAccesses
	switch {
	case errors.As(err, &none):
		return nil, senseless(fmt.Errorf("linsat: %s is asked of reads and of writes: %s; these operations support %s",
			q.Name, none.Why, strings.Join(check.Supported(c), ", ")))
	case err != nil:
		return nil, err
	}
	return &Isolation{Level: q.Name, Decided: a.Verdict != levels.Unknown, Holds: a.Verdict == levels.Holds,
		Certified: a.Certified(), Reason: a.Unclear}, nil
}

// linearize is Check for package check.
func linearize(ctx context.Context, s model.Spec, h *history.History, whole, why bool) (*result.Result, error) {
	var options []Option
	if whole {
		options = append(options, Partition(Whole))
	}
	if !why {
		options = append(options, Explain(ExplainOptions{Cores: NoCore}))
	}
	r, err := Check(ctx, s, h, options...)
	if err != nil {
		return nil, err
	}
	return r.whole(), nil
}
