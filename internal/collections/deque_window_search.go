package collections

// What: deques whose values repeat, or that the monitor does not take. As for stacks
// (window_search.go), one linearization and its repairs go far, and where they stop the search of a
// part takes over (deque_contents.go), in which only some layers are free
// (deque_neighbourhoods.go). If that finds nothing, other layers are, and it may take longer.
//
// Source: ours, see window_search.go.
//
// What we changed: what is unknown about the contents of a deque is not a state that can be
// searched, since both ends may come down to it. So no window refutes, and this search finds a
// linearization or does not decide.
//
// Invariant: that of window_search.go: what is handed on is legal and respects the order.
//
// Cost: that of the search on what is free, up to the steps of a neighbourhood an attempt.

import (
	"slices"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
)

// dequeWindows is a search on one deque.
type dequeWindows struct {
	*windowSearch
	plan    []dequeRound
	moments bool // what passed last said when operations may take effect
}

// newDequeWindows returns the search; nil if the deque is too concurrent or too long. Initial
// values are listed from the front.
func newDequeWindows(ops []laneOp, initial []int32, budget *engine.Account) *dequeWindows {
	if s := newWindows(ops, initial, budget); s != nil {
		return &dequeWindows{windowSearch: s, plan: dequeRounds}
	}
	return nil
}

// search goes on after repairs that stopped. It answers found, undecided or gaveUp.
func (s *dequeWindows) search() outcome {
	for s.repair.stuckAt >= 0 {
		o, j := s.pass()
		if o != found {
			return o
		}
		if o = s.repair.from(int32(j)); o != undecided {
			return o
		}
	}
	return undecided
}

// pass finds a way past the layer that stopped the repairs, and returns the layer up to which the
// linearization is right then. In each round, neighbourhoods of the kind that passed last come
// first; in the last round there are no others.
func (s *dequeWindows) pass() (o outcome, layer int) {
	to := min(int(s.repair.stuckAt)+windowAhead, len(s.returns))
	for i, r := range s.plan {
		kinds := [2][]dequeNeighbourhood{r.free, r.moments}
		if s.moments {
			kinds[0], kinds[1] = kinds[1], kinds[0]
		}
		for k, kind := range kinds {
			if k == 1 && i == len(s.plan)-1 {
				break
			}
			for _, n := range kind {
				switch o := s.try(n, to); {
				case o == found:
					s.moments = s.moments != (k == 1)
					return found, to
				case o == gaveUp:
					return gaveUp, 0
				}
			}
		}
	}
	return undecided, 0
}

// try searches a window to a layer, in which a neighbourhood is free.
func (s *dequeWindows) try(n dequeNeighbourhood, to int) outcome {
	free := s.free(n)
	from := slices.Index(free, true)
	end := s.stopped().end
	ops, values, goal := s.window(from, to, free, func(x *laneOp) bool { return !n.oneEnd || x.end == end })
	w := newDequeContents(ops, values, goal, n.patience, s.Account)
	if w == nil {
		return undecided
	}
	if n.calls > 0 {
		w.moments, w.mostOdd = newDequeMoments(w.lane, n.calls, s.begins(from)*momentsApart), n.odd
		if n.keep {
			at := make([]history.Rank, len(s.repair.ops))
			for _, p := range s.repair.stuck {
				at[p.op] = p.at * momentsApart
			}
			w.moments.keep(w.lane, at)
		}
	}
	window := s.Footprint
	s.Footprint = func() int64 { return s.bytes() + window() }
	o := w.search()
	s.Footprint = s.bytes
	if o == found {
		s.repair.restart(s.follow(from, w.linearization()))
	}
	return o
}
