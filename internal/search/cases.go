package search

// What: a partition whose initial state leaves something open, which later operations tell: a
// bounded queue of unknown capacity. It is searched with every value that this may have, each on
// its own, side by side.
//
// Source: ours. Plain search settles what is open where an operation first tells it, and finds out
// thousands of operations later that it was wrong. Most wrong values, taken for themselves, have no
// linearization up to a return near the beginning; the right one is hardly searched at all.
//
// Invariant: the partition is linearizable exactly if it is in one of the cases
// (BoundedQueueTheory.Cases).
//
// Cost: at most twice as many steps as the case that decides takes, times the number of cases.

import (
	"math"

	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/layout"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/pending"
	"github.com/linsat/linsat/internal/wgl"
)

// decideCases is the technique for partitions with cases. It does not decide others.
func decideCases(r *wgl.Run) (d wgl.Decision) {
	d.Outcome = wgl.Undecided
	queue := model.As[*model.BoundedQueueTheory](r.Instance)
	if queue == nil || queue.Cases == nil {
		return d
	}
	var open []*wgl.Run
	defer func() {
		for _, x := range open {
			x.Close()
		}
	}()
	instances := queue.Cases()
	for _, b := range instances {
		x := pending.NewRun(layout.New(b, len(r.Ops)), engine.Account{Ctx: r.Ctx, Budget: r.Budget,
			Limit: math.MaxInt64, Uncounted: r.Uncounted, MostBytes: r.MostBytes / int64(len(instances))})
		x.MayForget(r.Budget, len(instances))
		pruneInsertions(x)
		open = append(open, x)
	}
	lost := engine.NoCause // why a case was given up
	for limit := pending.CaseSteps + pending.StepsPerReturn*int64(len(r.Returns)); len(open) > 0; limit *= 2 {
		left := open[:0]
		for k, x := range open {
			before := x.Steps
			x.StepLimit, x.Limit = limit, x.Steps+r.Limit-r.Steps-d.Steps
			o := x.GoOn()
			d.Steps += x.Steps - before
			r.Deepest = max(r.Deepest, x.Deepest)
			switch o {
			case wgl.Undecided:
				left = append(left, x)
				continue
			case wgl.Found:
				d.Outcome, d.Witness = wgl.Found, x.Linearization()
			case wgl.GaveUp:
				lost, r.Broken = x.Cause, x.Broken
			}
			x.Close()
			if o == wgl.Found || o == wgl.GaveUp && lost != engine.Memory {
				open = append(left, open[k+1:]...)
				if o == wgl.GaveUp {
					d.Outcome = wgl.GaveUp
					r.Stop(lost)
				}
				return d
			}
		}
		open = left
	}
	if d.Outcome = wgl.Failed; lost != engine.NoCause {
		d.Outcome = wgl.GaveUp
		r.Stop(lost)
	}
	return d
}
