package encode

// Symmetry: identical operations in a canonical order.
//
// What: operations with the same effect and the same result in every state (equal numbers in
// Bound.Sig) that take part in no explicit edge may take each other's place as far as their
// intervals allow. If there is a linearization at all, there is one in which no such exchange
// brings one that must return sooner to an earlier place: take one with the fewest operations, and
// of those one with the fewest inversions (counted over identical operations, against their order
// of return); an exchange would lower that. So, for a called before b:
//
//	a returns before b  a comes first: otherwise each could take the other's place
//	a returns after b   if a comes before b all the same, then because b cannot stand there: a comes before
//	                    something that returned before b was called
//	both are pending    a comes first, and b takes effect only if a does
//
// (In a piece of a longer part all this holds of operations called in it, as the mark of its start
// stands for what returned earlier. In the second case the place of b is never too early for a, nor
// too late, as b returns first. Of all that returned before b was called only those without another
// such operation after them count; the rest follows.)
//
// Why: k identical insertions and k identical removals, all concurrent, have k! matchings of which
// all but one are superfluous; a solver without this refutes each one of them. The same for
// increments before a read.

import (
	"slices"

	"github.com/linsat/linsat/internal/model"
)

// identical emits the canonical order of identical operations.
func (b *builder) identical(bound *model.Instance) {
	if bound.EquivID == nil {
		return
	}
	ops, o, sig := bound.Partition.Ops, b.order, bound.EquivID
	free := slices.Repeat([]bool{true}, len(ops)) // it takes part in no edge
	for _, e := range bound.Partition.Edges {
		free[e.Before], free[e.After] = false, false
	}
	o.index()
	last := o.lastReturned()
	pendingBefore := map[int32]int32{} // the latest pending operation of each number
	var through []lit
	for x := range o.n {
		px := b.keep[x]
		if !free[px] {
			continue
		}
		pending := ops[px].Pending()
		if pending {
			if e, ok := pendingBefore[sig[px]]; ok {
				b.clause(canonical, by(e, x), -b.in[x], b.in[e], b.done(e))
			}
			pendingBefore[sig[px]] = x
		}
		for y := x + 1; y <= o.hi[x]; y++ {
			py := b.keep[y]
			if sig[px] != sig[py] || !free[py] || ops[py].Pending() != pending {
				continue
			}
			if o.ret[x] <= o.ret[y] {
				b.force(canonical, x, y)
				continue
			}
			if b.carried(y) {
				continue // what returned before its call is not in this piece
			}
			through = through[:0]
			if m := last[y]; m >= 0 {
				through = append(through, o.before(x, m))
				for _, z := range o.open(m) {
					if z != x && o.ret[z] < o.call[y] {
						through = append(through, o.before(x, z))
					}
				}
			}
			b.imply(canonical, by(x, y), []lit{o.before(x, y)}, through...)
		}
		if !b.alive(int64(o.hi[x] - x)) {
			return
		}
	}
}

// lastReturned gives for every operation the latest called of those that returned before its call,
// or -1.
func (o *order) lastReturned() []int32 {
	byReturn := make([]int32, o.n)
	for i := range byReturn {
		byReturn[i] = int32(i)
	}
	slices.SortFunc(byReturn, func(x, y int32) int { return int(o.ret[x]) - int(o.ret[y]) })
	last := make([]int32, o.n)
	next, m := 0, int32(-1)
	for y := range o.n {
		for ; next < len(byReturn) && o.ret[byReturn[next]] < o.call[y]; next++ {
			m = max(m, byReturn[next])
		}
		last[y] = m
	}
	return last
}
