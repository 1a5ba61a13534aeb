package explain

import (
	"context"
	"slices"

	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/proof"
)

// Cores of partitions whose theory was derived from few states.
//
// What: the axioms are tried for a limited time. An operation that moves every state to another has
// a mode for each state, and arguments split cases over modes, so an argument may be long where
// trying all orders is quick. If no argument is found in time, or only one with too many facts to
// explain anything, the partition is treated as one without axioms.

// axiomatic reports whether arguments about b are worth looking for: there is a theory, and it was
// not derived from many states.
func axiomatic(b *model.Instance) bool {
	t, ok := b.Axiomatic().(*model.RegisterTheory)
	return b.Axiomatic() != nil && (!ok || !model.Derived(t) || t.Values <= mostDerivedValues)
}

// byDerived finds a core with an argument from a derived theory, and reports whether it did.
func (f *finder) byDerived(weakening *proof.Weakening) bool {
	before, all := f.core, f.ctx
	var stop context.CancelFunc
	f.ctx, stop = context.WithTimeout(all, lookInView)
	try := *weakening
	try.Retain = slices.Clone(weakening.Retain)
	f.past(&try)
	if f.proved(&try, DefaultNodes) != nil {
		f.core.Minimal, f.core.NotMinimal = before.Minimal, before.NotMinimal
		f.finish(&try, f.responses(&try))
	}
	stop()
	f.ctx = all
	if f.core.Argument == nil && f.inHand != nil {
		f.settle()
	}
	if f.core.Argument != nil && (f.core.Minimal || len(f.core.Facts) <= manyFacts) {
		return true
	}
	f.core, f.inHand = before, nil
	return false
}
