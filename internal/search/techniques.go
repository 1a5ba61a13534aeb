package search

// What: the table of techniques, in the order in which they are tried on a partition. Each one is
// exact when it decides. Its file says what it is.
//
// First come searches that need no preparation or refute at once, then the depth-first search until
// it has failed a few times: most partitions end there. What follows is for hard partitions: their
// shape (components, late returns, cases, collections, locks), then searches that only find (few)
// or only refute (jumps), and what prunes the others (insertion-order). All of these have limits of
// their own, or decide.
//
// With pending operations, the last ones take turns (rounds.go), so that none waits for what does
// not decide: the depth-first search goes on, and where states are few it goes on with targets, and
// the dual problem is solved. If that does not decide, it leaves bounds, which the search respects
// from then on.
//
// Everything runs on one goroutine: answers and effort depend on the partition alone.

import (
	"cmp"
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
	begin   func(r *wgl.Run, p pending.Plan) turn // in the place of decide: it takes turns
	needed  bool                                  // the depth-first search, never left out
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
		{name: "windows", applies: func(r *wgl.Run, p pending.Plan) bool {
			return hasPending(r, p) && holds(model.LIFO)(r, p)
		}, decide: only(decideByWindowsSoon)},
		{name: "few", applies: func(r *wgl.Run, _ pending.Plan) bool {
			return !hasCells(r)
		}, decide: only(pending.Few)},
		{name: "as-seen", decide: only(decideAsSeen)},
		{name: "jumps", applies: isLong, decide: only(pending.Jumps)},
		{name: "cases", decide: only(decideCases)},
		{name: "deque", applies: not(isLongDeque), decide: only(decideDeque)},
		{name: "fifo", applies: holds(model.FIFO), decide: only(decideFIFO)},
		{name: "windows", applies: holds(model.LIFO), decide: only(func(r *wgl.Run) wgl.Decision {
			return decideByWindows(r, math.MaxInt64)
		})},
		// without pending operations plain search is faster
		{name: "readers-writer", applies: hasPending, decide: only(decideReadersWriter)},
		{name: "insertion-order", decide: func(r *wgl.Run, _ pending.Plan) wgl.Decision {
			pruneInsertions(r)
			return wgl.Decision{Outcome: wgl.Undecided}
		}},
		{name: "approximated", decide: pending.Approximated},
		{name: "onward", applies: hasPending, begin: func(_ *wgl.Run, p pending.Plan) turn {
			return turn{steps: p.Onward, goOn: pending.Onward}
		}},
		{name: "targets", applies: hasPending, begin: func(r *wgl.Run, p pending.Plan) turn {
			return turn{steps: p.Targets, goOn: pending.Targets}
		}},
		{name: "dual", applies: hasPending, begin: beginDual},
		{name: "rest", needed: true, decide: decideTheRest},
	}
}

// Techniques returns the names of what can be left out.
func Techniques() []string {
	names := []string{oneWord}
	for _, t := range techniques {
		if !t.needed {
			names = append(names, t.name)
		}
	}
	return names
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

// tried reports whether a technique has its turn on a partition.
func (t *technique) tried(r *wgl.Run, p pending.Plan) bool {
	return (t.needed || !engine.LeftOut(t.name)) && (t.applies == nil || t.applies(r, p))
}

// decide tries the techniques until one decides or the search has to stop (wgl.GaveUp).
func decide(r *wgl.Run, p pending.Plan) (d wgl.Decision) {
	for _, t := range techniques {
		if t.begin != nil || !t.tried(r, p) {
			continue
		}
		if d = t.decide(r, p); d.Outcome != wgl.Undecided {
			d.By = cmp.Or(d.By, t.name)
			break
		}
		r.Aside += d.Steps
	}
	if d.Steps += r.Aside; d.Outcome == wgl.Found && d.Witness == nil {
		d.Witness = r.Linearization()
	}
	return d
}

// decideTheRest lets the techniques that take turns decide.
func decideTheRest(r *wgl.Run, p pending.Plan) wgl.Decision {
	var turns []turn
	for k := range techniques {
		if t := &techniques[k]; t.begin != nil && t.tried(r, p) {
			if x := t.begin(r, p); x.steps > 0 {
				x.name = t.name
				turns = append(turns, x)
			}
		}
	}
	return decideInTurns(r, turns)
}

// decidePlainly is the first part of the depth-first search.
func decidePlainly(r *wgl.Run, p pending.Plan) wgl.Decision {
	r.ConflictLimit, r.StepLimit = p.Plain, p.PlainSteps
	if model.As[*model.RevisionTheory](r.Instance) != nil {
		r.ConflictLimit, r.StepLimit = int64(len(r.Returns)), pending.StepsPerReturn*int64(len(r.Returns))
	}
	return wgl.Decision{Outcome: r.Search()}
}

// decideReadersWriter is the search on a readers-writer lock. It does not decide other partitions.
func decideReadersWriter(r *wgl.Run) wgl.Decision {
	return decideBy(r, math.MaxInt64, func(b *engine.Account) engine.Answer {
		return pending.ReadersWriter(r.Instance, b)
	})
}
