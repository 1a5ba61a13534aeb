package pending

// What: a path of the relaxation that uses no more than there is, turned into a linearization by
// executing it with real operations.
//
// Source: ours.
//
// Invariant: between two hops at most one completed operation is chosen; the rest is
// wgl/just_in_time.go.
//
// Cost: one pass over the path, with the open operations at each hop.

import (
	"math"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/dual"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/wgl"
)

// replay returns the linearization of a path, nil if the search has to stop.
func replay(r *wgl.Run, path []dual.Hop) []history.OpID {
	b := engine.Account{Ctx: r.Ctx, Budget: r.Budget, Limit: math.MaxInt64, Uncounted: true}
	p := wgl.NewRunWith(r.Layout, b, r.Table)
	defer p.Close()
	if !p.Settle() {
		return nil
	}
	for k := range path {
		for _, step := range path[k].Pending {
			p.Take(p.Members.Of(step.Class)[p.Used[step.Class]], step.State)
		}
		if !play(p, &path[k]) {
			return nil
		}
	}
	return p.Linearization()
}

// play takes the operations that lead from the current configuration to the end of a hop: at most
// one besides read-only ones.
func play(r *wgl.Run, h *dual.Hop) bool {
	mark := len(r.Trail)
	there := func() bool {
		if h.Last {
			return r.Final()
		}
		return r.Depth == h.Layer && r.Mask[0] == h.Mask && r.State == h.State
	}
	if !r.Settle() {
		return false
	}
	if there() {
		return true
	}
	r.Undo(mark)
	n := history.OpID(len(r.Ops))
	for v := r.NextOpen[n]; v != n; v = r.NextOpen[v] {
		if r.In(v) {
			continue
		}
		code := r.Lookup(r.State, v)
		for i := int32(0); ; i++ {
			t, ok := r.Table.Next(code, i)
			if !ok {
				break
			}
			r.Take(v, t)
			if !r.Settle() {
				return false
			}
			if there() {
				return true
			}
			r.Undo(mark)
		}
	}
	return false
}

// Onward lets the depth-first search go on for so many steps. Once there are bounds, that is what
// Targets does.
func Onward(r *wgl.Run, steps int64) (d wgl.Decision, more bool) {
	if d.Outcome = wgl.Undecided; r.Bounded() {
		return d, false
	}
	r.Targets = false
	return goOn(r, steps), true
}

// Targets lets it go on, too, with pending operations only used to reach targets (wgl/closure.go).
// It cannot if the specification has too many states.
func Targets(r *wgl.Run, steps int64) (d wgl.Decision, more bool) {
	if d.Outcome = wgl.Undecided; !r.HasSpace() {
		return d, false
	}
	r.Targets = true
	return goOn(r, steps), true
}

// goOn lets the depth-first search go on.
func goOn(r *wgl.Run, steps int64) wgl.Decision {
	r.ConflictLimit, r.StepLimit = math.MaxInt64, r.Steps+min(steps, math.MaxInt64-r.Steps)
	return wgl.Decision{Outcome: r.GoOn()}
}

// Dual is the dual problem of a partition while it is solved (package dual).
type Dual struct {
	r       *wgl.Run
	account engine.Account
	solver  *dual.Solver
}

// NewDual returns what solves it.
func NewDual(r *wgl.Run) *Dual {
	return &Dual{r: r, account: engine.Account{Ctx: r.Ctx, Budget: r.Budget, Uncounted: r.Uncounted,
		MostBytes: r.MostBytes}}
}

// GoOn works for about so many steps, and moves multipliers so many times in all at most. If these
// do not decide, the search begins again, with what it has learned and with bounds.
func (x *Dual) GoOn(steps int64, updates int) (d wgl.Decision, more bool) {
	if d.Outcome = wgl.Undecided; !x.r.HasSpace() {
		return d, false
	}
	if x.solver == nil {
		x.solver = x.r.Space.Solver(&x.account)
	}
	before := x.account.Steps
	x.account.Limit = before + x.r.Limit - x.r.Steps - x.r.Aside
	s := x.solver.GoOn(steps, updates)
	switch s.Status {
	case dual.Refuted:
		d.Outcome, d.Evidence = wgl.Failed, s.Refutation
	case dual.Linearizable:
		if d.Witness = replay(x.r, s.Path); d.Witness != nil {
			d.Outcome = wgl.Found
		}
	case dual.Undecided:
		x.r.Restart(s.Bounds)
	}
	x.account.Rest()
	d.Steps = x.account.Steps - before
	return d, s.Status == dual.Paused
}

// Close gives back what it holds.
func (x *Dual) Close() { x.account.Close() }
