package search

// What: operations that return after everything else was called, as users of Porcupine record an
// unknown outcome: with a return invented at the end.
//
// Source: ours. Porcupine itself has no pending operations (its documentation advises this).
//
// Why: nothing is called after such an operation has returned, so it may take effect at any time
// after its call, and last at the latest. As a completed operation it is open at every node, in the
// mask of every configuration, and a candidate everywhere. As a pending one it is used only where
// that is needed, and those that do the same are used in turn.
//
// How: all techniques decide the partition in which these operations are pending, with their
// results as recorded. That has more linearizations, so that its refutation is one of this. What an
// order that was found leaves out is appended to it, in any order that works; if none is found
// greedily, the techniques decide the partition as it is.
//
// Only operations after which many others are called are looked at: those of ordinary histories
// that are open in the end are as good as they are. Read-only ones are left as they are, too.
//
// Invariant: an order that is returned is a linearization of the partition as it is.
//
// Cost: at most lastEach steps for each operation and lastLeast more; the square of the number of
// these operations for what is appended.

import (
	"slices"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/inorder"
	"github.com/linsat/linsat/internal/layout"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/pending"
	"github.com/linsat/linsat/internal/wgl"
)

// decideReturnsLast decides a partition in which at least so many operations return last, each
// before so many other calls, by the techniques that decide tries, or nothing.
func decideReturnsLast(r *wgl.Run, p pending.Plan, fewest, before int,
	decide func(*wgl.Run, pending.Plan) wgl.Decision) (d wgl.Decision) {
	d.Outcome = wgl.Undecided
	late := returnLast(r, before)
	if len(late) < fewest {
		return d
	}
	b, part := *r.Instance, *r.Instance.Partition
	part.Ops = slices.Clone(part.Ops)
	for _, i := range late {
		part.Ops[i].Return = history.Never
	}
	b.Partition = &part
	limit := min(r.Limit-r.Steps, lastLeast+lastEach*int64(len(r.Ops)))
	x := pending.NewRun(layout.New(&b, len(r.Ops)), engine.Account{Ctx: r.Ctx, Budget: r.Budget, Limit: limit,
		Uncounted: r.Uncounted, MostBytes: r.MostBytes})
	x.MayForget(r.Budget, 1)
	defer x.Close()
	d = decide(x, p)
	d.Steps += x.Steps
	d.Evidence, d.Approximate, d.By = nil, true, ""
	switch d.Outcome {
	case wgl.GaveUp:
		if r.Broken = x.Broken; x.Cause == engine.Steps && limit < r.Limit-r.Steps &&
			(r.Uncounted || r.Budget.Left() > 0) {
			d.Outcome = wgl.Undecided
		} else {
			r.Stop(x.Cause)
		}
	case wgl.Found:
		if d.Witness = complete(r, d.Witness, late); d.Witness == nil {
			d.Outcome = wgl.Undecided
		}
	}
	return d
}

// returnLast lists the operations that return after everything was called, and are called before at
// least so many others.
func returnLast(r *wgl.Run, before int) (late []history.OpID) {
	switch r.Instance.Theory.(type) {
	case *model.CollectionTheory, *model.CountingTheory, *model.BoundedQueueTheory:
		return nil
	}
	if len(r.Instance.Partition.Edges) > 0 || len(r.Ops) <= before || r.Instance.Partition.Drains > 0 {
		return nil
	}
	last := r.Ops[len(r.Ops)-1].Call // they are sorted by call
	for i := range len(r.Ops) - before {
		if op := history.OpID(i); r.Completed(op) && r.Ops[i].Return > last && !r.Instance.ReadOnly[i] {
			late = append(late, op)
		}
	}
	return late
}

// complete appends those of the late operations to an order that it leaves out, each as soon as the
// states allow it; nil if some are left.
func complete(r *wgl.Run, order, late []history.OpID) []history.OpID {
	m := r.Instance.NewMachine()
	states := []model.State{m.Init()}
	after := func(i history.OpID) (next []model.State) {
		for _, s := range states {
			next = m.Step(s, i, next)
		}
		return inorder.Distinct(next)
	}
	left := map[history.OpID]bool{}
	for _, i := range late {
		left[i] = true
	}
	for _, i := range order {
		delete(left, i)
		if states = after(i); len(states) == 0 {
			return nil
		}
	}
	order = slices.Clone(order)
	for more := true; more && len(left) > 0; {
		more = false
		for _, i := range late {
			if !left[i] {
				continue
			}
			if next := after(i); len(next) > 0 {
				delete(left, i)
				order, states, more = append(order, i), next, true
			}
		}
	}
	if len(left) > 0 || !r.Legal(order) {
		return nil
	}
	return order
}
