package wgl

// What: the table of techniques, in the order in which they are tried on a partition. Each one is
// exact when it decides; preparations decide nothing.
//
//   - Of a long partition, operations that explicit order and times order in a circle
//     (contradicted_order.go).
//
//   - Of a partition whose operations say what they touch, only what is connected
//     (independent.go): of a long one first, of others after the first phase.
//
//  0. A long deque: one linearization and its repairs, all configurations as paths, and windows
//     (deque_search.go).
//  1. The depth-first search (dfs.go), for plan.plain failed nodes. Most partitions end here.
//     Operations that return after everything else was called are then treated like pending ones,
//     in all phases (returns_last.go). With pending operations, and no cells but derived ones, few
//     are then used at each place (pending_few.go), which only finds; and so does the search in
//     which operations touch what they were seen to touch (independent.go). In a long partition
//     without a theory, all states to which pending operations lead come together
//     (pending_jumps.go), which only refutes.
//     Long partitions whose states have a number have another search before it, which uses pending
//     operations again and again (counted_reuse.go).
//     What the initial state leaves open is settled next (cases.go). In what follows, insertions
//     into queues without a theory wait for each other (first_in_turns.go).
//  2. With pending operations left: the depth-first search goes on, for as many steps as follow.
//     Then, with few states (dual.Space): the same search, but pending operations are only used to
//     reach targets (pending_effects_targeted.go), for plan.targeted more failed nodes, and more
//     for long histories.
//     Where there are many values, before that and without pending operations, too: two searches
//     for less and for more (pending_approximated.go), which leave out what values forbid that one
//     operation alone leaves (held_values.go).
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
	by       string       // the technique that decided
	// approximate says that the run's own search did not fail, so that it tells no frontier:
	// another search did, or another partition, with more linearizations, was refuted
	approximate bool
}

// technique is a row of the table: a way to decide a partition, or a preparation of those below it.
type technique struct {
	name    string
	applies func(r *run, p plan) bool // nil to every partition
	decide  func(r *run, p plan) decision
	needed  bool // the depth-first search, which cannot be left out
}

// techniques are tried from the first to the last. An answer names the one that decided
// (engine.Answer.By), and each but the needed ones can be left out (engine.LeftOut).
var techniques []technique

// init breaks a circle: a technique may decide another partition by all of them.
func init() {
	techniques = []technique{
		{name: "order", applies: isLong, decide: func(r *run, _ plan) decision { return r.decideOrder() }},
		{name: "deque", applies: isLongDeque, decide: func(r *run, _ plan) decision { return r.decideDeque() }},
		{name: "independent", applies: isLong, decide: func(r *run, _ plan) decision { return r.decideIndependently() }},
		{name: "reuse", applies: func(r *run, _ plan) bool { return r.counted != nil && len(r.Ops) >= longCounted },
			decide: func(r *run, _ plan) decision { return r.decideWithReuse() }},
		{name: "plain", needed: true, decide: (*run).decidePlainly},
		{name: "independent", applies: not(isLong), decide: func(r *run, _ plan) decision { return r.decideIndependently() }},
		{name: "returns-last", decide: func(r *run, p plan) decision { return r.decideReturnsLast(p, fewestLast, calledAfter) }},
		{name: "few", applies: func(r *run, _ plan) bool { return !hasCells(r) }, decide: func(r *run, _ plan) decision { return r.decideFew() }},
		{name: "as-seen", decide: func(r *run, _ plan) decision { return r.decideAsSeen() }},
		{name: "jumps", applies: isLong, decide: func(r *run, _ plan) decision { return r.decideByJumps() }},
		{name: "cases", decide: func(r *run, _ plan) decision { return r.decideCases() }},
		{name: "deque", applies: not(isLongDeque), decide: func(r *run, _ plan) decision { return r.decideDeque() }},
		{name: "fifo", applies: holds(model.FIFO), decide: func(r *run, _ plan) decision { return r.decideFIFO() }},
		{name: "windows", applies: holds(model.LIFO), decide: func(r *run, _ plan) decision { return r.decideByWindows() }},
		// without pending operations plain search is faster
		{name: "readers-writer", applies: hasPending, decide: func(r *run, _ plan) decision { return r.decideReadersWriter() }},
		{name: "turns", decide: func(r *run, _ plan) decision { r.takeTurns(); return decision{outcome: undecided} }},
		{name: "approximated", decide: (*run).decideApproximately},
		{name: "onward", applies: func(r *run, p plan) bool { return r.Classes > 0 && p.onward }, decide: (*run).decideOnward},
		{name: "targets", applies: hasPending, decide: (*run).decideByTargets},
		{name: "dual", applies: hasPending, decide: func(r *run, p plan) decision { return r.decideByDual(p.updates) }},
		{name: "rest", needed: true, decide: (*run).decideTheRest},
	}
}

func isLong(r *run, _ plan) bool      { return len(r.Ops) >= longOpaque }
func isLongDeque(r *run, _ plan) bool { return len(r.Ops) >= longDeque }
func hasPending(r *run, _ plan) bool  { return r.Classes > 0 }

func not(applies func(*run, plan) bool) func(*run, plan) bool {
	return func(r *run, p plan) bool { return !applies(r, p) }
}

// hasCells reports whether the theory is of cells that the specification states.
func hasCells(r *run) bool {
	_, cells := r.Instance.Theory.(*model.RegisterTheory)
	return cells && !model.Derived(r.Instance.Theory)
}

// holds reports whether the partition is one collection of that discipline, without explicit order.
func holds(d model.Discipline) func(*run, plan) bool {
	return func(r *run, _ plan) bool {
		t, ok := r.Instance.Theory.(*model.CollectionTheory)
		return ok && t.Discipline == d && len(t.Initial) == 1 && len(r.Instance.Partition.Edges) == 0
	}
}

// decide tries the techniques until one decides or the search has to stop (gaveUp).
func (r *run) decide(p plan) (d decision) {
	for _, t := range techniques {
		if !t.needed && engine.LeftOut(t.name) || t.applies != nil && !t.applies(r, p) {
			continue
		}
		if d = t.decide(r, p); d.outcome != undecided {
			d.by = t.name
			break
		}
		r.aside += d.steps
	}
	if d.steps += r.aside; d.outcome == found && d.witness == nil {
		d.witness = r.linearization()
	}
	return d
}

// decidePlainly is the first phase.
func (r *run) decidePlainly(p plan) decision {
	r.conflictLimit, r.stepLimit = p.plain, p.steps/plainShare
	if r.counted != nil {
		r.conflictLimit, r.stepLimit = int64(len(r.Returns)), stepsPerReturn*int64(len(r.Returns))
	}
	return decision{outcome: r.search()}
}

// decideReadersWriter is the phase of a readers-writer lock. It does not decide other partitions.
func (r *run) decideReadersWriter() decision {
	return r.decideBy(func(b *engine.Account) engine.Answer { return ReadersWriter(r.Instance, b) })
}

// granted is how many steps the second phase has.
func (r *run) granted(p plan) int64 { return p.steps + stepsPerReturn*int64(len(r.Returns)) }

// decideOnward goes on with the first phase, for as many steps as the second one has.
func (r *run) decideOnward(p plan) decision {
	r.conflictLimit, r.stepLimit = math.MaxInt64, r.Steps+r.granted(p)
	return decision{outcome: r.loop(opened)}
}

// hasSpace reports whether the specification has few states, which are known from here on.
func (r *run) hasSpace() bool {
	if r.space == nil && r.broken == nil {
		r.space = dual.NewSpace(r.Layout, &r.Table, &r.Account)
	}
	return r.space != nil && r.Words == 1
}

// decideByTargets is the second phase.
func (r *run) decideByTargets(p plan) (d decision) {
	if d.outcome = undecided; !r.hasSpace() {
		return d
	}
	r.conflictLimit, r.stepLimit = r.conflicts+p.targeted+int64(len(r.Returns))/p.returns, r.Steps+r.granted(p)
	d.outcome = r.loop(opened)
	return d
}

// decideTheRest is the fourth phase, or the first one again where there are no bounds.
func (r *run) decideTheRest(plan) decision {
	r.conflictLimit, r.stepLimit = math.MaxInt64, math.MaxInt64
	if r.bounds != nil {
		return decision{outcome: r.search()}
	}
	return decision{outcome: r.loop(opened)}
}

// decideByDual is the third phase. If it does not decide, it leaves r.bounds for the fourth.
func (r *run) decideByDual(updates int) (d decision) {
	if d.outcome = undecided; !r.hasSpace() {
		return d
	}
	b := engine.Account{Ctx: r.Ctx, Budget: r.Budget, Limit: r.Limit - r.Steps, Uncounted: r.Uncounted, MostBytes: r.MostBytes}
	defer b.Close()
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
	return r.decideByDual(defaultPlan.updates).evidence
}
