package wgl

// What: deques whose values repeat, or that the monitor does not take. As for stacks
// (window_search.go), one linearization and its repairs go far, and where they stop the search of a
// part takes over (deque_contents.go), in which only some layers are free. If that finds nothing,
// twice as many layers are free; if it takes too long, it may take twice as long.
//
// Source: ours, see window_search.go.
//
// What we changed: what is unknown about the contents of a deque is not a state that can be
// searched, since both ends may come down to it. So no window refutes, and this search finds a
// linearization or does not decide.
//
// Invariant: that of window_search.go: what is handed on is legal and respects the order.
//
// Cost: that of the search on what is free, up to mostPatience steps an attempt.

import (
	"slices"

	"github.com/linsat/linsat/internal/engine"
)

// dequeWindows is a search on one deque.
type dequeWindows struct {
	*windowSearch
	plan dequePlan
}

// dequePlan says how large windows are, and how many steps they take, at first and at most.
type dequePlan struct {
	near, depth                 int
	firstPatience, mostPatience int64
}

// newDequeWindows returns the search; nil if the deque is too concurrent or too long. Initial
// values are listed from the front.
func newDequeWindows(ops []laneOp, initial []int32, budget *engine.Account) *dequeWindows {
	if s := newWindows(ops, initial, budget); s != nil {
		return &dequeWindows{s, dequePlan{nearPush, fewPushes, firstPatience, mostPatience}}
	}
	return nil
}

// search answers found, undecided or gaveUp.
func (s *dequeWindows) search() outcome {
	for j := 0; ; {
		o := s.repair.from(int32(j))
		if o != undecided || s.repair.stuckAt < 0 {
			return o
		}
		if o, j = s.pass(); o != found {
			return o
		}
	}
}

// pass finds a way past the layer that stopped the repairs, and returns the layer up to which the
// linearization is right then.
func (s *dequeWindows) pass() (o outcome, layer int) {
	at := int(s.repair.stuckAt)
	to := min(at+windowAhead, len(s.returns))
	near, depth, patience := s.plan.near, s.plan.depth, s.plan.firstPatience
	for patience <= s.plan.mostPatience {
		free := s.free(at, near, depth)
		from := slices.Index(free, true)
		ops, values, goal := s.window(from, to, free, nil)
		w := newDequeContents(ops, values, goal, patience, s.Account)
		if w == nil {
			return undecided, 0
		}
		window := s.Footprint
		s.Footprint = func() int64 { return s.bytes() + window() }
		o = w.search()
		s.Footprint = s.bytes
		switch o {
		case found:
			s.repair.restart(s.follow(from, w.linearization()))
			return found, to
		case gaveUp:
			return gaveUp, 0
		case failed:
			if !slices.Contains(free[:to], false) {
				return undecided, 0
			}
			near, depth = 2*near, 2*depth
		default:
			near, depth, patience = near+1, depth+1, 2*patience
		}
	}
	return undecided, 0
}

// free marks the layers near one and near those in which what lay on top then was pushed, as deep
// as given: those before it, and half as many after it.
func (s *windowSearch) free(layer, near, depth int) []bool {
	free := make([]bool, len(s.returns)+1)
	mark := func(l int) {
		for k := max(0, l-near); k < min(len(free), l+near/2+1); k++ {
			free[k] = true
		}
	}
	mark(layer)
	for _, p := range s.outermost(depth) {
		mark(s.layerOf(p.at))
	}
	return free
}
