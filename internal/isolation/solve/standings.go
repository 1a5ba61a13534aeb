package solve

// Where in a list the appends of a transaction may stand, as elements of it repeat; and the clauses
// about that.
//
// Cost: the longest read, and the pairs of transactions that can have appended one element of it.

import (
	"slices"

	iso "github.com/linsat/linsat/internal/isolation"
)

// standing is that a transaction's appends to a list may stand at a place.
type standing struct{ txn, at int32 }

// doubtful is a list with elements that repeat.
type doubtful struct {
	all   []standing         // by transaction, and place
	over  [][]int32          // by element of the longest read: those of all that it can be of
	own   map[int32][]int32  // by transaction: what it appends
	where map[int32]standing // by transaction: the case at hand, if it stands in the longest read
}

// findDoubts finds where transactions may stand in the lists with elements that repeat. It is false
// if there is too much.
func (d *digest) findDoubts() bool {
	total := 0
	for x := range d.lists {
		l := &d.lists[x]
		if !l.repeats {
			continue
		}
		t := &doubtful{over: make([][]int32, len(l.longest)), own: map[int32][]int32{}}
		begin := map[int32][]int32{} // by element: its places
		for k, e := range l.longest {
			begin[e] = append(begin[e], int32(k))
		}
		for _, i := range d.writers[x] {
			own, mine := d.appended(i, int32(x)), 0
			t.own[i] = own
			for _, k := range begin[own[0]] {
				if rest := l.longest[k:]; len(own) <= len(rest) && slices.Equal(own, rest[:len(own)]) {
					for n := range own {
						t.over[int(k)+n] = append(t.over[int(k)+n], int32(len(t.all)))
					}
					total += len(own)*len(t.over[k]) + mine
					mine++
					t.all = append(t.all, standing{i, k})
				}
			}
			if total > mostStandings {
				return false
			}
		}
		l.doubts = t
	}
	return true
}

// appended lists what a transaction appends to a list.
func (d *digest) appended(i, object int32) (all []int32) {
	for _, a := range d.h.Txns[i].Accesses {
		if a.Kind == iso.Append && a.Object == object {
			all = append(all, a.Value)
		}
	}
	return all
}

// placed returns the literal that a transaction's appends to a list stand at a place.
func (f *formula) placed(i, at, object int32) lit {
	return f.variable(statement{isPlaced, i, at, object})
}

// ends returns the literal that a read of a list with elements that repeat is from s.
func (f *formula) ends(r *read, s int32) lit {
	part := f.d.others(r)
	if len(part) == 0 || s == iso.Initial || s == r.place.Txn {
		return map[bool]lit{true: yes, false: no}[len(part) == 0 && s == iso.Initial]
	}
	own := f.d.appended(s, r.object)
	by := f.d.values.of(written{r.object, part[len(part)-1]})
	if several := len(by) > 1 && (len(by) > 2 || !slices.Contains(by, r.place.Txn)); !several {
		return map[bool]lit{true: yes, false: no}[len(own) > 0 && own[len(own)-1] == part[len(part)-1]]
	}
	n := len(part) - len(own)
	if len(own) == 0 || n < 0 || !slices.Equal(own, part[n:]) {
		return no
	}
	return f.placed(s, int32(n), r.object)
}

// ofPlaces returns the literals of a clause about places in a list.
func (f *formula) ofPlaces(c *iso.Clause, p iso.Place) (lits []lit) {
	x := f.object(p)
	t, shown := f.d.lists[x].doubts, f.d.reads[f.reads[p]].shown
	inside := func(s standing) bool {
		return s.txn != p.Txn && int(s.at)+len(t.own[s.txn]) <= int(shown)
	}
	a, at := int32(0), c.At[0]
	if c.Rule != iso.RulePlaced {
		a = c.Txns[0]
		lits = append(lits, -f.placed(a, at, x))
	}
	switch c.Rule {
	case iso.RulePlaced:
		for _, k := range t.over[at] {
			if s := t.all[k]; inside(s) {
				lits = append(lits, f.placed(s.txn, s.at, x))
			}
		}
	case iso.RulePlaces:
		b := c.Txns[len(c.Txns)-1]
		lits = append(lits, -f.placed(b, c.At[1], x))
		if a != b && int(at)+len(t.own[a]) <= int(c.At[1]) {
			lits = append(lits, f.before(f.commit(a), f.commit(b)))
		}
	case iso.RuleHidden:
		w := c.Txns[1]
		k, _ := slices.BinarySearchFunc(t.all, w, func(s standing, w int32) int { return int(s.txn - w) })
		for ; k < len(t.all) && t.all[k].txn == w; k++ {
			if inside(t.all[k]) {
				lits = append(lits, f.placed(w, t.all[k].at, x))
			}
		}
		lits = append(lits, f.before(f.commit(a), f.commit(w)))
	case iso.RuleStands:
		lits = append(lits, f.effect(a))
	}
	return lits
}
