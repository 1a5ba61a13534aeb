package wgl

// What: the order in which a partition is attacked, each phase exact when it finishes.
//
//  0. A long deque: values that contradict each other alone (alone.go), then one linearization and
//     its repairs (repeated.go).
//  1. The depth-first search (dfs.go), for as many failed nodes as plan.plain says. Most partitions end
//     here.
//  2. With pending operations left, and states that can be listed (space.go): from now on only
//     wanted states of the closure (pending_targets.go); as many failed nodes again as plan.wanted and the number of
//     returns say.
//  3. The relaxation (relaxation.go) and prices on it (prices.go), which refute with evidence or
//     find a linearization. Queues and stacks have phases of their own instead, and deques that of
//     the beginning (repeated.go).
//  4. The search goes on where it was, now cutting what the prices exclude (bounds.go).
//
// Without a space, phases 2 and 3 and the bounds are left out. The phases come one after the other,
// not side by side: their budgets are of about equal length, so that at most a factor of two could
// be gained, on a machine with nothing else to do, and an answer would no longer depend on the partition
// alone.

import (
	"context"
	"math"

	"github.com/linsat/linsat/internal/dual"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/proof"
)

// plan says when to go on to the next phase.
type plan struct {
	plain, targeted int64 // failed nodes
	returns         int64 // and one more in the second phase for every so many returns
	steps           int64 // a 32th of it for the first, and more for the second
	updates         int   // of prices
}

var defaultPlan = plan{plain: 300, targeted: 1000, returns: 1, steps: 1 << 17, updates: dual.MaxUpdates}

// stepsPerReturn more are granted to the second phase for every return: to walk along a partition takes
// that much.
const stepsPerReturn = 32

// decision is how a search ended.
type decision struct {
	outcome  outcome
	witness  []int32
	evidence proof.Proof
	steps    int64 // besides those of the run
}

func (r *run) decide(p plan) (d decision) {
	aside := int64(0) // steps of phases that decided nothing
	defer func() {
		if d.steps += aside; d.outcome == found && d.witness == nil {
			d.witness = r.linearization()
		}
	}()
	if len(r.Ops) >= longDeque {
		if d = r.decideDeque(); d.outcome != undecided {
			return d
		}
		aside, d = d.steps, decision{}
	}
	r.conflictLimit, r.stepLimit = p.plain, p.steps/32
	if d.outcome = r.search(); d.outcome != undecided {
		return d
	}
	if len(r.Ops) < longDeque {
		if d = r.decideDeque(); d.outcome != undecided {
			return d
		}
		aside = d.steps
	}
	if d = r.decideCollection(); d.outcome != undecided {
		return d
	}
	aside += d.steps
	d = decision{}
	if r.Classes > 0 {
		if r.broken == nil {
			r.space = dual.NewSpace(r.Layout, &r.Table, &r.Account)
		}
		if r.space != nil && r.Words == 1 {
			r.conflictLimit, r.stepLimit = r.conflicts+p.targeted+int64(len(r.Returns))/p.returns, r.Steps+p.steps+stepsPerReturn*int64(len(r.Returns))
			if d.outcome = r.loop(opened); d.outcome != undecided {
				return d
			}
			if d = r.decideByDual(p.updates); d.outcome != undecided {
				return d
			}
		}
	}
	r.conflictLimit, r.stepLimit = math.MaxInt64, math.MaxInt64
	if r.bounds != nil {
		d.outcome = r.search()
	} else {
		d.outcome = r.loop(opened)
	}
	return d
}

// decideByDual is the third phase. It answers nothing if that did not decide.
func (r *run) decideByDual(updates int) (d decision) {
	b := engine.Account{Ctx: r.Ctx, Budget: r.Budget, Limit: r.Limit - r.Steps, Uncounted: r.Uncounted, MostBytes: r.MostBytes}
	defer b.Close()
	d.outcome = undecided
	switch x := r.space.Solve(&b, updates); x.Status {
	case dual.Refuted:
		d.outcome, d.evidence = failed, x.Refutation
	case dual.Linearizable:
		if d.witness = r.replay(x.Path); d.witness != nil {
			d.outcome = found
		}
	case dual.Undecided:
		r.restart(x.Bounds)
	}
	d.steps = b.Steps
	return d
}

// Evidence looks for evidence that a partition is not linearizable (a *proof.DualBound) by the third
// phase alone: for a partition that another engine has refuted. It is nil if that phase refutes nothing
// within the limits.
func Evidence(ctx context.Context, p *engine.Problem, m *engine.Budget) proof.Proof {
	r, _ := start(ctx, p, m)
	if r == nil {
		return nil
	}
	defer r.Close()
	if r.space = dual.NewSpace(r.Layout, &r.Table, &r.Account); r.space == nil || r.Words != 1 {
		return nil
	}
	return r.decideByDual(defaultPlan.updates).evidence
}
