package explain

import (
	"context"
	"slices"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/proof"
)

// byView looks for a view of the partition in which the last operation of the weakened prefix is
// refuted, and for a core in that view. It reports whether it found one; if not, the weakening and
// the core are unchanged.
func (f *finder) byView(weakening *proof.Weakening) bool {
	last := f.last(weakening)
	if f.b.Views == nil || last < 0 {
		return false
	}
	before, all := f.core, f.ctx
	for _, view := range f.b.Views(last) {
		try := *weakening
		try.View, try.Retain = view, slices.Clone(weakening.Retain)
		var stop context.CancelFunc
		f.ctx, stop = context.WithTimeout(all, lookInView)
		f.past(&try)
		found := f.proved(&try, searchNodes) != nil
		stop()
		if f.ctx = all; !found {
			f.core, f.inHand = before, nil
			continue
		}
		f.core.Minimal, f.core.NotMinimal = before.Minimal, before.NotMinimal
		f.finish(&try, f.responses(&try))
		if f.core.Argument != nil || f.inHand != nil {
			f.ctx, stop = context.WithTimeout(all, lookInView)
			if f.core.Minimal && !f.neededInAll() {
				f.doubt("only " + f.b.View(view).What + " was looked at")
			}
			stop()
			f.ctx = all
			return true
		}
		f.core = before
	}
	return false
}

// neededInAll reports whether every fact is needed in the partition itself, not in the view alone:
// dropping any one of them makes it explainable. Where a weakening allows any past or start, the
// recorded one is used, which is one of them.
func (f *finder) neededInAll() bool {
	past, ok := f.pastOrder(f.core.Least)
	if !ok {
		return false
	}
	return !slices.ContainsFunc(f.core.Facts, func(fact Fact) bool { return !f.needed(fact, past) })
}

// needed reports whether a core is not refuted without a fact: the recorded past and start, with
// that order, leave it explainable.
func (f *finder) needed(fact Fact, past [][2]history.OpID) bool {
	rest := withoutFact(f.core.Least, fact)
	rest.View, rest.From, rest.AnyStart = 0, 0, false
	rest.Order = slices.Concat(rest.Order, past)
	weak, _, err := Weaken(f.b, rest)
	if err != nil {
		return false
	}
	if fact.Kind == InitialFact {
		return f.otherStart(weak)
	}
	f.core.Calls++
	return f.decide(f.ctx, weak) == engine.Linearizable
}

// pastOrder lists, for a weakening that forgets order, the pairs of an operation that returned
// before the past ends and one that was called later. It reports whether these are few enough.
func (f *finder) pastOrder(weakening *proof.Weakening) (order [][2]history.OpID, ok bool) {
	if !weakening.SomeOrder {
		return nil, true
	}
	for i := range f.b.Partition.Ops {
		if f.b.Partition.Ops[i].Return >= weakening.From {
			continue
		}
		for k := len(f.b.Partition.Ops) - 1; k > i && f.b.Partition.Ops[k].Call >= weakening.From; k-- {
			if f.b.Partition.Ops[k].Call > weakening.Cut {
				continue
			}
			if order = append(order, [2]history.OpID{history.OpID(i), history.OpID(k)}); len(order) > maxPast {
				return nil, false
			}
		}
	}
	return order, true
}

// withoutFact returns a weakening that keeps all but one fact.
func withoutFact(weakening *proof.Weakening, fact Fact) *proof.Weakening {
	rest := *weakening
	rest.Retain = slices.Clone(weakening.Retain)
	for _, i := range fact.Operations {
		switch fact.Kind {
		case ValueFact, EmptyFact:
			rest.Retain[i] = proof.RetainNothing
		case ResponseFact:
			rest.Retain[i] = proof.RetainCall
		case ResultFact:
			rest.Retain[i] = proof.RetainResponse
		}
	}
	same := func(e [2]history.OpID) bool { return e == [2]history.OpID(fact.Operations) }
	switch fact.Kind {
	case EdgeFact:
		rest.Order = slices.DeleteFunc(slices.Clone(weakening.Order), same)
	case GivenFact:
		rest.Given = slices.DeleteFunc(slices.Clone(weakening.Given), same)
	case InitialFact:
		rest.AnyStart = true
	}
	return &rest
}

// last returns the operation whose return ends the prefix of a weakening, or the last one that
// returned.
func (f *finder) last(weakening *proof.Weakening) history.OpID {
	at := history.OpID(-1)
	for _, i := range f.completed(weakening) {
		at = i
	}
	return at
}
