package wgl

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
)

// replay returns the linearization of a path, nil if the search has to stop.
func (r *run) replay(path []dual.Hop) []history.OpID {
	b := engine.Account{Ctx: r.Ctx, Budget: r.Budget, Limit: math.MaxInt64, Uncounted: true}
	p := newRunWith(r.Layout, b, r.Table)
	defer p.Close()
	if !p.settle() {
		return nil
	}
	for k := range path {
		for _, step := range path[k].Pending {
			p.take(p.Members.Of(step.Class)[p.used[step.Class]], step.State)
		}
		if !p.play(&path[k]) {
			return nil
		}
	}
	return p.linearization()
}

// play takes the operations that lead from the current configuration to the end of a hop: at most
// one besides read-only ones.
func (r *run) play(h *dual.Hop) bool {
	mark := len(r.trail)
	there := func() bool {
		if h.Last {
			return r.final()
		}
		return r.depth == h.Layer && r.mask[0] == h.Mask && r.state == h.State
	}
	if !r.settle() {
		return false
	}
	if there() {
		return true
	}
	r.undo(mark)
	n := history.OpID(len(r.Ops))
	for v := r.next[n]; v != n; v = r.next[v] {
		if r.in(v) {
			continue
		}
		code := r.Lookup(r.state, v)
		for i := int32(0); ; i++ {
			t, ok := r.Table.Next(code, i)
			if !ok {
				break
			}
			r.take(v, t)
			if !r.settle() {
				return false
			}
			if there() {
				return true
			}
			r.undo(mark)
		}
	}
	return false
}
