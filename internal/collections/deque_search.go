package collections

// What: the order in which the searches on a deque are tried: one linearization and its repairs
// (repair_search.go), which are quick where they get through; all configurations at once
// (deque_paths.go), for as many steps as recordings need; windows (deque_window_search.go), for
// histories that are too concurrent for that; and all configurations without a limit. At first
// these leave half of the memory to the windows. If that is reached between two returns, they
// cannot go on.
//
// Source: ours.
//
// Cost: that of its parts.

import (
	"math"
	"slices"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
)

// dequeSearch is the search.
type dequeSearch struct {
	windows *dequeWindows
	paths   *dequePaths
	by      collectionSearch // which found
}

// newDequeSearch returns the search; nil if the deque is too concurrent or too long. Initial values
// are listed from the front.
func newDequeSearch(ops []laneOp, initial []int32, budget *engine.Account) *dequeSearch {
	windows := newDequeWindows(ops, initial, budget)
	if windows == nil {
		return nil
	}
	s := &dequeSearch{windows: windows, paths: newDequePaths(slices.Clone(ops), initial, budget)}
	s.paths.most = budget.MostBytes / 2
	repairs := windows.bytes
	windows.bytes = func() int64 {
		if s.paths == nil {
			return repairs()
		}
		return repairs() + s.paths.bytes()
	}
	budget.Footprint = windows.bytes
	return s
}

// search answers found, failed, undecided or gaveUp.
func (s *dequeSearch) search() outcome {
	s.by = s.windows
	o := s.windows.repair.from(0)
	if o != undecided {
		return o
	}
	s.by = s.paths
	s.paths.steps = pathSteps + pathStepsEach*int64(len(s.windows.returns))
	if o = s.paths.search(); o != undecided {
		return o
	}
	if s.paths.broken {
		s.paths = nil
	}
	s.by = s.windows
	if o = s.windows.search(); o != undecided {
		return o
	}
	if s.paths == nil {
		return undecided
	}
	s.by = s.paths
	s.paths.steps, s.paths.most = math.MaxInt64, 0
	return s.paths.search()
}

// linearization returns the operations in order, after search has found one.
func (s *dequeSearch) linearization() []history.OpID { return s.by.linearization() }

// reached returns the first return that no configuration passes, after search has failed.
func (s *dequeSearch) reached() history.Rank { return s.windows.returns[s.paths.layer] }
