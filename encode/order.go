package encode

// Order: one Boolean for every pair of concurrent operations.
//
// What: a total order of the kept operations that extends the interval order, as a formula. The
// operations are sorted by call, so the partners of a that come later in that order and are
// concurrent with it are exactly a+1..hi[a], and the variable of a pair is base[a]+b: dense rows,
// no map. Every other pair is ordered by real time, and its literal is a constant.
//
// Transitivity: of three operations a, b, c (by call) at least one pair must be free for a clause
// to say anything, and then a, b is. The clauses are (¬ab ¬bc ac) and (ab bc ¬ac). Where one of the
// other two pairs is a constant x→c, the clause says what the third operation, y, does about it: if
// it comes after c it comes after x. When some m lies between, x→m→c, the same follows from x→m and
// m→c, as y is concurrent with m, too (it is open from before x returns until after c is called).
// So only covering edges count, and those of x are the operations hi[x]+1..cov[x]: c is covered iff
// the earliest return among the operations called after x returned comes before c's call. A
// tournament without a circle of three is a total order, so models are exactly the linear
// extensions; this holds for pending operations (which never return, hence precede nothing) and
// those that are not taken, which can always stand at the end.
//
// Facts known from elsewhere (explicit edges between operations that take effect, canonical orders
// of identical operations) are literals that are fixed: they fold everywhere like constants. They
// do not touch the argument above, since they are unit clauses added to it: a clause that was left
// out is implied by those that are there, with or without them.
//
// Cost: variables = concurrent pairs; clauses = about two for every three concurrent operations.

import (
	"math"
	"sort"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/solver"
)

type lit = solver.Lit

// yes and no are the literals that are decided before solving.
const (
	yes lit = math.MaxInt32
	no      = -yes
)

type order struct {
	n         int32
	call, ret []int32
	hi        []int32 // last operation called before a returns
	cov       []int32 // last operation to which a has a covering edge
	pairs     int64   // concurrent pairs
	triples   int64   // clauses of transitivity, once they are counted

	first lit    // the first variable
	base  []lit  // variable of (a,b), a<b≤hi[a], is base[a]+b
	fixed []int8 // by variable from first on: 1 is true, -1 false; nil while nothing is fixed

	openAt    []int32 // concurrent partners called earlier, operation after operation
	openStart []int32
}

// newOrder lays out the rows of operations with the given ranks, sorted by call.
func newOrder(ops []history.Op, keep []int32) *order {
	n := len(keep)
	o := &order{n: int32(n), call: make([]int32, n), ret: make([]int32, n), hi: make([]int32, n), cov: make([]int32, n)}
	for i, k := range keep {
		o.call[i], o.ret[i] = ops[k].Call, ops[k].Return
	}
	earliest := make([]int32, n+1) // of the returns from a position on
	earliest[n] = history.Never
	for i := n - 1; i >= 0; i-- {
		earliest[i] = min(earliest[i+1], o.ret[i])
	}
	for i := range keep {
		o.hi[i] = o.lastBefore(o.ret[i])
		o.cov[i] = o.lastBefore(earliest[o.hi[i]+1])
		o.pairs += int64(o.hi[i]) - int64(i)
	}
	return o
}

// lastBefore returns the last operation called before rank r, -1 if there is none.
func (o *order) lastBefore(r int32) int32 {
	return int32(sort.Search(int(o.n), func(i int) bool { return o.call[i] > r })) - 1
}

// clauses counts the clauses of transitivity, giving up beyond limit.
func (o *order) clauses(limit int64) int64 {
	total := int64(0)
	for a := range o.n {
		for b := a + 1; b <= o.hi[a]; b++ {
			x, y := o.hi[a], o.hi[b]
			total += 2 * int64(min(x, y)-b)
			if x > y {
				total += int64(max(0, min(x, o.cov[b])-y))
			} else {
				total += int64(max(0, min(y, o.cov[a])-x))
			}
		}
		if total > limit {
			return total
		}
	}
	return total
}

// number gives the pairs their variables.
func (o *order) number(s solver.Solver) {
	o.base = make([]lit, o.n)
	if o.pairs == 0 {
		return
	}
	o.first = s.Reserve(int(o.pairs))
	next := o.first
	for a := range o.n {
		o.base[a] = next - lit(a) - 1
		next += lit(o.hi[a] - a)
	}
}

// before is the literal "a comes before b".
func (o *order) before(a, b int32) lit {
	if a > b {
		return -o.before(b, a)
	}
	if b > o.hi[a] {
		return yes
	}
	v := o.base[a] + lit(b)
	if o.fixed != nil {
		switch o.fixed[v-o.first] {
		case 1:
			return yes
		case -1:
			return no
		}
	}
	return v
}

// fix makes a come before b for good, if their order is open. Clauses may speak of the variable
// already: see builder.force.
func (o *order) fix(a, b int32) {
	l := o.before(a, b)
	if l == yes || l == no {
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

// index prepares open.
func (o *order) index() {
	if o.openStart != nil {
		return
	}
	o.openStart = make([]int32, o.n+1)
	for a := range o.n {
		for b := a + 1; b <= o.hi[a]; b++ {
			o.openStart[b+1]++
		}
	}
	for i := range o.n {
		o.openStart[i+1] += o.openStart[i]
	}
	o.openAt = make([]int32, o.pairs)
	next := append([]int32(nil), o.openStart...)
	for a := range o.n {
		for b := a + 1; b <= o.hi[a]; b++ {
			o.openAt[next[b]] = a
			next[b]++
		}
	}
}

// open lists the operations that were called before i and had not returned then. It needs index.
func (o *order) open(i int32) []int32 { return o.openAt[o.openStart[i]:o.openStart[i+1]] }

// transitivity emits the clauses that make a total order of the pairs.
func (b *builder) transitivity() {
	o := b.order
	for x := range o.n {
		for y := x + 1; y <= o.hi[x]; y++ {
			if !b.alive(1) {
				return
			}
			xy := o.before(x, y)
			hx, hy := o.hi[x], o.hi[y]
			for z := y + 1; z <= min(hx, hy); z++ {
				yz, xz := o.before(y, z), o.before(x, z)
				b.clause(transitive, by(x, y, z), -xy, -yz, xz)
				b.clause(transitive, by(x, y, z), xy, yz, -xz)
			}
			if hx > hy {
				for z := hy + 1; z <= min(hx, o.cov[y]); z++ {
					b.clause(transitive, by(x, y, z), -xy, o.before(x, z))
				}
			} else {
				for z := hx + 1; z <= min(hy, o.cov[x]); z++ {
					b.clause(transitive, by(x, y, z), xy, o.before(y, z))
				}
			}
		}
	}
}
