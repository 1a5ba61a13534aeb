package portfolio

import (
	"context"

	"github.com/linsat/linsat/encode"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/monitor"
	"github.com/linsat/linsat/internal/proof"
	quasimonitor "github.com/linsat/linsat/internal/quasi/monitor"
	"github.com/linsat/linsat/internal/quasi/sat"
	quasisearch "github.com/linsat/linsat/internal/quasi/search"
	"github.com/linsat/linsat/internal/quasi/setsearch"
	"github.com/linsat/linsat/internal/search"
	"github.com/linsat/linsat/internal/txn"
)

// DecideWeakened decides one of the very many weakened partitions that explain asks about while it
// looks for a core: by monitors where they take it, else by the search where it is small and by SAT
// first where it is not, within few steps. What they do not decide, or fail on, is Unknown.
func DecideWeakened(ctx context.Context, q *engine.Task, b *engine.Budget) engine.Verdict {
	n := q.Instance.Partition.Len()
	cheap := engine.For(monitor.New())
	engines := []engine.Decider{searchVerdict, engine.For(txn.Before(engine.Open(encode.New(builtIn)), builtIn))}
	switch {
	case q.Quasi != nil && len(q.Quasi.Sets) > 0:
		cheap, engines = setsearch.New(), nil
	case q.Quasi != nil:
		cheap, engines = quasimonitor.New(), []engine.Decider{quasisearch.New(), sat.New(builtIn)}
	case q.Instance.Axiomatic() == nil && q.Instance.Transactions == nil:
		engines = engines[:1]
	case n > satFirst && !model.Derived(q.Instance.Axiomatic()):
		engines[0], engines[1] = engines[1], engines[0]
	}
	d, err := inOrder(ctx, q, b.Share(0), cheap)
	if err == nil && d.Verdict != engine.Unknown {
		return d.Verdict
	}
	d, err = inOrder(ctx, q, b.Share(max(weakenedSteps, weakenedEach*int64(n))), engines...)
	if err != nil {
		return engine.Unknown
	}
	return d.Verdict
}

// Frontier decides a prefix by the search, which tells what was possible just before a failing
// return.
func Frontier(ctx context.Context, q *engine.Problem, b *engine.Budget) (engine.Answer, error) {
	return search.New().Check(ctx, q, b)
}

// PendingBound asks the search for evidence that no assignment of pending operations can explain
// the completed ones; nil if it finds none.
func PendingBound(ctx context.Context, q *engine.Problem, b *engine.Budget) proof.Proof {
	return search.Evidence(ctx, q, b)
}
