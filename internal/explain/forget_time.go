package explain

// Dropping the future and the past: the shortest prefix that is refuted, and in it the latest
// moment from which it is refuted in any state.

import (
	"slices"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/proof"
)

// future finds the shortest prefix by bisection over the returns.
func (f *finder) future(weakening *proof.Weakening) {
	var cuts []history.Rank
	for i := range f.b.Partition.Ops {
		if o := &f.b.Partition.Ops[i]; !o.Pending() && weakening.Retain[i] != proof.RetainNothing {
			cuts = append(cuts, o.Return)
		}
	}
	slices.Sort(cuts)
	low, high := -1, len(cuts)-1 // refuted at high
	for high-low > 1 {
		middle := low + (high-low)/2
		try := *weakening
		try.Cut = cuts[middle]
		if f.refuted(&try) {
			high = middle
		} else {
			low = middle
		}
	}
	if high >= 0 {
		weakening.Cut = cuts[high]
	}
}

// past finds the latest moment from which the window is refuted in any state: backwards from the
// end in growing steps, then by bisection.
func (f *finder) past(weakening *proof.Weakening) {
	if _, collection := f.b.Theory.(*model.CollectionTheory); collection ||
		len(weakening.KeepGiven(f.b.Partition.Edges)) > 0 {
		return
	}
	var moments []history.Rank
	for i := range f.b.Partition.Ops {
		if o := &f.b.Partition.Ops[i]; o.Return < weakening.Cut && f.base[i] == proof.RetainAll {
			moments = append(moments, o.Return+1)
		}
	}
	slices.Sort(moments)
	minimal, reason := f.core.Minimal, f.core.NotMinimal
	at := func(k int) bool {
		try := *weakening
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
		weakening.From = moments[good]
	}
	// An undecided moment makes the window longer; the facts retained in it are still minimal.
	f.core.Minimal, f.core.NotMinimal, f.core.NoArgument = minimal, reason, ""
}
