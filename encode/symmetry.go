package encode

// Symmetry: identical operations in a canonical order.
//
// What: operations with the same effect and the same result in every state (equal numbers in Bound.Sig) that
// take part in no explicit edge are interchangeable as far as their intervals allow. If a is called before b and returns
// before b, some linearization has a before b, if there is one at all: where b stands before a, each may take the
// other's place, as call a < call b ≤ place of b < place of a ≤ ret a < ret b. Such an exchange lowers the number of
// inversions among identical operations (counted against their order of call), so it ends, with all such pairs in order at once. Of two identical pending operations the one
// that was called earlier may take the other's place, so the later one takes effect only if the earlier
// one does (take a linearization with the fewest pending operations, then the fewest inversions).
//
// Why: k identical insertions and k identical removals, all concurrent, have k! matchings of which all but one are
// superfluous; a solver without this refutes each one of them.

import "github.com/linsat/linsat/spec"

// identical fixes the canonical order of identical operations.
func (b *builder) identical(bound *spec.Bound) {
	sig := bound.Sig
	if sig == nil {
		return
	}
	ops, o := bound.Part.Ops, b.order
	tied := map[int32]bool{}
	for _, e := range bound.Part.Edges {
		tied[e.Before], tied[e.After] = true, true
	}
	last := map[int32]int32{} // the latest pending operation of each number
	for x := range o.n {
		px := b.keep[x]
		if tied[px] {
			continue
		}
		pending := ops[px].Pending()
		if pending {
			if e, ok := last[sig[px]]; ok {
				b.clause(canonical, by(e, x), -b.in[x], b.in[e])
			}
			last[sig[px]] = x
		}
		for y := x + 1; y <= o.hi[x]; y++ {
			py := b.keep[y]
			if sig[px] != sig[py] || tied[py] || ops[py].Pending() != pending || o.ret[x] > o.ret[y] {
				continue
			}
			b.force(canonical, x, y)
		}
	}
}
