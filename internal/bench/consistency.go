package bench

import (
	"context"
	"errors"
	"slices"

	"github.com/linsat/linsat"
	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/consistency"
	"github.com/linsat/linsat/internal/consistency/check"
	"github.com/linsat/linsat/internal/engine"
	levels "github.com/linsat/linsat/internal/isolation/check"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/result"
	"github.com/linsat/linsat/internal/solver/gini"
	"github.com/linsat/linsat/solver"
)

// consistent answers a question of consistency. The options say how what is a question of
// linearizability is decided. A yes has the verdict of linearizability.
func consistent(ctx context.Context, s model.Spec, h *history.History, name string, options []linsat.Option) (
	linsat.Result, error) {
	q, err := consistency.Parse(name)
	if err != nil {
		return linsat.Result{}, err
	}
	linearize := func(ctx context.Context, s model.Spec, h *history.History, whole, why bool) (*result.Result, error) {
		all := slices.Clone(options)
		if whole {
			all = append(all, linsat.Partition(linsat.Whole))
		}
		if why {
			all = append(all, linsat.Explain(linsat.ExplainOptions{}))
		}
		r, err := linsat.Check(ctx, s, h, all...)
		return result.Of(r), err
	}
	c := &check.Case{Spec: s, History: h, Linearize: linearize, Solver: func() solver.Solver { return gini.New() }}
	a, err := check.Ask(ctx, c, q)
	r := linsat.Result{Certified: a.Certified(), Partitions: 1, Detail: a.Unclear}
	var none *consistency.NoAccesses
	switch {
	case errors.As(err, &none):
		r.Cause, r.Detail = engine.Unsupported, none.Why
		return r, nil
	case err != nil:
		return r, err
	}
	switch a.Verdict {
	case levels.Holds:
		r.Verdict = engine.Linearizable
	case levels.Fails:
		r.Verdict = engine.NotLinearizable
	default:
		r.Cause = engine.Undecided
		if ctx.Err() != nil {
			r.Cause = engine.CauseOf(ctx)
		}
	}
	return r, nil
}
