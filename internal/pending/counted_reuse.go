package pending

// What: a partition whose states have a number (counted_states.go), decided by a search that has
// more: pending operations may take effect again and again, and the machine is lenient
// (model.RevisionTheory).
//
// Source: ours.
//
// Where many operations never returned, a violation late in the history makes the search go back
// through all that was left open before: which of several pending operations led to a number. Most
// of these choices leave the same state soon, but not the same operations, and a reason for the
// failure has to say which of them were used up. If operations are never used up, a configuration
// that failed has failed for good, and if states do not tell what nothing asks for, there are few.
//
// What is refuted like that has no linearization. What is found is repaired: before an operation
// that is not legal come one or two pending ones that change something else than the number. If the
// result is no linearization, this decides nothing.
//
// Invariant: pending operations that were not used are tried first, in the order of the classes.
//
// Cost: one search, within countedReuse failed nodes for each return. No operation raises the
// number twice, so it stays below where it begins plus the number of operations.

import (
	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/layout"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/proof"
	"github.com/linsat/linsat/internal/wgl"
)

// Reuse decides a partition whose states have a number, or does not.
func Reuse(r *wgl.Run) (d wgl.Decision) {
	d.Outcome = wgl.Undecided
	refuted := wgl.Decision{Outcome: wgl.Failed, Approximate: true,
		Evidence: &proof.Exhaustion{Weakening: proof.Everything()}}
	c := model.As[*model.RevisionTheory](r.Instance)
	switch {
	case c == nil || r.Classes == 0:
		return d
	case descends(r, c):
		return refuted
	}
	account := engine.Account{Ctx: r.Ctx, Budget: r.Budget, Limit: r.Limit - r.Steps, Uncounted: r.Uncounted,
		MostBytes: r.MostBytes}
	x := NewRun(layout.New(c.Lenient(), len(r.Ops)), account)
	x.MayForget(r.Budget, 1)
	defer x.Close()
	x.Unlimited, x.ConflictLimit, x.StepLimit = true, countedReuse*int64(len(r.Returns)),
		CaseSteps+StepsPerReturn*int64(len(r.Returns))
	o := x.Search()
	switch {
	case o == wgl.Failed:
		d = refuted
	case o == wgl.Found:
		if order, ok := repaired(r, c, x.Linearization()); ok && r.Legal(order) {
			d.Outcome, d.Witness = wgl.Found, order
		}
	}
	d.Steps = x.Steps
	return d
}

// repaired inserts pending operations where they make the next one legal. It reports whether that
// was enough.
func repaired(r *wgl.Run, c *model.RevisionTheory, order []history.OpID) (legal []history.OpID, ok bool) {
	used := make([]bool, len(r.Ops))
	for _, i := range order {
		used[i] = true
	}
	m := r.Instance.NewMachine()
	x := insertions{newCountedStates(r, c), r, m, used, nil}
	s := m.Init()
	for _, i := range order {
		t, ok := x.next(s, i, maxInserted)
		if !ok {
			return nil, false
		}
		s = t
	}
	return x.order, true
}

// insertions is an order in the making.
type insertions struct {
	states *countedStates
	*wgl.Run
	machine model.Machine
	used    []bool
	order   []history.OpID
}

// next takes an operation, after some others at most.
func (x *insertions) next(s model.State, i history.OpID, others int) (model.State, bool) {
	if next := x.machine.Step(s, i, nil); len(next) > 0 {
		x.order = append(x.order, i)
		return next[0], true
	}
	if others == 0 {
		return s, false
	}
	for _, topic := range x.states.counted.About[i] {
		for _, class := range x.states.onTopic[topic] {
			for _, q := range x.Members.Of(class) {
				if x.used[q] {
					continue
				}
				x.used[q] = true
				x.order = append(x.order, q)
				for _, t := range x.machine.Step(s, q, nil) {
					if u, ok := x.next(t, i, others-1); ok && t != s {
						return u, true
					}
				}
				x.used[q], x.order = false, x.order[:len(x.order)-1]
				break
			}
		}
	}
	return s, false
}
