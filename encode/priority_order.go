package encode

// Best first: the order in which a priority queue gives its items.
//
// What: an exit that takes or sees x requires that every better item inserted before the exit is
// removed before it. Copies of a value may be required to leave in the order of their insertion.

import "github.com/linsat/linsat/internal/cnf"

// bestFirst is the condition under which y is removed before an exit t that takes or sees a worse
// item.
func (c *collection) bestFirst(y *item, t *exit) demand {
	return demand{cnf.BestFirst, c.insertedBy(y, t.op), cnf.True}
}

// better reports whether x leaves a priority queue before y.
func (c *collection) better(x, y *item) bool {
	return c.theory.Rank[x.value] < c.theory.Rank[y.value]
}

// copiesInOrder requires that copies of a value leave a priority queue in the order in which they
// came, which real time windows assume already. It prunes only, so large classes go without.
func (c *collection) copiesInOrder(s *class) {
	if len(s.items) > maxOrderedCopies {
		return
	}
	for _, i := range s.items {
		for _, j := range s.items {
			x, y := &c.items[i], &c.items[j]
			if i == j || x.simple() && y.simple() {
				continue
			}
			for _, d := range x.outs {
				for _, e := range y.outs {
					if d.with != e.with {
						p, q := c.exits[d.with].op, c.exits[e.with].op
						if p == q { // parts of a drain
							continue
						}
						c.b.Clause(cnf.Canonical, cnf.By(p, q), -d.is, -e.is, -c.inserted(x, y), c.b.Order.Before(p, q))
					}
				}
			}
			if !c.b.Alive(1) {
				return
			}
		}
	}
}
