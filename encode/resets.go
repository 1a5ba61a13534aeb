package encode

// Resets: what set a number, or emptied a collection, last before another operation.
//
// What: a counter that is written and a collection that is drained forget what was before. Each
// operation has a literal for every reset that may be the last one before it, and for the start:
// exactly one of them holds, its reset comes before, and no other reset in between. What is said of
// the past, a sum or an item, concerns what comes after that one.
//
// Windows are those of registers (register_writes.go): of the resets that certainly take effect and
// returned before the operation was called, the latest called one hides all that returned before
// its own call.
//
// Cost: the square of the resets that may be the last, for each operation that asks.

import (
	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/cnf"
)

// last is the axiom of resets.
const last cnf.Axiom = "one reset is the last before an operation"

// reset is an operation that sets a number, or empties a collection, if the literal holds.
type reset struct {
	op history.OpID // -1: the start
	to int64
	is cnf.Lit
}

// resets are those of one number or collection.
type resets struct {
	b    *cnf.Builder
	all  []reset // by call
	last map[history.OpID][]reset
}

// before lists the resets that may be the last before operation r, with literals that they are;
// none if there are none at all.
func (s *resets) before(r history.OpID) []reset {
	if known, ok := s.last[r]; ok || len(s.all) == 0 {
		return known
	}
	if s.last == nil {
		s.last = map[history.OpID][]reset{}
	}
	b := s.b
	some := []reset{{-1, 0, cnf.True}}
	for _, x := range s.all { // the last certain one hides
		if x.op != r && x.is == cnf.True && b.Order.Before(x.op, r) == cnf.True {
			some[0] = x
		}
	}
	hides := some[0].op
	for _, x := range s.all {
		if x.op != r && x.op != hides && b.Order.Before(x.op, r) != cnf.False &&
			(hides < 0 || b.Order.Before(x.op, hides) != cnf.True) {
			some = append(some, x)
		}
	}
	b.Alive(int64(len(s.all) + len(some)*len(some)))
	lasts := make([]reset, len(some))
	lits := make([]cnf.Lit, len(some))
	for k, x := range some {
		if len(some) > 1 {
			x.is = b.Fresh()
		}
		lasts[k], lits[k] = x, x.is
	}
	for k, x := range lasts {
		if k > 0 {
			b.Clause(last, cnf.By(x.op), -x.is, some[k].is)
			b.Clause(last, cnf.By(x.op, r), -x.is, b.Order.Before(x.op, r))
		}
		for j, y := range some {
			if j != k && y.op >= 0 {
				b.Clause(last, cnf.By(y.op, r), -x.is, -y.is, -s.since(x, y.op), b.Order.Before(r, y.op))
			}
		}
	}
	b.ExactlyOne(last, lits, cnf.True)
	s.last[r] = lasts
	return lasts
}

// since returns the literal "operation i comes after the reset".
func (s *resets) since(x reset, i history.OpID) cnf.Lit {
	switch x.op {
	case -1:
		return cnf.True
	case i:
		return cnf.False
	}
	return s.b.Order.Before(x.op, i)
}
