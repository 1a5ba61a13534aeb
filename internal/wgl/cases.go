package wgl

// What: a partition whose initial state leaves something open, which later operations tell: a
// bounded queue of unknown capacity. It is searched with every value that this may have, each on
// its own, side by side.
//
// Source: ours. Plain search settles what is open where an operation first tells it, and finds out
// thousands of operations later that it was wrong. Most wrong values, taken for themselves, have no
// linearization up to a return near the beginning; the right one is hardly searched at all.
//
// Invariant: the partition is linearizable exactly if it is in one of the cases (Instance.Cases).
//
// Cost: at most twice as many steps as the case that decides takes, times the number of cases.

import (
	"math"

	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/layout"
)

// decideCases is the phase of a partition with cases. It does not decide others.
func (r *run) decideCases() (d decision) {
	d.outcome = undecided
	if r.Instance.Cases == nil {
		return d
	}
	var open []*run
	defer func() {
		for _, x := range open {
			x.Close()
		}
	}()
	instances := r.Instance.Cases()
	for _, b := range instances {
		x := newRun(layout.New(b, len(r.Ops)), engine.Account{Ctx: r.Ctx, Budget: r.Budget, Limit: math.MaxInt64, Uncounted: r.Uncounted, MostBytes: r.MostBytes / int64(len(instances))})
		x.mayForget(r.Budget, len(instances))
		x.takeTurns()
		open = append(open, x)
	}
	lost := engine.NoCause // why a case was given up
	for limit := caseSteps + stepsPerReturn*int64(len(r.Returns)); len(open) > 0; limit *= 2 {
		left := open[:0]
		for k, x := range open {
			before := x.Steps
			x.stepLimit, x.Limit = limit, x.Steps+r.Limit-r.Steps-d.steps
			o := x.goOn()
			d.steps += x.Steps - before
			r.deepest = max(r.deepest, x.deepest)
			switch o {
			case undecided:
				left = append(left, x)
				continue
			case found:
				d.outcome, d.witness = found, x.linearization()
			case gaveUp:
				lost, r.broken = x.Cause, x.broken
			}
			x.Close()
			if o == found || o == gaveUp && lost != engine.Memory {
				open = append(left, open[k+1:]...)
				if o == gaveUp {
					d.outcome = gaveUp
					r.Stop(lost)
				}
				return d
			}
		}
		open = left
	}
	if d.outcome = failed; lost != engine.NoCause {
		d.outcome = gaveUp
		r.Stop(lost)
	}
	return d
}

// goOn begins the search, or continues it after its limit.
func (r *run) goOn() outcome {
	if len(r.frames) == 0 {
		return r.search()
	}
	return r.loop(opened)
}
