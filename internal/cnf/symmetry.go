package cnf

// Symmetry: identical operations in a canonical order.
//
// What: operations with the same effect and the same result in every state (equal numbers in
// Instance.EquivID) that take part in no explicit edge may take each other's place as far as their
// intervals allow. If there is a linearization at all, there is one in which no such exchange
// brings one that must return sooner to an earlier place: take one with the fewest operations, and
// of those one with the fewest inversions (counted over identical operations, against their order
// of return); an exchange would reduce that number. So, for a called before b:
//
//	a returns before b  a comes first: otherwise each could take the other's place
//	a returns after b   if a comes before b nevertheless, b cannot stand there: a comes before
//	                    something that returned before b was called
//	both are pending    a comes first, and b takes effect only if a does
//
// (In a segment of a longer history this holds for the operations called in it, as its start
// boundary stands for what returned earlier. In the second case the place of b is never too early
// for a, nor too late, as b returns first. Of the operations that returned before b was called,
// only those without another such operation after them are needed; the rest follows.)
//
// Why: k identical insertions and k identical removals, all concurrent, have k! matchings, all but
// one of them superfluous; without these clauses a solver refutes each of them. The same holds for
// increments before a read.

import (
	"slices"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
)

// identical adds the canonical order of identical operations.
func (b *Builder) identical(bound *model.Instance) {
	if bound.EquivID == nil {
		return
	}
	ops, o, sig := bound.Partition.Ops, b.Order, bound.EquivID
	free := slices.Repeat([]bool{true}, len(ops)) // it takes part in no edge
	for _, e := range bound.Partition.Edges {
		free[e.Before], free[e.After] = false, false
	}
	b.Index()
	last := o.lastReturned()
	pendingBefore := map[int32]history.OpID{} // the latest pending operation of each number
	var through []Lit
	for x := range o.N {
		px := b.Keep[x]
		if !free[px] {
			continue
		}
		pending := ops[px].Pending()
		if pending {
			if e, ok := pendingBefore[sig[px]]; ok {
				b.Clause(Canonical, By(e, x), -b.In[x], b.In[e], b.Earlier(e))
			}
			pendingBefore[sig[px]] = x
		}
		for y := x + 1; y <= o.Last[x]; y++ {
			py := b.Keep[y]
			if sig[px] != sig[py] || !free[py] || ops[py].Pending() != pending {
				continue
			}
			if o.Return[x] <= o.Return[y] {
				b.Force(Canonical, x, y)
				continue
			}
			if b.OpenAtStart(y) {
				continue // what returned before its call is not in this segment
			}
			through = through[:0]
			if m := last[y]; m >= 0 {
				through = append(through, o.Before(x, m))
				for _, z := range o.Open(m) {
					if z != x && o.Return[z] < o.Call[y] {
						through = append(through, o.Before(x, z))
					}
				}
			}
			b.Imply(Canonical, By(x, y), []Lit{o.Before(x, y)}, through...)
		}
		if !b.Alive(int64(o.Last[x] - x)) {
			return
		}
	}
}

// lastReturned returns for every operation the latest called of those that returned before its
// call, or -1.
func (o *Order) lastReturned() []history.OpID {
	byReturn := make([]history.OpID, o.N)
	for i := range byReturn {
		byReturn[i] = history.OpID(i)
	}
	slices.SortFunc(byReturn, func(x, y history.OpID) int { return int(o.Return[x]) - int(o.Return[y]) })
	last := make([]history.OpID, o.N)
	next, m := 0, history.OpID(-1)
	for y := range o.N {
		for ; next < len(byReturn) && o.Return[byReturn[next]] < o.Call[y]; next++ {
			m = max(m, byReturn[next])
		}
		last[y] = m
	}
	return last
}
