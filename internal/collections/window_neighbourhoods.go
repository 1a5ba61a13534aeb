package collections

// What: which part of a stack is searched again where the repairs stop (window_search.go), and
// which parts may refute it alone.
//
// Low water. What lies on the stack when the repairs stop was pushed when the stack was as low as
// it never was again, and what lies there instead in another linearization was decided then, or
// when the stack came down to that place again. In between it was higher, and what was pushed and
// popped there leaves nothing. So the layers in which the linearization has the stack at most slack
// above the lowest that it reaches from there on are free, and those near them. Those in which
// something was pushed that lies there are among them; the others have other pops take what lies
// there now.
//
// Some values alone. A sequence is legal on a stack if and only if it is on each two of its values:
// where a pop does not find its value on top, the two values show that. So operations on the value
// that was to be popped and the one on top are tried first, then those and a third value.
//
// Windows that refute. A window with unknown contents does, if there is no way through it, and so
// does a window with only the operations on some values: a legal sequence stays legal without the
// others. Without them a pop of an unknown result may have taken something else, so it need not
// take effect. Three values of four took a tenth of the items, and refuted what all did. So they
// are asked soon, from the start if that is near, where a window of all values takes long.
//
// Source: ours.
//
// Invariant: a window with the operations on some values has a way through it if the history is
// linearizable.
//
// Cost: linear for choosing; see lifo.go for the windows.

import (
	"slices"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/proof"
)

// choices returns which values are tried: all of them, the one that could not be popped and the
// one on top, or these and one of the next in the contents.
func (s *windowSearch) choices(values int) (all []chosenValues) {
	if values == 0 {
		return []chosenValues{nil}
	}
	contents := s.contents(history.Never)
	two := chosenValues{s.stopped().value, model.Nothing}
	if len(contents) > 0 {
		two[1] = s.repair.ops[contents[0].op].value
	}
	if values == 2 {
		return []chosenValues{two}
	}
	var met []int32
	for _, p := range contents {
		v := s.repair.ops[p.op].value
		if two.has(v) || slices.Contains(met, v) {
			continue
		}
		all = append(all, chosenValues{two[0], two[1], v})
		if met = append(met, v); len(met) == maxThird {
			break
		}
	}
	return all
}

// near marks the layers that are free around one.
func (s *windowSearch) near(layer int, n neighbourhood) []bool {
	free := make([]bool, len(s.returns)+1)
	mark := func(l int) {
		for k := max(0, l-n.near); k < min(len(free), l+n.near/2+1); k++ {
			free[k] = true
		}
	}
	mark(layer)
	heights := make([]int, len(s.repair.stuck))
	height := len(s.initial)
	for i, p := range s.repair.stuck {
		switch x := &s.repair.ops[p.op]; {
		case x.does == model.Insert:
			height++
		case x.does == model.Remove && x.value != model.Nothing && height > 0:
			height--
		}
		heights[i] = height
	}
	low := height
	for i := len(heights) - 1; i >= 0; i-- {
		if low = min(low, heights[i]); height-low > n.depth {
			break
		}
		if heights[i] <= low+n.slack {
			mark(s.layerOf(s.repair.stuck[i].at))
		}
	}
	return free
}

// alone tries to refute the history by the operations on the chosen values in the window of a
// neighbourhood before a layer, which ends at another one: failed if that refutes it.
func (s *windowSearch) alone(at, to int, n neighbourhood, chosen chosenValues) outcome {
	from := max(0, at-n.back)
	if n.back == 0 || from == 0 && (chosen == nil || s.askedTo == to && slices.Equal(s.asked, chosen)) {
		return undecided // all values from the start come last
	}
	p := s.only(from, to, chosen)
	if p.unknown {
		first := p.deepestFirst(s.Account, s.over)
		if first == nil {
			return undecided
		}
		first.most = n.items / refuteFirst
		switch o := s.run(first); o {
		case found:
			return undecided
		case failed:
			s.refutedBy(chosen, s.stops(first))
			s.nameThree(from, to, n.items/refuteThen)
			return failed
		case gaveUp:
			return gaveUp
		}
	}
	o := s.byLayers(&p, chosen, n.items/refuteThen)
	if o == failed {
		s.nameThree(from, to, n.items/refuteThen)
	}
	return o
}

// nameThree looks for three values that refute the history in a window where all do, since the
// verifier is told which.
func (s *windowSearch) nameThree(from, to, items int) {
	reached := s.reached
	for _, three := range s.choices(3) {
		if s.refuted != nil {
			break
		}
		p := s.only(from, to, three)
		s.byLayers(&p, three, items)
	}
	s.reached = reached
}

// soon tries to refute the history by the operations on three values from the start to a layer, if
// that is near: failed if that refutes it.
func (s *windowSearch) soon(to int) outcome {
	three := s.choices(3)
	if to > soonReturns || len(three) == 0 {
		return undecided
	}
	s.asked, s.askedTo = three[0], to
	p := s.only(0, to, three[0])
	return s.byLayers(&p, three[0], soonItems)
}

// byLayers tries to refute the history by some operations, on the chosen values, layer by layer.
func (s *windowSearch) byLayers(p *onlyOps, chosen chosenValues, items int) outcome {
	w := p.byLayer(s.Account, s.refuter)
	if w == nil {
		return undecided
	}
	w.most = items
	o := s.run(w)
	switch o {
	case found:
		return undecided
	case failed:
		s.refutedBy(chosen, w.reached())
	}
	return o
}

// refutedBy notes that the operations on the chosen values refute the history, and which return
// they do not pass.
func (s *windowSearch) refutedBy(chosen chosenValues, reached history.Rank) {
	s.refutes, s.refuted, s.reached = chosen != nil, chosen, reached
}

// saturationOf says that operations on some values refute the stack. How many cases that takes is
// for the verifier to count.
func saturationOf(t *model.CollectionTheory, chosen chosenValues) proof.Proof {
	weakening := proof.Everything()
	if chosen != nil {
		weakening.Retain = make([]proof.Retained, len(t.Value))
		for i, v := range t.Value {
			if v >= 0 && !chosen.has(v) {
				weakening.Retain[i] = proof.RetainNothing
			}
		}
	}
	return &proof.Saturation{Weakening: weakening, Cases: windowItems}
}

// evidence says which values refute the stack, nil if that is not known.
func (s *windowSearch) evidence(t *model.CollectionTheory) proof.Proof {
	if !s.refutes {
		return nil
	}
	return saturationOf(t, s.refuted)
}

// onlyOps are the operations that may refute alone, and what a search on them begins with.
type onlyOps struct {
	ops     []laneOp
	initial []int32 // contents
	unknown bool    // and anything below
	goal    int32
	most    []int32 // how often each value may be there, if that is not known; nil for no bound
}

// only returns the operations on the chosen values, from one layer to another, whatever the stack
// holds in the first one unless that is the start.
func (s *windowSearch) only(from, to int, chosen chosenValues) onlyOps {
	begins, ends := s.begins(from), s.begins(to)
	var ops []laneOp
	goal := int32(0)
	most := make([]int32, s.values) // how often each value may be there
	for _, v := range s.initial {
		most[v]++
	}
	for _, o := range s.ops {
		if o.call > ends {
			break
		}
		if o.value >= 0 && !chosen.has(o.value) || o.ret <= begins && o.value < 0 {
			continue
		}
		o.early = o.call < begins
		switch {
		case o.value < 0:
		case o.early && o.does == model.Insert:
			most[o.value]++
		case o.ret <= begins && o.does == model.Remove:
			most[o.value]--
		}
		if o.ret <= begins {
			continue
		}
		if chosen != nil && o.wild() {
			if o.does != model.Remove {
				continue
			}
			o.ret = history.Never
		}
		ops = append(ops, o)
		if o.ret <= ends {
			goal++
		}
	}
	if from > 0 {
		return onlyOps{ops: ops, unknown: true, goal: goal, most: most}
	}
	initial := slices.DeleteFunc(slices.Clone(s.initial), func(v int32) bool { return !chosen.has(v) })
	return onlyOps{ops: ops, initial: initial, goal: goal}
}

// deepestFirst returns the search that finds a way through most, nil if too many operations are
// concurrent.
func (p *onlyOps) deepestFirst(budget *engine.Account, over *lifo) *lifo {
	w := newLIFO(p.ops, p.initial, p.unknown, p.goal, budget, over)
	if w != nil && p.unknown {
		w.counts = newValueCounts(w.lane, p.most)
	}
	return w
}

// byLayer returns the search that finds out soonest that there is no way through, nil if too many
// operations are concurrent.
func (p *onlyOps) byLayer(budget *engine.Account, over *layered) *layered {
	w := newLayered(p.ops, p.initial, p.unknown, p.goal, budget, over)
	if w != nil && p.unknown {
		w.counts = newValueCounts(w.lane, p.most)
	}
	return w
}
