package wgl

// What: stacks whose values repeat, beyond what the exact search (lifo.go) can look at as a whole.
// One linearization and its repairs (repair_search.go) go far, and stop at a return that they
// cannot pass. There the exact search takes over, on a part of the history:
//
//   - A window refutes alone, if there is no way through it whatever the stack held when it begins,
//     or none for the operations on some of the values.
//   - Else the linearization is searched again from some configuration of it to a few returns after
//     the one that stopped it, but only some layers are free (window_neighbourhoods.go). An
//     operation that is not open in a free layer stays where the linearization has it: its call and
//     return are moved together.
//
// What is found is the linearization from then on. If nothing is found, the next neighbourhood is
// tried (policy.go), at last all operations from the start, layer by layer (lifo_layers.go), and
// then the history is refuted; before, if that promises to be small. Of some neighbourhoods only
// the operations on two or three values are free: these reach far for their cost.
//
// Source: ours. It is large neighbourhood search (Shaw, CP'98). What we changed: neighbourhoods
// grow until they are everything, so that it refutes as well.
//
// Invariants: what is handed on is a legal sequence that respects the order of the history and
// holds all operations that returned before the layer where the repairs go on. Moving a call and a
// return together takes linearizations away and adds none. A window with unknown contents has a way
// through it if the history is linearizable: operations that were open when it begins may have
// taken effect before.
//
// Cost: that of the exact search on what is free, up to windowItems an attempt.

import (
	"math"
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

// newWindowSearch returns the search on a stack; nil if it is too concurrent or too long.
func newWindowSearch(b *model.Instance, t *model.CollectionTheory, budget *engine.Account) *windowSearch {
	s := newWindows(stackOps(b, t), t.Initial[0], budget)
	if s != nil {
		s.values, s.plan = t.Values, windowPlan{neighbourhoods, windowAhead}
	}
	return s
}

// newWindows returns what a search on a stack or a deque looks for windows with, nil if it is too
// concurrent or too long. Initial values are listed from end 0.
func newWindows(ops []laneOp, initial []int32, budget *engine.Account) *windowSearch {
	s := &windowSearch{Account: budget, ops: ops, initial: initial}
	for i := range s.ops {
		if o := &s.ops[i]; o.call >= history.Never/momentsApart || o.ret >= history.Never/momentsApart && o.ret != history.Never {
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

// search answers found, failed, undecided or gaveUp.
func (s *windowSearch) search() outcome {
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

// linearization returns the operations in order, after search has found one.
func (s *windowSearch) linearization() []history.OpID { return s.repair.linearization() }

// pass finds a way past the layer that stopped the repairs, and returns the layer up to which the
// linearization is right then.
func (s *windowSearch) pass() (o outcome, layer int) {
	at := int(s.repair.stuckAt)
	to := min(at+s.plan.ahead, len(s.returns))
	for _, n := range s.plan.neighbourhoods {
		if n.whole {
			if o := s.whole(to, n.items); o != undecided {
				return o, to
			}
			continue
		}
		for _, chosen := range s.choices(n.values) {
			o := s.alone(at, to, n, chosen)
			if o == undecided {
				o = s.around(at, to, n, chosen)
			}
			if o != undecided {
				return o, to
			}
		}
	}
	return s.whole(to, math.MaxInt), to
}

// around searches the linearization again from some layer to another, where the layers of a
// neighbourhood are free: found if that passes the layer that stopped the repairs, failed if the
// history is refuted meanwhile.
func (s *windowSearch) around(at, to int, n neighbourhood, chosen chosenValues) outcome {
	free := s.near(at, n)
	from := slices.Index(free, true)
	ops, values, goal := s.window(from, to, free, func(x *laneOp) bool { return chosen.has(x.value) })
	w := newLIFO(ops, values, false, goal, s.Account, s.over)
	if w == nil {
		return undecided
	}
	w.most = n.items
	if n.asksAfter > 0 {
		w.most = n.asksAfter
	}
	o := s.run(w)
	if n.asksAfter > 0 && (o == undecided || o == failed) {
		if soon := s.soon(to); soon != undecided {
			return soon
		}
		if w.most = n.items; o == undecided {
			o = s.run(w)
		}
	}
	switch o {
	case found:
		s.repair.restart(s.follow(from, w.linearization()))
	case failed:
		return undecided
	}
	return o
}

// whole searches everything from the start to a layer, layer by layer, as long as that promises to
// take at most so many items.
func (s *windowSearch) whole(to, items int) outcome {
	w := newLayered(slices.Clone(s.ops), s.initial, false, int32(to), s.Account, s.refuter)
	if w == nil {
		return undecided
	}
	if items < math.MaxInt {
		w.most, w.each = items/wholeFirst, (items-items/wholeFirst)/to
	}
	o := s.run(w)
	switch o {
	case found:
		s.repair.restart(s.follow(0, w.linearization()))
	case failed:
		s.refutes, s.reached = w.items <= windowItems, w.reached()
	}
	return o
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
func (s *windowSearch) window(from, to int, free []bool, chosen func(x *laneOp) bool) (ops []laneOp, values []int32, goal int32) {
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
		if n += 2; x.ret == history.Never || n+2 > momentsApart || chosen(x) && slices.Contains(free[s.layerOf(x.call):s.layerOf(x.ret)+1], true) {
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
