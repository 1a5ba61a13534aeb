package collections

// What: which part of a deque is searched again where the repairs stop (deque_window_search.go).
//
// What lies at an end when the repairs stop was pushed there when that end was as low as it never
// was again, or at the other end. So free are the layers in which the linearization has that end
// at most slack above the lowest that it reaches from there on, those in which the outermost items
// were pushed, and those near them. See window_neighbourhoods.go.
//
// There are two kinds. In some neighbourhoods few layers are free, and operations may take effect
// whenever they are open. In others many are free, but operations take effect near their call, near
// their return, or where the linearization has them (deque_moments.go).
//
// Source: ours.
//
// Cost: linear.

import "github.com/linsat/linsat/internal/model"

// free marks the layers that are free.
func (s *windowSearch) free(n dequeNeighbourhood) []bool {
	free := make([]bool, len(s.returns)+1)
	mark := func(l int) {
		for k := max(0, l-n.near); k < min(len(free), l+n.near/2+1); k++ {
			free[k] = true
		}
	}
	mark(int(s.repair.stuckAt))
	end, height, low := s.stopped().end, 0, 0
	for i := len(s.repair.stuck) - 1; i >= 0 && n.depth > 0; i-- {
		p := s.repair.stuck[i]
		if low = min(low, height); low < -n.depth {
			break
		}
		if height <= low+n.slack {
			mark(s.layerOf(p.at))
		}
		switch x := &s.repair.ops[p.op]; {
		case x.end != end:
		case x.does == model.Insert:
			height--
		case x.does == model.Remove && x.value != model.Nothing:
			height++
		}
	}
	for _, p := range s.outermost(n.pushes) {
		mark(s.layerOf(p.at))
	}
	return free
}
