package wgl

// What: the order in which the ways to decide a partition are tried. Each phase is exact when it
// finishes.
//
//   - Of a long partition, operations that explicit order and times order in a circle
//     (contradicted_order.go).
//
//   - Of a partition whose operations say what they touch, only what is connected
//     (independent.go): of a long one first, of others after the first phase.
//
//  0. A long deque: values that contradict each other alone (small_models.go), then one
//     linearization and its repairs, all configurations as paths, and windows (deque_search.go).
//  1. The depth-first search (dfs.go), for plan.plain failed nodes. Most partitions end here.
//     With pending operations, or with very many open ones, the order of calls is tried next
//     (early.go); it only finds. Operations that return after everything else was called are then
//     treated like pending ones, in all phases (returns_last.go). With pending operations, and no
//     cells but derived ones, few are then used at each place (pending_few.go), which only finds,
//     too; and so does the search in which operations touch what they were seen to touch
//     (independent.go). In a long partition without a theory, all states to which pending
//     operations lead come together (pending_jumps.go), which only refutes.
//     Long partitions whose states have a number have another search before it, which uses pending
//     operations again and again (counted_reuse.go).
//     What the initial state leaves open is settled next (cases.go). What follows leaves out what
//     values forbid that one operation alone leaves (held_values.go), and insertions into queues
//     without a theory wait for each other (first_in_turns.go).
//  2. With pending operations left: the depth-first search goes on, for as many steps as follow.
//     Then, with few states (dual.Space): the same search, but pending operations are only used to
//     reach targets (pending_effects_targeted.go), for plan.targeted more failed nodes, and more
//     for long histories.
//     Where there are many values, before that and without pending operations, too: two searches
//     for less and for more (pending_approximated.go).
//  3. The dual bound (package dual), which refutes with a proof or finds a linearization. Queues
//     and stacks have phases of their own instead (collections.go), and so have readers-writer
//     locks (readers_writer.go); deques have that of the beginning.
//  4. The search starts again with what it has learned, and cuts what the bound excludes
//     (dual_bounds.go).
//
// Without a space, phases 2 and 3 and the bounds are left out.
//
// What we changed: the phases run one after the other, not in parallel. Their limits are of about
// equal length, so at most a factor of two could be gained on an idle machine, and an answer would
// no longer depend on the partition alone.

import (
	"context"
	"math"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/dual"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/proof"
)

// plan holds the limits after which the next phase starts.
type plan struct {
	plain, targeted int64 // failed nodes in the first and the second phase
	returns         int64 // the second phase may have one more failed node for this many returns
	steps           int64 // of the second phase; the first has a plainShare of them
	onward          bool  // before the second, the first goes on for as many steps as that has
	updates         int   // of multipliers
	approximate     int64 // failed nodes in each of the searches for less and for more
	fewValues       int   // a register of more values has these searches,
	valueShare      int   // and so has one with more than a value for so many operations
}

// decision is the result of a search.
type decision struct {
	outcome  outcome
	witness  []history.OpID
	evidence proof.Proof
	reached  history.Rank // engine.Answer.Reached
	steps    int64        // besides those of the run
	// approximate says that the run's own search did not fail, so that it tells no frontier:
	// another search did, or another partition, with more linearizations, was refuted
	approximate bool
}

// decide runs the phases until one decides or the search has to stop (gaveUp).
func (r *run) decide(p plan) (d decision) {
	if len(r.Ops) >= longOpaque {
		if d = r.decideOrder(); d.outcome != undecided {
			return d
		}
	}
	aside := int64(0) // steps of phases that did not decide
	defer func() {
		if d.steps += aside; d.outcome == found && d.witness == nil {
			d.witness = r.linearization()
		}
	}()
	if len(r.Ops) >= longDeque {
		if d = r.decideDeque(); d.outcome != undecided {
			return d
		}
		aside += d.steps
		d = decision{}
	}
	if len(r.Ops) >= longOpaque {
		if d = r.decideIndependently(); d.outcome != undecided {
			return d
		}
	}
	r.conflictLimit, r.stepLimit = p.plain, p.steps/plainShare
	if r.counted != nil {
		if len(r.Ops) >= longCounted {
			if d = r.decideWithReuse(); d.outcome != undecided {
				return d
			}
			aside += d.steps
			d = decision{}
		}
		r.conflictLimit, r.stepLimit = int64(len(r.Returns)), stepsPerReturn*int64(len(r.Returns))
	}
	if d.outcome = r.search(); d.outcome != undecided {
		return d
	}
	if len(r.Ops) < longOpaque {
		if d = r.decideIndependently(); d.outcome != undecided {
			return d
		}
	}
	if d = r.decideEarly(); d.outcome != undecided {
		return d
	}
	if d = r.decideReturnsLast(p, fewestLast, calledAfter); d.outcome != undecided {
		return d
	}
	aside += d.steps
	d = decision{}
	if _, cell := r.Instance.Theory.(*model.RegisterTheory); !cell || model.Derived(r.Instance.Theory) {
		if d = r.decideFew(); d.outcome != undecided {
			return d
		}
	}
	if d = r.decideAsSeen(); d.outcome != undecided {
		return d
	}
	if len(r.Ops) >= longOpaque {
		if d = r.decideByJumps(); d.outcome != undecided {
			return d
		}
	}
	if d = r.decideCases(); d.outcome != undecided {
		return d
	}
	if len(r.Ops) < longDeque {
		if d = r.decideDeque(); d.outcome != undecided {
			return d
		}
		aside += d.steps
	}
	if d = r.decideCollection(); d.outcome != undecided {
		return d
	}
	aside += d.steps
	d = decision{outcome: undecided}
	if r.Classes > 0 { // without pending operations plain search is faster
		r.runWithin(&d, func(b *engine.Account) collectionSearch { return orNil(newReadersWriter(r.Instance, b)) })
	}
	if d.outcome != undecided {
		return d
	}
	aside += d.steps
	r.holdValues()
	r.takeTurns()
	if d = r.decideApproximately(p); d.outcome != undecided {
		return d
	}
	aside += d.steps
	d = decision{}
	if r.Classes > 0 {
		granted := p.steps + stepsPerReturn*int64(len(r.Returns))
		if p.onward {
			r.conflictLimit, r.stepLimit = math.MaxInt64, r.Steps+granted
			if d.outcome = r.loop(opened); d.outcome != undecided {
				return d
			}
		}
		if r.broken == nil {
			r.space = dual.NewSpace(r.Layout, &r.Table, &r.Account)
		}
		if r.space != nil && r.Words == 1 {
			r.conflictLimit, r.stepLimit = r.conflicts+p.targeted+int64(len(r.Returns))/p.returns, r.Steps+granted
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

// decideByDual is the third phase. If it does not decide, it leaves r.bounds for the fourth.
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

// Evidence looks for a proof that a partition is not linearizable (a *proof.DualBound) by the third
// phase alone, for a partition that another engine has refuted. It returns nil if that phase does
// not refute within the limits.
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
