package search

// What: techniques that take turns on a partition, until one decides.
//
// Source: dovetailing.
//
// Why: one after the other, a technique that does not decide costs all of its limit: of a register,
// a dual problem that was not solved took twenty times as long as the search that came after it.
//
// Invariants: each goes on where it stopped. Turns are counted in steps, not in time.
//
// Cost: as much for each other technique as for the one that decides, and a turn.

import (
	"math"

	"github.com/linsat/linsat/internal/pending"
	"github.com/linsat/linsat/internal/wgl"
)

// turn is a technique at work on a partition.
type turn struct {
	name  string
	steps int64                                             // of one turn
	goOn  func(*wgl.Run, int64) (d wgl.Decision, more bool) // without more it cannot go on
	end   func()                                            // nil for nothing
}

// decideInTurns lets techniques take turns while there are some that can go on, and then lets the
// depth-first search go on to its end.
func decideInTurns(r *wgl.Run, turns []turn) wgl.Decision {
	defer func() {
		for _, x := range turns {
			if x.end != nil {
				x.end()
			}
		}
	}()
	for live := turns; len(live) > 0; {
		left := live[:0:0]
		for _, x := range live {
			d, more := x.goOn(r, x.steps)
			if d.Outcome != wgl.Undecided {
				d.By = x.name
				return d
			}
			if r.Aside += d.Steps; more {
				left = append(left, x)
			}
		}
		live = left
	}
	r.ConflictLimit, r.StepLimit = math.MaxInt64, math.MaxInt64
	return wgl.Decision{Outcome: r.GoOn()}
}

// beginDual begins with the dual problem.
func beginDual(r *wgl.Run, p pending.Plan) turn {
	x := pending.NewDual(r)
	return turn{steps: p.Dual, end: x.Close, goOn: func(_ *wgl.Run, steps int64) (wgl.Decision, bool) {
		return x.GoOn(steps, p.Updates)
	}}
}
