package sat

// Disciplines: which items must be gone before an item leaves or is seen, or nothing is found.
//
// Every rule has the form "y is not present when x leaves": x leaves before y is inserted, or y
// leaves before x. Where the windows leave both open, a literal of its own stands for the choice,
// so that clauses stay short.

import (
	"slices"

	"github.com/linsat/linsat/internal/cnf"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/quasi"
)

// kept reports whether insertions come in ρ″ after the same removals as in ρ′.
func (o *object) kept() bool {
	return o.s.question.Meaning == quasi.Slots && o.s.bounds.insert == 0
}

// leastPassed returns a lower bound on the removals before the insertion of item x in ρ″.
func (o *object) leastPassed(x itemID) int32 {
	if it := &o.items[x]; it.op >= 0 && o.kept() {
		return o.earlier(model.Remove, it.op)
	}
	return 0
}

// pass builds the numbers of removals before each insertion.
func (o *object) pass() {
	b := o.s.b
	if !o.kept() {
		o.passFree()
		return
	}
	for x := range o.items {
		it := &o.items[x]
		if it.op < 0 {
			continue
		}
		hi := o.taken.Hi - o.later(model.Remove, it.op)
		if it.slot.Hi <= o.last {
			hi = min(hi, it.slot.Hi-1)
		}
		first := o.earlier(model.Remove, it.op)
		it.passed = b.Count(ranked, cnf.By(it.op), o.before(model.Remove, it.op), first, first, hi)
		if !b.Alive(1) {
			return
		}
	}
}

// inserted returns the literal "x is inserted before y in ρ″".
func (o *object) inserted(x, y itemID) cnf.Lit {
	a, c := &o.items[x], &o.items[y]
	switch {
	case a.op < 0 && c.op < 0:
		if a.age < c.age {
			return cnf.True
		}
		return cnf.False
	case a.op < 0:
		return cnf.True
	case c.op < 0:
		return cnf.False
	case o.puts != nil:
		return o.puts.before(a.op, c.op)
	}
	return o.s.b.Order.Before(a.op, c.op)
}

// disciplines adds what leaving and finding nothing require.
func (o *object) disciplines() {
	s, b := o.s, o.s.b
	waits := o.waits()
	for x := range o.items {
		it := &o.items[x]
		leaves := it.slot.Le(o.last)
		if leaves == cnf.False {
			continue
		}
		if !waits {
			b.LessOrEqual(cnf.InsertedFirst, cnf.By(it.op), nil, &it.passed, 1, &it.slot, o.last)
		}
		for y := range o.items {
			if x == y {
				continue
			}
			z := &o.items[y]
			switch s.theory.Discipline {
			case model.FIFO:
				if z.slot.Hi >= it.slot.Lo {
					b.LessOrEqual(cnf.FirstInFirstOut, cnf.By(z.op, it.op),
						[]cnf.Lit{z.in, o.inserted(itemID(y), itemID(x))}, &z.slot, 1, &it.slot, o.last)
				}
			case model.LIFO:
				if z.slot.Hi >= it.slot.Lo && z.passed.Lo < it.slot.Hi {
					o.apart(cnf.LastInFirstOut, cnf.By(z.op, it.op),
						[]cnf.Lit{leaves, z.in, o.inserted(itemID(x), itemID(y))}, &it.slot, z)
				}
			default:
				if s.theory.Rank[z.value] < s.theory.Rank[it.value] {
					o.apart(cnf.BestFirst, cnf.By(z.op, it.op), []cnf.Lit{leaves, z.in}, &it.slot, z)
				}
			}
		}
		if !b.Alive(int64(len(o.items))/4 + 1) {
			return
		}
	}
	for d := range o.removals {
		r := &o.removals[d]
		if r.empty == cnf.False {
			continue
		}
		for y := range o.items {
			if z := &o.items[y]; !waits || z.op < 0 {
				o.apart(cnf.Empty, cnf.By(r.op, z.op), []cnf.Lit{r.in, r.empty, z.in}, &r.slot, z)
			}
		}
		if !b.Alive(int64(len(o.items))/4 + 1) {
			return
		}
	}
}

// apart adds, under conditions which imply that slot is in use: y is not present when that slot is
// reached.
func (o *object) apart(why cnf.Axiom, ops cnf.Ops, conds []cnf.Lit, slot *cnf.Unary, y *stored) {
	b := o.s.b
	if y.slot.Hi < slot.Lo || slot.Hi <= y.passed.Lo || slices.Contains(conds, cnf.False) {
		return
	}
	switch {
	case slot.Lo > y.passed.Hi:
		b.LessOrEqual(why, ops, conds, &y.slot, 1, slot, o.last)
	case y.slot.Lo >= min(slot.Hi, o.last):
		b.LessOrEqual(why, ops, conds, slot, 0, &y.passed, cnf.Boundless)
	default:
		b.PostponeWith(slot, conds...) // which of two was inserted first matters when one leaves
		early := b.Fresh()
		b.LessOrEqual(why, ops, []cnf.Lit{early}, slot, 0, &y.passed, cnf.Boundless)
		b.LessOrEqual(why, ops, append(conds, -early), &y.slot, 1, slot, o.last)
	}
}
