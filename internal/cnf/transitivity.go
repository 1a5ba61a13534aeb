package cnf

// Transitivity of the order of pairs (pair_order.go).
//
// What: of three operations a, b, c (by call) at least one pair must be free for a clause to
// exclude anything, and then a, b is. The clauses are (¬ab ¬bc ac) and (ab bc ¬ac). If one of the
// other two pairs is a constant x→c, the clause says of the third operation, y: if it comes after
// c, it comes after x. If some m lies between, x→m→c, the same follows from x→m and m→c, as y is
// concurrent with m, too (it is open from before x returns until after c is called). So only
// covering edges are needed, and those of x are the operations Last[x]+1..cov[x]: c is covered iff
// the earliest return among the operations called after x returned comes before c's call. A
// tournament without a cycle of three is a total order, so models are exactly the linear
// extensions. This holds for pending operations, which never return and hence precede nothing, and
// for operations that do not take effect, which can always stand at the end.
// Cost: about two clauses for every three concurrent operations.

// clauses counts the clauses of transitivity; it stops counting beyond limit.
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

// transitivity adds the clauses that make the pairs a total order.
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
