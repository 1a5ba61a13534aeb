package search

import (
	"math"
)

// replay plays a path of the relaxation with real operations. It is nil if the search has to stop.
func (r *run) replay(path []hop) []int32 {
	b := budget{ctx: r.ctx, meter: r.meter, limit: math.MaxInt64, free: true}
	p := newRunWith(r.layout, b, r.transitions)
	defer p.close()
	if !p.settle() {
		return nil
	}
	for k := range path {
		for _, step := range path[k].pending {
			p.take(p.members.of(step.class)[p.used[step.class]], step.state)
		}
		if !p.play(&path[k]) {
			return nil
		}
	}
	return p.linearization()
}

// play takes what leads from the current configuration to the end of a hop, by one operation at most besides
// those that are pure.
func (r *run) play(h *hop) bool {
	mark := len(r.trail)
	there := func() bool {
		if h.last {
			return r.final()
		}
		return r.j == h.layer && r.mask[0] == h.mask && r.state == h.state
	}
	if !r.settle() {
		return false
	}
	if there() {
		return true
	}
	r.undo(mark)
	n := int32(len(r.ops))
	for v := r.next[n]; v != n; v = r.next[v] {
		if r.in(v) {
			continue
		}
		code := r.lookup(r.state, v)
		for i := int32(0); ; i++ {
			t, ok := r.transitions.next(code, i)
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
