package cnf

// clauses counts the clauses of transitivity, giving up beyond limit.
func (o *Order) clauses(limit int64) int64 {
	total := int64(0)
	for a := range o.N {
		for b := a + 1; b <= o.Last[a]; b++ {
			x, y := o.Last[a], o.Last[b]
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

// transitivity emits the clauses that make a total order of the pairs.
func (b *Builder) transitivity() {
	o := b.Order
	for x := range o.N {
		for y := x + 1; y <= o.Last[x]; y++ {
			if !b.Alive(1) {
				return
			}
			xy := o.Before(x, y)
			hx, hy := o.Last[x], o.Last[y]
			for z := y + 1; z <= min(hx, hy); z++ {
				yz, xz := o.Before(y, z), o.Before(x, z)
				b.Clause(transitive, By(x, y, z), -xy, -yz, xz)
				b.Clause(transitive, By(x, y, z), xy, yz, -xz)
			}
			if hx > hy {
				for z := hy + 1; z <= min(hx, o.cov[y]); z++ {
					b.Clause(transitive, By(x, y, z), -xy, o.Before(x, z))
				}
			} else {
				for z := hx + 1; z <= min(hy, o.cov[x]); z++ {
					b.Clause(transitive, By(x, y, z), xy, o.Before(y, z))
				}
			}
		}
	}
}
