package txn

import (
	"context"
	"math"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/proof"
	"github.com/linsat/linsat/solver"
)

// By is the name of this technique in answers (engine.Answer.By).
const By = "txn"

// Applies reports whether b is a partition of transactions that this package decides, and is not to
// leave out.
func Applies(b *model.Instance) bool {
	p := b.Partition
	return b.Transactions != nil && p.Drains == 0 && len(p.History.Revisions) == 0 && !engine.LeftOut(By)
}

// Forced decides partitions that leave no choice once what follows from the others is known. Else
// it is Undecided. It is polynomial.
func Forced(ctx context.Context, p *engine.Problem, m *engine.Budget) (a engine.Answer, applies bool) {
	if !Applies(p.Instance) {
		return a, false
	}
	return decide(ctx, p.Instance, m, nil), true
}

// decide is Forced, and asks a solver of factory where choices are left.
func decide(ctx context.Context, b *model.Instance, m *engine.Budget, factory func() solver.Solver) engine.Answer {
	account := &engine.Account{Ctx: ctx, Budget: m, Limit: math.MaxInt64}
	defer account.Close()
	n := len(b.Partition.Ops)
	if !account.Spend(int64(n)) || !account.Grow(int64(n)*bytesPerOperation) {
		return engine.Answer{Cause: account.Cause}
	}
	clauses := 0
	p, ok := build(digest(b), func(now int) bool {
		more := now - clauses
		clauses = now
		return now <= mostClauses && account.Toil(1) && account.Grow(int64(more)*bytesPerClause)
	})
	switch {
	case !ok && account.Cause == engine.NoCause:
		return engine.Answer{Cause: engine.Undecided, Detail: "too many transactions can have written what others read"}
	case !ok:
		return engine.Answer{Cause: account.Cause}
	}
	k, wrong, ok := prune(p, account)
	switch {
	case !ok:
		return engine.Answer{Cause: account.Cause}
	case wrong != nil:
		return refuted(wrong.refutation(k))
	case len(k.open) == 0:
		order, _ := k.g.order()
		return engine.Answer{Verdict: engine.Linearizable, By: By, Witness: k.linearization(order, nil)}
	case factory == nil:
		return engine.Answer{Cause: engine.Undecided, Detail: "several orders of transactions are possible"}
	}
	if order := k.beamed(ctx); order != nil {
		return engine.Answer{Verdict: engine.Linearizable, By: By, Witness: order}
	}
	order, c, no := choose(ctx, k, factory())
	switch {
	case order != nil:
		return engine.Answer{Verdict: engine.Linearizable, By: By, Witness: order}
	case no:
		return refuted(c.refutation(ctx))
	case ctx.Err() != nil:
		return engine.Stopped(ctx)
	}
	return engine.Answer{Cause: engine.Undecided}
}

// refuted is the answer of a violation. p is nil where its proof was too long.
func refuted(p proof.Proof) engine.Answer {
	return engine.Answer{Verdict: engine.NotLinearizable, By: By, Proof: p}
}

// linearization lists the operations of a topological order that take effect: those that returned,
// those that are known to, and those that are read from.
func (k *pruning) linearization(order []node, read []bool) []history.OpID {
	list := make([]history.OpID, 0, len(k.ops))
	for _, x := range order {
		if int(x) >= len(k.ops) {
			continue
		}
		i := history.OpID(x)
		if !k.ops[i].Pending() || read != nil && read[i] || k.truth(k.effect(i)) > 0 {
			list = append(list, i)
		}
	}
	return list
}

// Before returns an engine that decides partitions of transactions by solvers of factory, and asks
// rest about all others; it has the name of rest.
func Before(rest engine.Engine, factory func() solver.Solver) engine.Engine {
	return choice{rest, factory}
}

type choice struct {
	engine.Engine
	factory func() solver.Solver
}

// Check implements engine.Engine.
func (e choice) Check(ctx context.Context, p *engine.Problem, m *engine.Budget) (engine.Answer, error) {
	if !Applies(p.Instance) {
		return e.Engine.Check(ctx, p, m)
	}
	if ctx.Err() != nil {
		return engine.Stopped(ctx), nil
	}
	return decide(ctx, p.Instance, m, e.factory), nil
}
