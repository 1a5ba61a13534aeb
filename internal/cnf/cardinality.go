package cnf

// Cardinality: at most one, exactly one, and the conjunction of two literals.

import "slices"

// AtMostOne adds that at most one of the literals holds: pairwise if they are few, else by a
// ladder.
func (b *Builder) AtMostOne(a Axiom, ops Ops, lits []Lit) {
	if len(lits) <= pairwise {
		for i, x := range lits {
			for _, y := range lits[:i] {
				b.Clause(a, ops, -x, -y)
			}
		}
		return
	}
	before := False // one of the literals so far holds
	for i, x := range lits {
		b.Clause(a, ops, -before, -x)
		if i < len(lits)-1 {
			next := b.Fresh()
			b.Clause(a, ops, -before, next)
			b.Clause(a, ops, -x, next)
			before = next
		}
	}
}

// And returns a literal that is equivalent to both holding.
func (b *Builder) And(x, y Lit) Lit {
	switch {
	case x == False || y == False:
		return False
	case x == True:
		return y
	case y == True:
		return x
	}
	l := b.Fresh()
	b.Clause(Counted, By(), -l, x)
	b.Clause(Counted, By(), -l, y)
	b.Clause(Counted, By(), l, -x, -y)
	return l
}

// ExactlyOne adds that at most one of the literals holds, and that one does if used holds.
func (b *Builder) ExactlyOne(why Axiom, lits []Lit, used Lit) {
	b.Clause(why, By(), append(slices.Clone(lits), -used)...)
	sure := slices.Index(lits, True)
	for i, l := range lits {
		if sure >= 0 && i != sure {
			b.Clause(why, By(), -l)
		}
	}
	if sure < 0 {
		b.AtMostOne(why, By(), lits)
	}
}
