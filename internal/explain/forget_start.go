package explain

// Dropping the initial state that the history states.

import (
	"slices"

	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/proof"
)

// start drops the initial state that the history states, or makes it a fact. The contents of a
// collection cannot be dropped as a whole: they are a fact if other contents explain the rest.
func (f *finder) start(least *proof.Weakening) {
	if t, ok := f.b.Theory.(*model.CollectionTheory); f.fromInit() {
		f.doubt("other initial states could not be tried")
	} else if !ok {
		try := *least
		try.AnyStart = true
		if f.adopt(least, &try) {
			return
		}
	} else if !f.otherContents(least, t) {
		f.doubt("not all other initial contents could be tried")
	}
	f.keep(InitialFact)
}

// fromInit reports whether the theory applies to the stated initial state only.
func (f *finder) fromInit() bool {
	t, ok := f.b.Axiomatic().(*model.RegisterTheory)
	return ok && t.FromInit
}

// nearEnds reports whether counters are so large, or change by so much, that they may come from
// beyond int64.
func nearEnds(c *model.CountingTheory) bool {
	far := func(x int64) bool { return x > 1<<60 || x < -1<<60 }
	return slices.ContainsFunc(c.Init, far) || slices.ContainsFunc(c.Delta, far) || slices.ContainsFunc(c.Observed, far)
}
