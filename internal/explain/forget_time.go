package explain

// Forgetting the future and the past: the shortest prefix that is refuted, and in it the latest
// moment from which on it is refuted whatever the state was then.

import (
	"slices"

	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/proof"
)

// future finds the shortest prefix by bisection over the returns.
func (f *finder) future(claim *proof.Weakening) {
	var cuts []int32
	for i := range f.b.Partition.Ops {
		if o := &f.b.Partition.Ops[i]; !o.Pending() && claim.Retain[i] != proof.RetainNothing {
			cuts = append(cuts, o.Return)
		}
	}
	slices.Sort(cuts)
	low, high := -1, len(cuts)-1 // refuted at high
	for high-low > 1 {
		middle := low + (high-low)/2
		try := *claim
		try.Cut = cuts[middle]
		if f.refuted(&try) {
			high = middle
		} else {
			low = middle
		}
	}
	if high >= 0 {
		claim.Cut = cuts[high]
	}
}

// past finds the latest moment from which on the window is refuted whatever the state was then:
// from the end backwards in growing steps, then by bisection.
func (f *finder) past(claim *proof.Weakening) {
	if _, collection := f.b.Theory.(*model.CollectionTheory); collection || len(claim.KeepGiven(f.b.Partition.Edges)) > 0 {
		return
	}
	var moments []int32
	for i := range f.b.Partition.Ops {
		if o := &f.b.Partition.Ops[i]; o.Return < claim.Cut && f.base[i] == proof.RetainAll {
			moments = append(moments, o.Return+1)
		}
	}
	slices.Sort(moments)
	minimal, reason := f.core.Minimal, f.core.NotMinimal
	at := func(k int) bool {
		try := *claim
		try.From = moments[k]
		return f.refuted(&try)
	}
	bad, good := len(moments), -1 // not refuted from bad on; refuted at good
	for step := 1; bad > 0; step *= 2 {
		k := max(0, bad-step)
		if at(k) {
			good = k
			break
		}
		if bad = k; step > maxOperations {
			break
		}
	}
	if good >= 0 {
		for bad-good > 1 {
			if k := good + (bad-good)/2; at(k) {
				good = k
			} else {
				bad = k
			}
		}
		claim.From = moments[good]
	}
	// A moment that could not be decided costs length, not minimality of the facts that are kept.
	f.core.Minimal, f.core.NotMinimal, f.core.NoArgument = minimal, reason, ""
}
