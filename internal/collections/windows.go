package collections

// What: what the searches on stacks (window_search.go) and on deques (deque_window_search.go) have
// in common: the linearization that stopped, what it holds at a moment, and the operations of a
// part of it as a window, in which some stay where they are.
//
// Source: ours, see window_search.go.
//
// Invariant: an operation that stays where it is has its call and its return moved together, within
// its own, so what is found in a window respects the order of the history.
//
// Cost: linear in the linearization.

import (
	"slices"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/model"
)

// windowSearch is a search on one stack, or what one on a deque (deque_window_search.go) shares
// with it.
type windowSearch struct {
	*engine.Account
	ops     []laneOp // by call
	initial []int32
	values  int
	repair  *repair
	returns []history.Rank // ranks, ascending
	bytes   func() int64
	plan    windowPlan
	refutes bool         // everything from the start refutes, or the operations on some values
	refuted chosenValues // on which ones; nil for all
	reached history.Rank // of what refutes, the first return that none of its items passes
	asked   chosenValues // the last ones that did not refute soon,
	askedTo int          // up to this layer
	over    *lifo        // the last window that was not large, or nil
	refuter *layered     // the last one that might have refuted alone, if it was not large, or nil
}

// windowPlan says how large windows are; see the defaults.
type windowPlan struct {
	neighbourhoods []neighbourhood
	ahead          int
}

// newWindows returns what a search on a stack or a deque looks for windows with, nil if it is too
// concurrent or too long. Initial values are listed from end 0.
func newWindows(ops []laneOp, initial []int32, budget *engine.Account) *windowSearch {
	s := &windowSearch{Account: budget, ops: ops, initial: initial}
	for i := range s.ops {
		if o := &s.ops[i]; o.call >= history.Never/momentsApart || o.ret >= history.Never/momentsApart &&
			o.ret != history.Never {
			return nil
		}
	}
	if s.repair = newRepair(slices.Clone(s.ops), s.initial, windowRetries, budget); s.repair == nil {
		return nil
	}
	s.repair.remembers, s.bytes = true, s.Footprint
	for _, r := range s.repair.lane.returns {
		s.returns = append(s.returns, s.repair.lane.ops[r].ret)
	}
	return s
}

// stops returns the first return that no item of a window passes.
func (s *windowSearch) stops(w *lifo) history.Rank {
	deepest := int32(0)
	for i := range w.items {
		deepest = max(deepest, w.lane.begun[w.items[i].begun].layer)
	}
	return w.lane.ops[w.lane.returns[deepest]].ret
}

// run runs a search on a window.
func (s *windowSearch) run(w collectionSearch) outcome {
	window := s.Footprint
	s.Footprint = func() int64 { return s.bytes() + window() }
	o := w.search()
	s.Footprint = s.bytes
	kept := window() <= keptWindow
	switch w := w.(type) {
	case *lifo:
		if s.over = nil; kept {
			s.over = w
		}
	case *layered:
		if s.refuter = nil; kept {
			s.refuter = w
		}
	}
	return o
}

// outermost returns the pushes of what lies nearest to the end at which the operation works that
// could not return, the outermost first.
func (s *windowSearch) outermost(depth int) []placed {
	contents := s.contents(history.Never)
	if s.stopped().end == 1 {
		slices.Reverse(contents)
	}
	return contents[:min(depth, len(contents))]
}

// stopped returns the operation that could not return.
func (s *windowSearch) stopped() *laneOp {
	return &s.repair.lane.ops[s.repair.lane.returns[s.repair.stuckAt]]
}

// layerOf returns the layer that ends with the return of this rank, or in which the rank lies.
func (s *windowSearch) layerOf(rank history.Rank) int {
	l, _ := slices.BinarySearch(s.returns, rank)
	return l
}

// begins returns the rank of the last return before a layer, -1 for none.
func (s *windowSearch) begins(layer int) history.Rank {
	if layer == 0 {
		return -1
	}
	return s.returns[layer-1]
}

// contents returns the pushes that are there after what the linearization does up to a moment, from
// end 0.
func (s *windowSearch) contents(until history.Rank) []placed {
	var in [2][]placed // on the side of each end, the outermost last
	for _, p := range s.repair.stuck {
		if p.at > until {
			break
		}
		x := &s.repair.ops[p.op]
		switch near, far := &in[x.end], &in[1-x.end]; {
		case x.does == model.Insert:
			*near = append(*near, p)
		case x.does != model.Remove || x.value == model.Nothing:
		case len(*near) > 0:
			*near = (*near)[:len(*near)-1]
		case len(*far) > 0:
			*far = (*far)[1:]
		}
	}
	slices.Reverse(in[0])
	return append(in[0], in[1]...)
}

// window returns the operations from one layer to another, the contents before them, and how many
// of them return. Operations that are not open in a free layer, or on another value than the
// chosen ones, stay where the linearization has them.
func (s *windowSearch) window(from, to int, free []bool, chosen func(x *laneOp) bool) (ops []laneOp,
	values []int32, goal int32) {
	begins, ends := s.begins(from), s.begins(to)
	for _, p := range s.contents(begins) {
		values = append(values, s.repair.ops[p.op].value)
	}
	const before = -1
	moment := make([]history.Rank, len(s.repair.ops)) // of those that stay where they are
	last, n := history.Rank(-1), history.Rank(0)
	for _, p := range s.repair.stuck {
		if p.at <= begins {
			moment[p.op] = before
			continue
		}
		if p.at != last {
			last, n = p.at, 0
		}
		x := &s.repair.ops[p.op]
		if n += 2; x.ret == history.Never || n+2 > momentsApart || chosen(x) &&
			slices.Contains(free[s.layerOf(x.call):s.layerOf(x.ret)+1], true) {
			continue
		}
		moment[p.op] = (p.at-1)*momentsApart + n
	}
	for _, o := range s.ops {
		if o.call > ends {
			break
		}
		at := moment[o.op]
		if o.ret <= begins || at == before {
			continue
		}
		if o.ret <= ends || at > 0 {
			goal++
		}
		if at > 0 {
			o.call, o.ret = at, at+1
		} else {
			o.call *= momentsApart
			if o.ret != history.Never {
				o.ret *= momentsApart
			}
		}
		ops = append(ops, o)
	}
	return ops, values, goal
}

// follow returns what the linearization did before a layer, and then other operations, with their
// moments.
func (s *windowSearch) follow(layer int, then []history.OpID) []placed {
	begins := s.begins(layer)
	in := make([]bool, len(s.repair.ops))
	var all []placed
	for _, p := range s.repair.stuck {
		if p.at > begins {
			break
		}
		in[p.op] = true
		all = append(all, p)
	}
	due := layer
	for _, o := range then {
		for in[s.repair.lane.ops[s.repair.lane.returns[due]].op] {
			due++
		}
		all = append(all, placed{s.returns[due], o})
		in[o] = true
	}
	return all
}

// chosenValues are the values on which operations are free or looked at; nil for all.
type chosenValues []int32

// has reports whether a value is chosen.
func (c chosenValues) has(v int32) bool { return c == nil || slices.Contains(c, v) }
