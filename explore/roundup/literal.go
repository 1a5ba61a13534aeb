package roundup

// Algorithms 1 and 2 of the paper, as its text means them; printed_test.go has them as printed.
//
// What: a history is linearizable if one of its linearizations ρ′ is in spec(o), the set of serial
// runs of phase 1; it is quasi-linearizable if some quasi-permutation ρ″ of one is. ρ″ has the
// removals of ρ′ in other places among themselves, none moved by more than K.
//
// spec(o) is looked up by the order of the calls, since the golden model returns the same in the
// same order: ρ″ is in it if its removals return what the golden model returns in their places. The
// implementation is slow, supports neither draining nor pending operations, and serves to count and
// to test linsat.Check.

import (
	"github.com/linsat/linsat/explore"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/quasi/displacement"
	"github.com/linsat/linsat/quasi"
)

// literal decides a completed execution with bound k for the relaxable operations.
func literal(e *explore.Execution, x *extension, g *golden, names kinds, k int32) (linearizable,
	quasiLinearizable bool) {
	x.each(func(order []int32, threads []byte) bool {
		want := g.results[string(threads)]
		var removals []int // places in the order
		match := true
		for place, o := range order {
			if names[e.Ops[o].F].role == removal {
				removals = append(removals, place)
			} else if !same(e.Ops[o].Result, want[place]) {
				match = false
			}
		}
		if !match {
			return true
		}
		displacement.Rearrangements(len(removals), k, func(arrangement []int32) bool {
			moved, fits := false, true
			for p, c := range arrangement {
				moved = moved || int(c) != p
				fits = fits && same(e.Ops[order[removals[c]]].Result, want[removals[p]])
			}
			quasiLinearizable = quasiLinearizable || fits
			linearizable = linearizable || fits && !moved
			return !quasiLinearizable || linearizable
		})
		return !linearizable
	})
	return linearizable, quasiLinearizable
}

// literalBound returns the bound of the relaxable operations, if literal supports the factor: only
// one class may be relaxed, and it alone may have a bound other than 0.
func literalBound(classes []model.Class, f quasi.Factor) (bound int32, fits bool) {
	relaxable := 0
	for i, c := range classes {
		switch {
		case c.Relaxable:
			relaxable++
			bound = f[i]
		case f[i] != 0:
			return 0, false
		}
	}
	return bound, relaxable == 1
}
