package search

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
//     are then used at each place (pending/few.go), which only finds; and so does the search in
//     which operations touch what they were seen to touch (independent.go). In a long partition
//     without a theory, all states to which pending operations lead come together
//     (pending/jumps.go), which only refutes.
//     Long partitions whose states have a number have another search before it, which uses pending
//     operations again and again (counted_reuse.go).
//     What the initial state leaves open is settled next (cases.go). In what follows, insertions
//     into queues without a theory wait for each other (turns.go).
//  2. With pending operations left: the depth-first search goes on, for as many steps as follow.
//     Then, with few states (dual.Space): the same search, but pending operations are only used to
//     reach targets (wgl/closure.go), for plan.targeted more failed nodes, and more
//     for long histories.
//     Where there are many values, before that and without pending operations, too: two searches
//     for less and for more (pending/approximated.go), which leave out what values forbid that one
//     operation alone leaves (held_values.go).
//  3. The dual bound (package dual), which refutes with a proof or finds a linearization. Queues
//     and stacks have phases of their own instead (besides.go), and so have readers-writer
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
	"math"

	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/pending"
	"github.com/linsat/linsat/internal/wgl"
)

// technique is a row of the table: a way to decide a partition, or a preparation of those below it.
type technique struct {
	name    string
	applies func(r *wgl.Run, p pending.Plan) bool // nil to every partition
	decide  func(r *wgl.Run, p pending.Plan) wgl.Decision
	needed  bool // the depth-first search, which cannot be left out
}

// techniques are tried from the first to the last. An answer names the one that decided
// (engine.Answer.By), and each but the needed ones can be left out (engine.LeftOut).
var techniques []technique

// init breaks a circle: a technique may decide another partition by all of them.
func init() {
	techniques = []technique{
		{name: "order", applies: isLong, decide: only(decideOrder)},
		{name: "deque", applies: isLongDeque, decide: only(decideDeque)},
		{name: "independent", applies: isLong, decide: only(decideIndependently)},
		{name: "reuse", applies: func(r *wgl.Run, _ pending.Plan) bool {
			return model.As[*model.RevisionTheory](r.Instance) != nil && len(r.Ops) >= pending.LongCounted
		},
			decide: only(pending.Reuse)},
		{name: "plain", needed: true, decide: decidePlainly},
		{name: "independent", applies: not(isLong), decide: only(decideIndependently)},
		{name: "returns-last", decide: func(r *wgl.Run, p pending.Plan) wgl.Decision {
			return decideReturnsLast(r, p, fewestLast, calledAfter, decide)
		}},
		{name: "few", applies: func(r *wgl.Run, _ pending.Plan) bool {
			return !hasCells(r)
		}, decide: only(pending.Few)},
		{name: "as-seen", decide: only(decideAsSeen)},
		{name: "jumps", applies: isLong, decide: only(pending.Jumps)},
		{name: "cases", decide: only(decideCases)},
		{name: "deque", applies: not(isLongDeque), decide: only(decideDeque)},
		{name: "fifo", applies: holds(model.FIFO), decide: only(decideFIFO)},
		{name: "windows", applies: holds(model.LIFO), decide: only(decideByWindows)},
		// without pending operations plain search is faster
		{name: "readers-writer", applies: hasPending, decide: only(decideReadersWriter)},
		{name: "turns", decide: func(r *wgl.Run, _ pending.Plan) wgl.Decision {
			takeTurns(r)
			return wgl.Decision{Outcome: wgl.Undecided}
		}},
		{name: "approximated", decide: pending.Approximated},
		{name: "onward", applies: func(r *wgl.Run, p pending.Plan) bool {
			return r.Classes > 0 && p.Onward
		}, decide: pending.Onward},
		{name: "targets", applies: hasPending, decide: pending.Targets},
		{name: "dual", applies: hasPending, decide: func(r *wgl.Run, p pending.Plan) wgl.Decision {
			return pending.Dual(r, p.Updates)
		}},
		{name: "rest", needed: true, decide: decideTheRest},
	}
}

// only leaves out the limits, where a technique has its own.
func only(decide func(r *wgl.Run) wgl.Decision) func(r *wgl.Run, _ pending.Plan) wgl.Decision {
	return func(r *wgl.Run, _ pending.Plan) wgl.Decision { return decide(r) }
}

func isLong(r *wgl.Run, _ pending.Plan) bool      { return len(r.Ops) >= longOpaque }
func isLongDeque(r *wgl.Run, _ pending.Plan) bool { return len(r.Ops) >= longDeque }
func hasPending(r *wgl.Run, _ pending.Plan) bool  { return r.Classes > 0 }

func not(applies func(*wgl.Run, pending.Plan) bool) func(*wgl.Run, pending.Plan) bool {
	return func(r *wgl.Run, p pending.Plan) bool { return !applies(r, p) }
}

// hasCells reports whether the theory is of cells that the specification states.
func hasCells(r *wgl.Run) bool {
	_, cells := r.Instance.Axiomatic().(*model.RegisterTheory)
	return cells && !model.Derived(r.Instance.Axiomatic())
}

// holds reports whether the partition is one collection of that discipline, without explicit order.
func holds(d model.Discipline) func(*wgl.Run, pending.Plan) bool {
	return func(r *wgl.Run, _ pending.Plan) bool {
		t, ok := r.Instance.Theory.(*model.CollectionTheory)
		return ok && t.Discipline == d && len(t.Initial) == 1 && len(r.Instance.Partition.Edges) == 0
	}
}

// decide tries the techniques until one decides or the search has to stop (gaveUp).
func decide(r *wgl.Run, p pending.Plan) (d wgl.Decision) {
	for _, t := range techniques {
		if !t.needed && engine.LeftOut(t.name) || t.applies != nil && !t.applies(r, p) {
			continue
		}
		if d = t.decide(r, p); d.Outcome != wgl.Undecided {
			d.By = t.name
			break
		}
		r.Aside += d.Steps
	}
	if d.Steps += r.Aside; d.Outcome == wgl.Found && d.Witness == nil {
		d.Witness = r.Linearization()
	}
	return d
}

// decidePlainly is the first phase.
func decidePlainly(r *wgl.Run, p pending.Plan) wgl.Decision {
	r.ConflictLimit, r.StepLimit = p.Plain, p.Steps/plainShare
	if model.As[*model.RevisionTheory](r.Instance) != nil {
		r.ConflictLimit, r.StepLimit = int64(len(r.Returns)), pending.StepsPerReturn*int64(len(r.Returns))
	}
	return wgl.Decision{Outcome: r.Search()}
}

// decideReadersWriter is the phase of a readers-writer lock. It does not decide other partitions.
func decideReadersWriter(r *wgl.Run) wgl.Decision {
	return decideBy(r, func(b *engine.Account) engine.Answer { return pending.ReadersWriter(r.Instance, b) })
}

// decideTheRest is the fourth phase, or the first one again where there are no bounds.
func decideTheRest(r *wgl.Run, _ pending.Plan) wgl.Decision {
	r.ConflictLimit, r.StepLimit = math.MaxInt64, math.MaxInt64
	return wgl.Decision{Outcome: r.GoOn()}
}
