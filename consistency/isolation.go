package consistency

import (
	"context"

	"github.com/linsat/linsat"
	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/isolation"
	"github.com/linsat/linsat/internal/isolation/check"
	"github.com/linsat/linsat/internal/solver/gini"
	"github.com/linsat/linsat/internal/specs"
	"github.com/linsat/linsat/solver"
)

// CheckIsolation decides whether the transactions of h, which read and write registers or append to
// lists, are at a level of isolation: "serializable", "strict-serializable", "snapshot-isolation"
// and others. The operations are those of multi-register, and append in a txn. An answer is
// undecided when ctx is done. The error is about an unknown level (linsat.ErrOption), or operations
// that are no transactions (*history.Error).
func CheckIsolation(ctx context.Context, h *history.History, level string) (*Answer, error) {
	l, err := isolation.ParseLevel(level)
	if err != nil {
		return nil, &optionError{err}
	}
	x, err := isolation.Of(h)
	if err != nil {
		return nil, err
	}
	linear := func(ctx context.Context) []history.OpID {
		r, err := linsat.Check(ctx, specs.MultiRegister(), h,
			linsat.Explain(linsat.ExplainOptions{Cores: linsat.NoCore}))
		if err != nil || r.Verdict != linsat.Linearizable {
			return nil
		}
		return r.Witness
	}
	a := check.Level(ctx, x, l, func() solver.Solver { return gini.New() }, 0, linear)
	return &Answer{Level: l.String(), Decided: a.Verdict != check.Unknown, Holds: a.Verdict == check.Holds,
		Certified: a.Certified(), Reason: a.Unclear}, nil
}
