package cnf

// Order: one Boolean for every pair of concurrent operations.
//
// What: a total order of the kept operations that extends the interval order, as a formula. The
// operations are sorted by call, so the partners of a that come later in that order and are
// concurrent with it are exactly a+1..Last[a], and the variable of a pair is base[a]+b: dense rows,
// no map. Every other pair is ordered by real time, and its literal is a constant.
//
// Known facts (explicit edges between operations that take effect, canonical orders of identical
// operations) are fixed literals: they fold like constants. The argument of transitivity.go still
// holds, since they are unit clauses added to it: a clause that was left out there is implied by
// the others, with or without them.
//
// Cost: one variable for each concurrent pair.

import (
	"math"
	"sort"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/solver"
)

// Lit is a literal: a variable, negative if negated, or a constant.
type Lit = solver.Lit

// True and False are the literals decided before solving.
const (
	True  Lit = math.MaxInt32
	False     = -True
)

// Order is a total order of N operations, sorted by call.
type Order struct {
	N            history.OpID
	Call, Return []history.Rank // ranks, by operation
	Last         []history.OpID // by operation: the last one called before it returns
	cov          []history.OpID // last operation to which a has a covering edge
	pairs        int64          // concurrent pairs
	triples      int64          // clauses of transitivity, once they are counted

	first Lit    // the first variable
	base  []Lit  // variable of (a,b), a<b≤Last[a], is base[a]+b
	fixed []int8 // by variable from first on: 1 is true, -1 false; nil while nothing is fixed

	openAt    []history.OpID // concurrent partners called earlier, by operation
	openStart []int32
}

// newOrder returns the order of operations with the given ranks, sorted by call.
func newOrder(ops []history.Op, keep []history.OpID) *Order {
	n := len(keep)
	o := &Order{N: history.OpID(n), Call: make([]history.Rank, n), Return: make([]history.Rank, n),
		Last: make([]history.OpID, n), cov: make([]history.OpID, n)}
	for i, k := range keep {
		o.Call[i], o.Return[i] = ops[k].Call, ops[k].Return
	}
	earliest := make([]history.Rank, n+1) // of the returns from a position on
	earliest[n] = history.Never
	for i := n - 1; i >= 0; i-- {
		earliest[i] = min(earliest[i+1], o.Return[i])
	}
	for i := range keep {
		o.Last[i] = o.lastBefore(o.Return[i])
		o.cov[i] = o.lastBefore(earliest[o.Last[i]+1])
		o.pairs += int64(o.Last[i]) - int64(i)
	}
	return o
}

// lastBefore returns the last operation called before rank r, or -1.
func (o *Order) lastBefore(r history.Rank) history.OpID {
	return history.OpID(sort.Search(int(o.N), func(i int) bool { return o.Call[i] > r })) - 1
}

// number numbers the variables of the pairs.
func (o *Order) number(s solver.Solver) {
	o.base = make([]Lit, o.N)
	if o.pairs == 0 {
		return
	}
	o.first = s.Reserve(int(o.pairs))
	next := o.first
	for a := range o.N {
		o.base[a] = next - Lit(a) - 1
		next += Lit(o.Last[a] - a)
	}
}

// Before returns the literal "a comes before b".
func (o *Order) Before(a, b history.OpID) Lit {
	if a > b {
		return -o.Before(b, a)
	}
	if b > o.Last[a] {
		return True
	}
	v := o.base[a] + Lit(b)
	if o.fixed != nil {
		switch o.fixed[v-o.first] {
		case 1:
			return True
		case -1:
			return False
		}
	}
	return v
}

// fix puts a before b if their order is open. Clauses may contain the variable already: see
// Builder.Force.
func (o *Order) fix(a, b history.OpID) {
	l := o.Before(a, b)
	if l == True || l == False {
		return
	}
	if o.fixed == nil {
		o.fixed = make([]int8, o.pairs)
	}
	if l > 0 {
		o.fixed[l-o.first] = 1
	} else {
		o.fixed[-l-o.first] = -1
	}
}

// AnyFixed reports whether the order of some concurrent pair is known.
func (o *Order) AnyFixed() bool { return o.fixed != nil }

// index prepares Open. It stops when alive, which is told how many pairs were met, says so: then
// the lists are not complete.
func (o *Order) index(alive func(pairs int64) bool) {
	if o.openStart != nil {
		return
	}
	o.openStart = make([]int32, o.N+1)
	changes := make([]int32, o.N+1) // by operation: how many more are open than before it
	for a := range o.N {
		if a+1 <= o.Last[a] {
			changes[a+1]++
			changes[o.Last[a]+1]--
		}
	}
	open := int32(0)
	for i := range o.N {
		open += changes[i]
		o.openStart[i+1] = o.openStart[i] + open
	}
	o.openAt = make([]history.OpID, o.pairs)
	next := append([]int32(nil), o.openStart...)
	for a := range o.N {
		for b := a + 1; b <= o.Last[a]; b++ {
			o.openAt[next[b]] = a
			next[b]++
		}
		if !alive(int64(o.Last[a] - a)) {
			return
		}
	}
}

// Open lists the operations that were called before i and had not returned then. It needs
// Builder.Index.
func (o *Order) Open(i history.OpID) []history.OpID { return o.openAt[o.openStart[i]:o.openStart[i+1]] }
