package clausal

// The order of a linearization: a variable for each pair of concurrent operations. Pairs of which
// one returned before the other was called are constants. A tournament without a circle of three is
// an order, so the clauses of three operations of which a pair is open say all.

import (
	"sort"

	"github.com/linsat/linsat/history"
)

// Order is a total order of operations that extends their order in time.
type Order struct {
	f    *Formula
	ops  []history.Op
	last []history.OpID // by operation: the last one called before it returned
	base []Lit          // a before b, for a < b ≤ last[a], is base[a]+b
}

// Order adds a total order of operations, sorted by call, that extends their order in
// time.
func (f *Formula) Order(ops []history.Op) *Order {
	n := len(ops)
	o := &Order{f: f, ops: ops, last: make([]history.OpID, n), base: make([]Lit, n)}
	for a := range ops {
		after := sort.Search(n, func(k int) bool { return ops[k].Call > ops[a].Return })
		o.last[a] = history.OpID(max(after-1, a))
		if !f.Step(int(o.last[a])-a) || int64(f.vars)+int64(after-a) > maxLiterals {
			f.steps = maxSteps + 1
			return o
		}
		o.base[a] = f.Fresh(int32(o.last[a])-int32(a)) - Lit(a) - 1
	}
	for a := range history.OpID(n) {
		for b := a + 1; b <= o.last[a]; b++ {
			ab := o.Before(a, b)
			for c := b + 1; c <= max(o.last[a], o.last[b]); c++ {
				bc, ac := o.Before(b, c), o.Before(a, c)
				f.Add(transitive, By(a, b, c), -ab, -bc, ac)
				f.Add(transitive, By(a, b, c), ab, bc, -ac)
				if !f.Step(1) {
					return o
				}
			}
		}
	}
	return o
}

// Before returns the literal "a comes before b".
func (o *Order) Before(a, b history.OpID) Lit {
	switch {
	case a > b:
		return -o.Before(b, a)
	case a == b:
		return False
	case b > o.last[a]:
		return True
	}
	return o.base[a] + Lit(b)
}
