package cnf

// Sums in binary: the bits of what literals add up to.
//
// What: a column of literals for each power of two. Three literals of a column are replaced by
// their sum in it and their carry in the next, until one is left. What is subtracted is added where
// the literal does not hold, to a sum that starts lower.
//
// Source: the adders of Eén and Sörensson, Translating pseudo-Boolean constraints into SAT (JSAT 2,
// 2006, section 5.3). Unit propagation sees less of a sum than in a graph of sums (sums.go), so
// they are for sums that are too many to be listed.
//
// Cost: the literals times the bits of their amounts.

// Adder returns the bits, least first, of what the terms add to base, the least that they can add.
// All amounts together fit in 64 bits.
func (b *Builder) Adder(ops Ops, terms []Term) (bits []Lit, base int64) {
	var columns [][]Lit
	put := func(p int, l Lit) {
		for len(columns) <= p {
			columns = append(columns, nil)
		}
		columns[p] = append(columns[p], l)
	}
	for _, t := range terms {
		is, by := t.If, uint64(t.By)
		if t.By < 0 {
			is, by, base = -is, -by, base+t.By
		}
		for p := 0; by != 0; p, by = p+1, by>>1 {
			if by&1 != 0 {
				put(p, is)
			}
		}
	}
	for p := 0; p < len(columns) && b.Alive(1); p++ {
		column := columns[p]
		for len(column) > 1 {
			z := False
			if len(column) > 2 {
				z = column[2]
			}
			sum, carry := b.add(ops, column[0], column[1], z)
			column = append(column[min(3, len(column)):], sum)
			put(p+1, carry)
		}
		bits = append(bits, append(column, False)[0])
	}
	return bits, base
}

// add returns the sum and the carry of three bits.
func (b *Builder) add(ops Ops, x, y, z Lit) (sum, carry Lit) {
	sum, carry = b.Fresh(), b.Fresh()
	// none or two of them are negated
	for _, p := range [...][3]Lit{{x, y, z}, {x, -y, -z}, {-x, y, -z}, {-x, -y, z}} {
		b.Clause(Counted, ops, -sum, p[0], p[1], p[2])
		b.Clause(Counted, ops, sum, -p[0], -p[1], -p[2])
	}
	for _, p := range [...][2]Lit{{x, y}, {x, z}, {y, z}} {
		b.Clause(Counted, ops, carry, -p[0], -p[1])
		b.Clause(Counted, ops, -carry, p[0], p[1])
	}
	return sum, carry
}

// Exactly adds that bits are those of n if the condition holds.
func (b *Builder) Exactly(why Axiom, ops Ops, cond Lit, bits []Lit, n uint64) {
	for p := range max(len(bits), 64) {
		bit, is := False, n>>p&1 != 0
		if p < len(bits) {
			bit = bits[p]
		}
		if !is {
			bit = -bit
		}
		b.Clause(why, ops, -cond, bit)
	}
}
