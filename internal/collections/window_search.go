package collections

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

// newWindowSearch returns the search on a stack; nil if it is too concurrent or too long.
func newWindowSearch(b *model.Instance, t *model.CollectionTheory, budget *engine.Account) *windowSearch {
	s := newWindows(stackOps(b, t), t.Initial[0], budget)
	if s != nil {
		s.values, s.plan = t.Values, windowPlan{neighbourhoods, windowAhead}
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
