package cnf

// Unary numbers: a number within a window is a list of literals "it is at most k".
//
// What: places, slots and counts of operations. A comparison of two numbers is one clause for each
// position where their windows overlap, with two literals besides the conditions. Exact counts are
// sequential counters in both directions, cut to the window of the result.
//
// Cost: a number has as many variables as its window is long. A count of n literals has at most
// 4·n·w clauses, with window w.

// Unary is a number from lo to hi.
type Unary struct {
	Lo, Hi int32
	Base   Lit // base+k-lo is "at most k", for lo ≤ k < hi
}

// constant returns a number that is known.
func constant(k int32) Unary { return Unary{Lo: k, Hi: k} }

// Le returns the literal "it is at most k".
func (u *Unary) Le(k int32) Lit {
	switch {
	case k < u.Lo:
		return False
	case k >= u.Hi:
		return True
	}
	return u.Base + Lit(k-u.Lo)
}

// Ge returns the literal "it is at least k".
func (u *Unary) Ge(k int32) Lit { return -u.Le(k - 1) }

// Number returns a new number within a window. An empty window is a contradiction.
func (b *Builder) Number(why Axiom, ops Ops, lo, hi int32) Unary {
	if lo > hi {
		b.Clause(why, ops)
		return constant(lo)
	}
	u := Unary{Lo: lo, Hi: hi}
	if hi > lo {
		u.Base = b.solver.Reserve(int(hi - lo))
		for _, op := range ops {
			b.Postpone(&u, op)
		}
		for k := lo; k+1 < hi; k++ {
			b.Clause(Counted, ops, -u.Le(k), u.Le(k+1))
		}
	}
	return u
}

// LessOrEqual adds, under the conditions, x+by ≤ y for values of y up to top.
func (b *Builder) LessOrEqual(why Axiom, ops Ops, conds []Lit, x *Unary, by int32, y *Unary, top int32) {
	last := min(y.Hi, top)
	for k := max(y.Lo, min(x.Lo+by-1, last)); k <= min(last, x.Hi+by-1); k++ {
		b.buf = b.buf[:0]
		holds := b.push(-y.Le(k)) || b.push(x.Le(k-by))
		for i := 0; i < len(conds) && !holds; i++ {
			holds = b.push(-conds[i])
		}
		if !holds {
			b.emit(why, ops)
		}
	}
}

// push appends a literal to buf unless it is false, and reports whether it is true.
func (b *Builder) push(l Lit) bool {
	if l != True && l != False {
		b.buf = append(b.buf, l)
	}
	return l == True
}

const Boundless = int32(1) << 30

// Equal adds, under the condition, x = y.
func (b *Builder) Equal(why Axiom, ops Ops, cond Lit, x, y *Unary) {
	conds := []Lit{cond}
	b.LessOrEqual(why, ops, conds, x, 0, y, Boundless)
	b.LessOrEqual(why, ops, conds, y, 0, x, Boundless)
}

// Within adds, under the conditions, |x-y| ≤ bound.
func (b *Builder) Within(why Axiom, ops Ops, conds []Lit, x, y *Unary, bound int32) {
	b.LessOrEqual(why, ops, conds, x, -bound, y, Boundless)
	b.LessOrEqual(why, ops, conds, y, -bound, x, Boundless)
}

// Equals returns a literal that holds exactly if on and x = k.
func (b *Builder) Equals(x *Unary, k int32, on Lit) Lit {
	below, above := x.Le(k-1), -x.Le(k)
	switch {
	case below == True || above == True || on == False:
		return False
	case below == False && above == False:
		return on
	case below == False && on == True:
		return -above
	case above == False && on == True:
		return -below
	}
	e := b.Fresh()
	b.Clause(Counted, By(), -e, -below)
	b.Clause(Counted, By(), -e, -above)
	b.Clause(Counted, By(), -e, on)
	b.Clause(Counted, By(), e, below, above, -on)
	return e
}

// Count returns the number first + how many of the literals hold, which must lie between lo and hi.
func (b *Builder) Count(why Axiom, ops Ops, lits []Lit, first, lo, hi int32) Unary {
	open := lits[:0]
	for _, l := range lits {
		switch l {
		case True:
			first++
		case False:
		default:
			open = append(open, l)
		}
	}
	n := int32(len(open))
	u := b.Number(why, ops, max(lo, first), min(hi, first+n))
	if u.Lo < first || u.Hi > first+n {
		return u // contradiction
	}
	lo, hi = u.Lo-first, u.Hi-first
	// some[k] is "at least k of the literals so far", k from 0 on.
	from := func(j int32) int32 { return max(0, lo-(n-j)) }
	to := func(j int32) int32 { return min(j, hi) }
	at := func(some []Lit, j, k int32) Lit {
		switch {
		case k <= from(j):
			return True
		case k > to(j):
			return False
		}
		return some[k]
	}
	some, next := make([]Lit, n+2), make([]Lit, n+2)
	for j := int32(1); j <= n; j++ {
		x := open[j-1]
		for k := from(j) + 1; k <= to(j); k++ {
			if j == n {
				next[k] = u.Ge(first + k)
			} else {
				next[k] = b.Fresh()
			}
		}
		for k := max(1, from(j)); k <= min(j, hi+1); k++ {
			here, same, less := at(next, j, k), at(some, j-1, k), at(some, j-1, k-1)
			b.Clause(Counted, ops, -same, here)
			b.Clause(Counted, ops, -x, -less, here)
			b.Clause(Counted, ops, -here, same, x)
			b.Clause(Counted, ops, -here, less)
		}
		some, next = next, some
		if !b.Alive(1) {
			break
		}
	}
	return u
}
