package encode

// Fencing tokens: numbers that acquisitions of a lock return, some of them unknown.
//
// What: an acquisition of the free lock takes a token greater than all before. So operations that
// returned tokens are ordered by them, and between two with tokens T < U the lock was acquired
// free at least once and at most U − T times, since each acquisition whose token is not known takes
// one of its own. Operations with the same token belong to one holding of the lock: it is not
// acquired free between them.
//
// The tallies of the lock (tallies.go) say which acquisitions find it free.
//
// Source: the specification itself; the encoding is ours.
//
// Cost: for each operation that returned a token, the acquisitions of unknown token.

import (
	"cmp"
	"slices"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/cnf"
)

const fencing cnf.Axiom = "tokens grow"

// tokens emits the axioms of tokens.
func (c *tallying) tokens() {
	b, t := c.b, c.theory.Tokens
	number := func(x history.OpID) uint64 { return t.Numbers[b.Keep[x]] }
	var known, unknown []history.OpID
	for x := range b.Order.N {
		switch {
		case number(x) > 0:
			known = append(known, x)
		case c.acquires(x) != cnf.False:
			unknown = append(unknown, x)
		}
	}
	slices.SortStableFunc(known, func(x, y history.OpID) int { return cmp.Compare(number(x), number(y)) })
	for k, y := range known {
		if number(y) < t.Init {
			b.Clause(fencing, cnf.By(y), -b.In[y])
		}
		for _, x := range known[:k] {
			if number(x) < number(y) && b.In[x] == cnf.True && b.In[y] == cnf.True {
				b.Force(fencing, x, y)
			}
		}
		if !b.Alive(int64(k)) {
			return
		}
	}
	// one operation of the tokens before, -1 for the start, and those of this one
	before, last := history.OpID(-1), t.Init
	for first := 0; first < len(known) && b.Alive(1); {
		next := first
		for next < len(known) && number(known[next]) == number(known[first]) {
			next++
		}
		c.holding(before, last, known[first:next], number(known[first]), unknown)
		before, last, first = known[first], number(known[first]), next
	}
}

// acquires returns the literal that operation x acquires the free lock.
func (c *tallying) acquires(x history.OpID) cnf.Lit {
	free := cnf.False
	for k, w := range c.of(x) {
		if w.Acquires {
			free = c.or(x, free, c.lits[x][k])
		}
	}
	return free
}

// or returns a literal that is equivalent to one of two holding.
func (c *tallying) or(i history.OpID, x, y cnf.Lit) cnf.Lit { return -c.b.And(-x, -y) }

// holding emits what operations of one token say: they belong to one holding of the lock, which
// begins after an operation of the greatest token before, or after the start (-1).
func (c *tallying) holding(before history.OpID, last uint64, group []history.OpID, token uint64,
	unknown []history.OpID) {
	b := c.b
	taking := slices.Concat(unknown, group)
	for _, y := range group {
		for _, x := range group {
			if x != y {
				c.none(x, y, taking)
			}
		}
	}
	y := group[0]
	if token == last {
		for _, y := range group {
			c.none(-1, y, taking)
		}
		return
	}
	var some []cnf.Lit
	for _, z := range taking {
		if l := c.between(before, z, y); l != cnf.False {
			some = append(some, l)
		}
	}
	b.Imply(fencing, cnf.By(y), nil, some...)
	if most := token - last; most < uint64(len(some)) {
		b.Count(fencing, cnf.By(y), some, 0, 0, int32(most))
	}
}

// none says that the lock is not acquired free after x, or the start, and up to y.
func (c *tallying) none(x, y history.OpID, taking []history.OpID) {
	for _, z := range taking {
		if z != x {
			c.b.Clause(fencing, cnf.By(y, z), -c.between(x, z, y))
		}
	}
	c.b.Alive(int64(len(taking)))
}

// between returns the literal that z acquires the free lock after x, or after the start for -1, and
// not after y.
func (c *tallying) between(x, z, y history.OpID) cnf.Lit {
	l := c.acquires(z)
	if x >= 0 {
		if z == x {
			return cnf.False
		}
		l = c.b.And(l, c.b.Order.Before(x, z))
	}
	if z != y {
		l = c.b.And(l, c.b.Order.Before(z, y))
	}
	return l
}
