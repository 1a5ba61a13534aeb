package verify

// The rules of where in a list the appends of a transaction stand, where elements repeat.
//
// What: placed(x, t, n) says that n elements are appended to the list x before those that t
// appends, in the order of the commits. So the source of a read is the one that is placed where its
// appends end with the others' part.
//
// Why it is right: what a read shows of others is all that was appended up to its source, from the
// beginning of the list. So each element of it is of one that is placed in it, takes effect, and
// comes before all that are not.

import (
	"slices"

	"github.com/linsat/linsat/internal/isolation"
	"github.com/linsat/linsat/internal/verify/base"
)

// placed returns the literal that n elements of a list stand before what t appends.
func placed(object, t, n int32) literal {
	return literal{statement: statement{what: isPlaced, p: isolation.Place{Txn: object}, a: t, b: n}}
}

// ends returns the literal that t is the source of a read of a list the last element of which
// several appended.
func (c *clauses) ends(p isolation.Place, t int32) literal {
	part := c.shown(p).part
	if t == isolation.Initial || t == p.Txn {
		return always.negated()
	}
	x := c.access(p).Object
	own := c.appends(t, x)
	n := len(part) - len(own)
	if len(own) == 0 || n < 0 || !slices.Equal(own, part[n:]) {
		return always.negated()
	}
	return placed(x, t, int32(n))
}

// places returns where t can be placed in the others' part of p, ascending: from place first on.
func (c *clauses) places(p isolation.Place, t int32, first, last int) (all []literal) {
	part, x := c.shown(p).part, c.access(p).Object
	own := c.appends(t, x)
	c.work += last - first + 1
	for n := max(first, 0); n <= last && n+len(own) <= len(part); n++ {
		if t != p.Txn && len(own) > 0 && slices.Equal(own, part[n:n+len(own)]) {
			all = append(all, placed(x, t, int32(n)))
		}
	}
	return all
}

// ofPlaces returns the literals of a clause about places of appends.
func (c *clauses) ofPlaces(of *isolation.Clause, p isolation.Place) (lits []literal, err error) {
	x, part := c.access(p).Object, c.shown(p).part
	if !c.h.Objects[x].List {
		return nil, base.Faultf(c.what(p), "it is no read of a list")
	}
	if of.Rule == isolation.RulePlaced {
		k := int(of.At[0])
		if k < 0 || k >= len(part) {
			return nil, base.Faultf(c.what(p), "it shows no element %d of others", k)
		}
		for _, t := range c.writers(p, part[k]) {
			lits = append(lits, c.places(p, t, k-len(c.appends(t, x))+1, k)...)
		}
		return lits, nil
	}
	var size [2]int
	for k, t := range of.Txns {
		if size[k] = len(c.appends(t, x)); size[k] == 0 {
			return nil, base.Faultf(c.txn(t), "it appends nothing to %s", c.object(x))
		}
	}
	a, m := of.Txns[0], of.At[0]
	if of.Rule == isolation.RulePlaces {
		b, n := of.Txns[len(of.Txns)-1], of.At[1]
		if m < 0 || m > n || a == b && m == n {
			return nil, base.Faultf(c.txn(of.Txns...), "places %d and %d are not in this order", m, n)
		}
		lits = []literal{placed(x, a, m).negated(), placed(x, b, n).negated()}
		if a != b && int(m)+size[0] <= int(n) {
			lits = append(lits, c.before(commit(a), commit(b)))
		}
		return lits, nil
	}
	if m < 0 || int(m)+size[0] > len(part) {
		return nil, base.Faultf(c.what(p), "it does not show what %s appended at %d", c.txn(a), m)
	}
	lits = []literal{placed(x, a, m).negated()}
	if of.Rule == isolation.RuleStands {
		return append(lits, c.effect(a)), nil
	}
	w := of.Txns[1] // RuleHidden
	return append(append(lits, c.places(p, w, 0, len(part))...), c.before(commit(a), commit(w))), nil
}
