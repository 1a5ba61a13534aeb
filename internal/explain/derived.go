package explain

import (
	"context"
	"slices"

	"github.com/linsat/linsat/internal/proof"
)

// Cores of parts whose theory was derived from few states.
//
// What: the axioms are tried for a while. An operation that moves every state to another has a mode
// for each, and an argument splits cases over modes, so that it may become long where trying all
// orders does not. If no argument is found in time, or one that needs so many facts that it
// explains nothing, the partition is treated as one without axioms.

// byDerived finds a core with an argument from a derived theory, and reports whether it did.
func (f *finder) byDerived(claim *proof.Weakening) bool {
	before, all := f.core, f.ctx
	var stop context.CancelFunc
	f.ctx, stop = context.WithTimeout(all, lookInView)
	try := *claim
	try.Retain = slices.Clone(claim.Retain)
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
