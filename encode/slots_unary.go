package encode

// Unary numbers: a number in a window is the literals "it is at most k".
//
// What: places, slots and counts of operations. A comparison of two numbers is a clause for each
// position where their windows overlap, all of them with two literals beside the conditions. Exact
// counts are sequential counters, both ways, cut to the window of the result.
//
// Cost: a number has as many variables as its window is long; a count of n literals at most 4·n·w
// clauses, w the window.

// unary is a number from lo to hi.
type unary struct {
	lo, hi int32
	base   lit // base+k-lo is "at most k", for lo ≤ k < hi
}

// constant is a number that is known.
func constant(k int32) unary { return unary{lo: k, hi: k} }

// le is the literal "it is at most k".
func (u *unary) le(k int32) lit {
	switch {
	case k < u.lo:
		return no
	case k >= u.hi:
		return yes
	}
	return u.base + lit(k-u.lo)
}

// ge is the literal "it is at least k".
func (u *unary) ge(k int32) lit { return -u.le(k - 1) }

// number makes a number in a window. An empty window refutes.
func (b *builder) number(why axiom, ops operations, lo, hi int32) unary {
	if lo > hi {
		b.clause(why, ops)
		return constant(lo)
	}
	u := unary{lo: lo, hi: hi}
	if hi > lo {
		u.base = b.solver.Reserve(int(hi - lo))
		for k := lo; k+1 < hi; k++ {
			b.clause(counted, ops, -u.le(k), u.le(k+1))
		}
	}
	return u
}

// atMost says: under the conditions x+by ≤ y, as far as y is at most top.
func (b *builder) atMost(why axiom, ops operations, conds []lit, x *unary, by int32, y *unary, top int32) {
	last := min(y.hi, top)
	for k := max(y.lo, min(x.lo+by-1, last)); k <= min(last, x.hi+by-1); k++ {
		b.buf = b.buf[:0]
		holds := b.push(-y.le(k)) || b.push(x.le(k-by))
		for i := 0; i < len(conds) && !holds; i++ {
			holds = b.push(-conds[i])
		}
		if !holds {
			b.emit(why, ops)
		}
	}
}

// push puts a literal into buf unless it is false, and says whether it is true.
func (b *builder) push(l lit) bool {
	if l != yes && l != no {
		b.buf = append(b.buf, l)
	}
	return l == yes
}

const boundless = int32(1) << 30

// same says: under the condition x = y.
func (b *builder) same(why axiom, ops operations, cond lit, x, y *unary) {
	conds := []lit{cond}
	b.atMost(why, ops, conds, x, 0, y, boundless)
	b.atMost(why, ops, conds, y, 0, x, boundless)
}

// within says |x-y| ≤ bound.
func (b *builder) within(why axiom, ops operations, conds []lit, x, y *unary, bound int32) {
	b.atMost(why, ops, conds, x, -bound, y, boundless)
	b.atMost(why, ops, conds, y, -bound, x, boundless)
}

// is makes the literal "x is k", both ways, under a condition that it implies and needs.
func (b *builder) is(x *unary, k int32, on lit) lit {
	below, above := x.le(k-1), -x.le(k)
	switch {
	case below == yes || above == yes || on == no:
		return no
	case below == no && above == no:
		return on
	case below == no && on == yes:
		return -above
	case above == no && on == yes:
		return -below
	}
	e := b.fresh()
	b.clause(counted, by(), -e, -below)
	b.clause(counted, by(), -e, -above)
	b.clause(counted, by(), -e, on)
	b.clause(counted, by(), e, below, above, -on)
	return e
}

// count makes the number first + how many of the literals hold, which must lie between lo and hi.
func (b *builder) count(why axiom, ops operations, lits []lit, first, lo, hi int32) unary {
	open := lits[:0]
	for _, l := range lits {
		switch l {
		case yes:
			first++
		case no:
		default:
			open = append(open, l)
		}
	}
	n := int32(len(open))
	u := b.number(why, ops, max(lo, first), min(hi, first+n))
	if u.lo < first || u.hi > first+n {
		return u // refuted
	}
	lo, hi = u.lo-first, u.hi-first
	// some[k] is "at least k of the literals so far", k from 0 on.
	from := func(j int32) int32 { return max(0, lo-(n-j)) }
	to := func(j int32) int32 { return min(j, hi) }
	at := func(some []lit, j, k int32) lit {
		switch {
		case k <= from(j):
			return yes
		case k > to(j):
			return no
		}
		return some[k]
	}
	some, next := make([]lit, n+2), make([]lit, n+2)
	for j := int32(1); j <= n; j++ {
		x := open[j-1]
		for k := from(j) + 1; k <= to(j); k++ {
			if j == n {
				next[k] = u.ge(first + k)
			} else {
				next[k] = b.fresh()
			}
		}
		for k := max(1, from(j)); k <= min(j, hi+1); k++ {
			here, same, less := at(next, j, k), at(some, j-1, k), at(some, j-1, k-1)
			b.clause(counted, ops, -same, here)
			b.clause(counted, ops, -x, -less, here)
			b.clause(counted, ops, -here, same, x)
			b.clause(counted, ops, -here, less)
		}
		some, next = next, some
		if !b.alive(1) {
			break
		}
	}
	return u
}
