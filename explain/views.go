package explain

import (
	"context"
	"slices"
	"time"

	"github.com/linsat/linsat/check"
)

// lookInView is how long one view is looked at.
const lookInView = 500 * time.Millisecond

// byView looks for a view of the part in which the operation that ends the prefix of the claim is refuted, and for the core there. It reports whether
// it found one; if not, claim and core are as before.
func (f *finder) byView(claim *check.Claim) bool {
	last := f.last(claim)
	if f.b.Views == nil || last < 0 {
		return false
	}
	before, all := f.core, f.ctx
	for _, view := range f.b.Views(last) {
		try := *claim
		try.View, try.Keep = view, slices.Clone(claim.Keep)
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
			if f.core.Minimal {
				f.doubt("only " + f.b.View(view).What + " was looked at")
			}
			return true
		}
		f.core = before
	}
	return false
}

// last returns the operation whose return ends the prefix of a claim, or the last one that returned.
func (f *finder) last(claim *check.Claim) int32 {
	at := int32(-1)
	for _, i := range f.completed(claim) {
		at = i
	}
	return at
}
