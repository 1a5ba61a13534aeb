package pending

// What: a path of the relaxation that uses no more than there is, turned into a linearization by
// executing it with real operations.
//
// Source: ours.
//
// Invariant: between two hops at most one completed operation is chosen; the rest is
// just_in_time.go.
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

// granted is how many steps the second phase has.
func granted(r *wgl.Run, p Plan) int64 { return p.Steps + StepsPerReturn*int64(len(r.Returns)) }

// Onward goes on with the first phase, for as many steps as the second one has.
func Onward(r *wgl.Run, p Plan) wgl.Decision {
	r.ConflictLimit, r.StepLimit = math.MaxInt64, r.Steps+granted(r, p)
	return wgl.Decision{Outcome: r.GoOn()}
}

// Targets is the second phase.
func Targets(r *wgl.Run, p Plan) (d wgl.Decision) {
	if d.Outcome = wgl.Undecided; !r.HasSpace() {
		return d
	}
	r.ConflictLimit, r.StepLimit = r.Conflicts+p.Targeted+int64(len(r.Returns))/p.Returns, r.Steps+granted(r, p)
	d.Outcome = r.GoOn()
	return d
}

// Dual is the third phase. If it does not decide, it leaves r.bounds for the fourth.
func Dual(r *wgl.Run, updates int) (d wgl.Decision) {
	if d.Outcome = wgl.Undecided; !r.HasSpace() {
		return d
	}
	b := engine.Account{Ctx: r.Ctx, Budget: r.Budget, Limit: r.Limit - r.Steps, Uncounted: r.Uncounted,
		MostBytes: r.MostBytes}
	defer b.Close()
	switch x := r.Space.Solve(&b, updates); x.Status {
	case dual.Refuted:
		d.Outcome, d.Evidence = wgl.Failed, x.Refutation
	case dual.Linearizable:
		if d.Witness = replay(r, x.Path); d.Witness != nil {
			d.Outcome = wgl.Found
		}
	case dual.Undecided:
		r.Restart(x.Bounds)
	}
	d.Steps = b.Steps
	return d
}
