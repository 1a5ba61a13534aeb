package wgl

// What: deques whose values repeat, or that the monitor does not take. As for stacks
// (window_search.go), one linearization and its repairs go far, and where they stop the search of a
// part takes over (deque_contents.go), in which only some layers are free
// (deque_neighbourhoods.go). If that finds nothing, other layers are, and it may take longer. In
// histories that are nearly sequential many linearizations at once (deque_worlds.go) may get
// further than the repairs; then windows start from the likeliest of these.
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
	crowded bool // worlds do not help
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

// search answers found, undecided or gaveUp.
func (s *dequeWindows) search() outcome {
	for j := 0; ; {
		start := s.repair.sequence(nil)
		o := s.repair.from(int32(j))
		if o != undecided || s.repair.stuckAt < 0 {
			return o
		}
		from := j
		for _, most := range []int{mostWorlds, moreWorlds} {
			if o = s.split(start, from, most); o != undecided {
				return o
			}
			if o, j = s.pass(); o != undecided || s.crowded {
				break
			}
		}
		if o != found {
			return o
		}
	}
}

// split looks whether so many worlds get further than repairs do after a legal sequence. It answers
// found, undecided or gaveUp.
func (s *dequeWindows) split(start []placed, layer, most int) outcome {
	if s.crowded {
		return undecided
	}
	w := newDequeWorlds(s.repair, start, layer, most, s.Account)
	if w == nil {
		s.crowded = true
		return undecided
	}
	s.Footprint = func() int64 { return s.bytes() + w.bytes() }
	o := w.search()
	s.Footprint = s.bytes
	switch o {
	case found:
		s.repair.restart(w.sequence(true))
		if s.repair.legal() {
			return found
		}
	case failed:
		if w.layer > s.repair.stuckAt {
			s.repair.stuck, s.repair.stuckAt = w.sequence(false), w.layer
		}
	case undecided:
		s.crowded = true
	case gaveUp:
		return gaveUp
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
