package explain

import (
	"slices"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/proof"
	"github.com/linsat/linsat/internal/wide"
)

// Two observations of a counter that contradict each other by themselves.
//
// What: in a long partition, each operation that observes the counter is compared with the next few
// observations that were called after it returned. The operations that may lie between the two add
// at least some amount and at most another. If the difference of the observations is outside this
// range, the window from the call of the first to the return of the second is refuted, whatever the
// counter was before.
//
// Why: such a window is small wherever it lies, whereas it may be hard to decide whether a prefix
// of the partition is refuted.
//
// Cost: operations × (operations open + operations between). The window found is a guess, which the
// prover confirms.

// twoObservations looks for a refuted window between two observations. If there is one, the
// weakening becomes that window.
func (f *finder) twoObservations(weakening *proof.Weakening) bool {
	t, ok := f.b.Theory.(*model.CountingTheory)
	p := f.b.Partition
	if !ok || len(t.Init) != 1 || len(p.Ops) <= maxOperations || len(p.Edges) > 0 {
		return false
	}
	guesses := 0
	var open []history.OpID // called before the first observation and not returned by then
	for i := range p.Ops {
		if f.ctx.Err() != nil {
			return false
		}
		first := &p.Ops[i]
		open = slices.DeleteFunc(open, func(x history.OpID) bool { return p.Ops[x].Return < first.Call })
		if t.Observes[i] && !first.Pending() {
			for _, second := range observationsAfter(t, p, history.OpID(i)) {
				if between(t, p, open, history.OpID(i), second) {
					continue
				}
				try := *weakening
				try.From, try.Cut = first.Call, p.Ops[second].Return
				minimal, reason := f.core.Minimal, f.core.NotMinimal
				if f.proved(&try, searchNodes) != nil {
					*weakening = try
					return true
				}
				f.core.Minimal, f.core.NotMinimal, f.core.NoArgument = minimal, reason, ""
				if guesses++; guesses == maxGuesses {
					return false
				}
			}
		}
		open = append(open, history.OpID(i))
	}
	return false
}

// observationsAfter lists the next few completed operations that observe and were called after
// first returned.
func observationsAfter(t *model.CountingTheory, p *model.Partition, first history.OpID) (next []history.OpID) {
	for i := first + 1; i < history.OpID(len(p.Ops)) && len(next) < nextObservations; i++ {
		if o := &p.Ops[i]; o.Call > p.Ops[first].Return && t.Observes[i] && !o.Pending() {
			next = append(next, i)
		}
	}
	return next
}

// between reports whether what may lie between two observations can explain both.
func between(t *model.CountingTheory, p *model.Partition, open []history.OpID, first, second history.OpID) bool {
	low := wide.Of(t.Observed[first]).Add(t.Delta[first])
	high := low
	a, b := &p.Ops[first], &p.Ops[second]
	add := func(x history.OpID) {
		o, d := &p.Ops[x], t.Delta[x]
		certain := o.Call > a.Return && o.Return < b.Call
		if certain || d < 0 {
			low = low.Add(d)
		}
		if certain || d > 0 {
			high = high.Add(d)
		}
	}
	for _, x := range open {
		add(x)
	}
	for x := first + 1; x < history.OpID(len(p.Ops)) && p.Ops[x].Call < b.Return; x++ {
		if x != second {
			add(x)
		}
	}
	seen := wide.Of(t.Observed[second])
	return !seen.Less(low) && !high.Less(seen)
}
