package verify

// The rules of what one read shows: whom it is from, and, of a list, which appends come before
// which.

import (
	"slices"

	"github.com/linsat/linsat/internal/isolation"
	"github.com/linsat/linsat/internal/verify/base"
)

// from returns the literal that the read at p is from s.
func (c *clauses) from(p isolation.Place, s int32) (literal, error) {
	a := c.access(p)
	if c.h.Objects[a.Object].List {
		if part := c.shown(p).part; len(part) > 0 && len(c.writers(p, part[len(part)-1])) > 1 {
			return c.ends(p, s), nil
		}
		source, err := c.appender(p)
		if err != nil || source != s {
			return always.negated(), err
		}
		return always, nil
	}
	by := c.writers(p, a.Value)
	initial := c.h.Objects[a.Object].Initial == a.Value
	n := len(by)
	if initial {
		n++
	}
	if _, can := slices.BinarySearch(by, s); !can && !(initial && s == isolation.Initial) {
		return always.negated(), nil
	}
	if n == 1 {
		return always, nil
	}
	return literal{statement: statement{what: isFrom, p: p, a: s}}, nil
}

// nobody is no transaction.
const nobody = -2

// appender returns the source of the read of a list, or nobody.
func (c *clauses) appender(p isolation.Place) (int32, error) {
	part := c.shown(p).part
	if len(part) == 0 {
		return isolation.Initial, nil
	}
	last := part[len(part)-1]
	t, err := c.owner(p, last)
	if err != nil || t == nobody {
		return nobody, err
	}
	if own := c.appends(t, c.access(p).Object); own[len(own)-1] != last {
		return nobody, nil
	}
	return t, nil
}

// owner returns who appended an element of p, without the reader, or nobody.
func (c *clauses) owner(p isolation.Place, v int32) (int32, error) {
	switch by := c.writers(p, v); len(by) {
	case 0:
		return nobody, nil
	case 1:
		return by[0], nil
	default:
		return 0, base.Faultf(c.what(p), "%s was appended by %s, and it is not known which of them is read",
			c.h.Values[v], c.txn(by[:2]...))
	}
}

// appends lists what a transaction appends to an object.
func (c *clauses) appends(t, object int32) (all []int32) {
	c.work += len(c.h.Txns[t].Accesses)
	for _, a := range c.h.Txns[t].Accesses {
		if a.Kind == isolation.Append && a.Object == object {
			all = append(all, a.Value)
		}
	}
	return all
}

// source returns the literals that p is from one of those that can be its source.
func (c *clauses) source(p isolation.Place) (lits []literal, err error) {
	a := c.access(p)
	if c.h.Objects[a.Object].List {
		whole, err := c.whole(p)
		if err == nil && whole {
			err = base.Faultf(c.what(p), "there is a source of it")
		}
		return nil, err
	}
	for _, s := range append([]int32{isolation.Initial}, c.writers(p, a.Value)...) {
		l, err := c.from(p, s)
		if err != nil {
			return nil, err
		}
		lits = append(lits, l)
	}
	return lits, nil
}

// whole reports whether the others' part of a list is made of all that some transactions append to
// it, of each once and in its order.
func (c *clauses) whole(p isolation.Place) (bool, error) {
	part := c.shown(p).part
	c.work += len(part)
	for _, v := range part {
		if len(c.writers(p, v)) == 0 {
			return false, nil
		}
	}
	seen := map[int32]bool{}
	for len(part) > 0 {
		t, err := c.owner(p, part[0])
		if err != nil {
			return false, err
		}
		own := c.appends(t, c.access(p).Object)
		if seen[t] || len(own) > len(part) || !slices.Equal(own, part[:len(own)]) {
			return false, nil
		}
		seen[t] = true
		part = part[len(own):]
	}
	return true, nil
}

// stands fills in where the elements of a list stand.
func (c *clauses) stands(p isolation.Place) *shown {
	s := c.shown(p)
	if s.first == nil {
		s.first, s.last = map[int32]int32{}, map[int32]int32{}
		c.work += len(s.part)
		for k, v := range s.part {
			if _, known := s.first[v]; !known {
				s.first[v] = int32(k)
			}
			s.last[v] = int32(k)
		}
	}
	return s
}

// extent returns where the others' part of p shows what t alone appended, first and last; ok is
// false if nowhere.
func (c *clauses) extent(p isolation.Place, t int32) (first, last int32, ok bool) {
	a := c.access(p)
	if t == isolation.Initial || !c.h.Objects[a.Object].List {
		return 0, 0, false
	}
	s := c.stands(p)
	for _, v := range c.appends(t, a.Object) {
		k, shown := s.first[v]
		if !shown || !slices.Equal(c.writers(p, v), []int32{t}) {
			continue
		}
		if !ok {
			first, last, ok = k, s.last[v], true
		}
		first, last = min(first, k), max(last, s.last[v])
	}
	return first, last, ok
}

func (c *clauses) appended(p isolation.Place, t int32) bool {
	_, _, ok := c.extent(p, t)
	return ok
}

// version returns the literal that a appended before b.
func (c *clauses) version(p isolation.Place, a, b int32) ([]literal, error) {
	first, _, oka := c.extent(p, a)
	_, last, okb := c.extent(p, b)
	if !oka || !okb || first >= last {
		return nil, base.Faultf(c.what(p), "it shows nothing of %s before something of %s", c.txn(a), c.txn(b))
	}
	return []literal{c.before(commit(a), commit(b))}, nil
}

// unseen returns the literals that b appended after a, which p shows.
func (c *clauses) unseen(p isolation.Place, a, b int32) ([]literal, error) {
	if !c.appended(p, a) {
		return nil, base.Faultf(c.what(p), "it shows nothing of %s", c.txn(a))
	}
	s := c.stands(p)
	hidden := func(v int32) bool { _, shown := s.first[v]; return !shown }
	if !slices.ContainsFunc(c.appends(b, c.access(p).Object), hidden) {
		return nil, base.Faultf(c.what(p), "it hides nothing of %s", c.txn(b))
	}
	return []literal{c.effect(b).negated(), c.before(commit(a), commit(b))}, nil
}

// incompatible checks that none of two reads of a list is the beginning of the other.
func (c *clauses) incompatible(p, q isolation.Place) error {
	a, b := c.shown(p).part, c.shown(q).part
	n := min(len(a), len(b))
	c.work += n
	if c.access(p).Object != c.access(q).Object || slices.Equal(a[:n], b[:n]) {
		return base.Faultf(c.what(p), "%s is of something else, or agrees with it", c.what(q))
	}
	return nil
}

// twice checks that a read shows an element of a list more often than it was appended.
func (c *clauses) twice(p isolation.Place) error {
	a := c.access(p)
	c.work += len(a.List)
	times := map[int32]int{}
	for _, v := range a.List {
		if times[v]++; times[v] > c.of[left{a.Object, v}].times {
			return nil
		}
	}
	return base.Faultf(c.what(p), "it shows nothing more often than it was appended")
}
