package proof

// Axioms of collections. src(r,i) means that removal r removed, or peek r saw, what insertion (or
// initial item) i inserted, and src(r,NONE) that it found nothing.
//
// If values repeat or results are unknown, which removal took which item is a choice (SRC, ONE). If
// a value is inserted only once there is no choice: src(r,i) is folded, and only the axioms on the
// order remain that are known for distinct values.
//
//	queue           QF  i before j: i leaves before j does, or before j is seen in front
//	stack           SL  j on top of i: j leaves before i does, or is seen on top
//	priority queue  PF  j better than i and there: j leaves before i does, or is seen next
//	all             Z   what was put in before z found nothing left before z
//
// QN, SN, PN and ZN state for each of these that the item which must leave first does leave.
//
// COUNT: a value is removed no more often than it can have been inserted.

import (
	"errors"
	"fmt"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
)

// content returns the value of an insertion or an item, and the collection that it is in; ok is
// false for other operations.
func (w *Window) content(t *model.CollectionTheory, i history.OpID) (value int32, object model.CellID, ok bool) {
	if k := int(Item(0) - i); k >= 0 && k < len(w.items) {
		return w.items[k], w.place[k], true
	}
	if w.is(i) && t.Does[i] == model.Insert {
		return t.Value[i], t.Object[i], true
	}
	return 0, 0, false
}

// takesOut and finds report what an operation may be.
func (w *Window) takesOut(t *model.CollectionTheory, r history.OpID) bool {
	return w.is(r) && t.Does[r] == model.Remove
}
func (w *Window) finds(t *model.CollectionTheory, r history.OpID) bool {
	return w.is(r) && t.Does[r] != model.Insert
}

// Candidates lists what removal or peek r can have taken or seen: items, insertions, and NoOp.
func (w *Window) Candidates(r history.OpID) []history.OpID {
	w.prepare()
	t, ok := w.Theory.(*model.CollectionTheory)
	if !ok || !w.finds(t, r) {
		return nil
	}
	if known, ok := w.found[r]; ok {
		return known
	}
	var out []history.OpID
	v := t.Value[r]
	for k, u := range w.items {
		if w.place[k] == t.Object[r] && (v == model.Anything || v == u) {
			out = append(out, Item(k))
		}
	}
	for _, i := range w.members[t.Object[r]] {
		if t.Does[i] == model.Insert && (v == model.Anything || v == t.Value[i]) {
			out = append(out, i)
		}
	}
	if v == model.Anything || v == model.Nothing {
		out = append(out, NoOp)
	}
	w.found[r] = out
	return out
}

// Takers lists the removals that can have taken i.
func (w *Window) Takers(i history.OpID) []history.OpID {
	w.prepare()
	t, ok := w.Theory.(*model.CollectionTheory)
	if !ok {
		return nil
	}
	v, object, ok := w.content(t, i)
	if !ok {
		return nil
	}
	var out []history.OpID
	for _, r := range w.members[object] {
		if t.Does[r] == model.Remove && (t.Value[r] == model.Anything || t.Value[r] == v) {
			out = append(out, r)
		}
	}
	return out
}

// foldTaken decides src(r,i) where it is not a choice.
func (w *Window) foldTaken(t *model.CollectionTheory, r, i history.OpID) certainty {
	if !w.finds(t, r) {
		return impossible
	}
	candidates := w.Candidates(r)
	for _, c := range candidates {
		if c == i {
			if len(candidates) == 1 && !w.Optional[r] {
				return certain
			}
			return open
		}
	}
	return impossible
}

// taken adds "an operation other than but takes i" to a clause.
func (c *clause) taken(i, but history.OpID) {
	for _, r := range c.w.Takers(i) {
		if r != but {
			c.or(SourceOf(r, i))
		}
	}
}

var errWrongKind = errors.New("the axiom does not apply to operations of these kinds")

// collection returns an instance of an axiom of collections.
func (w *Window) collection(t *model.CollectionTheory, axiom Axiom, args []history.OpID, given []Literal) ([]Literal,
	error) {
	if axiom == COUNT {
		return w.returned(t, args, given)
	}
	want := map[Axiom]int{SRC: 1, SB: 2, SI: 2, ONE: 3, PK: 3, QF: 4, QN: 3, SL: 4, SN: 3, PF: 4, PN: 3,
		Z: 3, ZN: 2}[axiom]
	if want == 0 {
		return nil, fmt.Errorf("collections have no axiom %s", axiom)
	}
	if len(args) != want {
		return nil, fmt.Errorf("it has %d arguments, not %d", len(args), want)
	}
	c := clause{w: w}
	ok := false
	switch axiom {
	case SRC, SB, SI, ONE, PK:
		ok = w.matching(t, &c, axiom, args)
	case QF, QN:
		ok = t.Discipline == model.FIFO && w.fifo(t, &c, args)
	case SL, SN:
		ok = t.Discipline == model.LIFO && w.passesOver(t, &c, args, true)
	case PF, PN:
		ok = t.Discipline == model.ByPriority && w.passesOver(t, &c, args, false)
	case Z, ZN:
		ok = w.emptiness(t, &c, args)
	}
	if !ok {
		return nil, errWrongKind
	}
	return c.result()
}

// together reports whether the operations are distinct and on one collection. Items count as
// operations.
func (w *Window) together(t *model.CollectionTheory, ops ...history.OpID) bool {
	for k, i := range ops {
		object := model.CellID(-1)
		if _, o, ok := w.content(t, i); ok {
			object = o
		} else if w.is(i) {
			object = t.Object[i]
		}
		first := t.Object
		if object < 0 {
			return false
		}
		if _, o, ok := w.content(t, ops[0]); ok {
			if o != object {
				return false
			}
		} else if first[ops[0]] != object {
			return false
		}
		for _, j := range ops[:k] {
			if i == j {
				return false
			}
		}
	}
	return true
}

func (w *Window) holds(t *model.CollectionTheory, i history.OpID) bool {
	_, _, ok := w.content(t, i)
	return ok
}

// matching returns the axioms about which removal took which item.
func (w *Window) matching(t *model.CollectionTheory, c *clause, axiom Axiom, args []history.OpID) bool {
	r := args[0]
	if !w.finds(t, r) {
		return false
	}
	switch axiom {
	case SRC:
		c.unless(TakesEffect(r))
		for _, i := range w.Candidates(r) {
			c.or(SourceOf(r, i))
		}
		return true
	case SB, SI:
		i := args[1]
		if !w.holds(t, i) || !w.together(t, r, i) {
			return false
		}
		c.unless(SourceOf(r, i))
		if axiom == SB {
			c.or(LessThan(i, r))
		} else {
			c.or(TakesEffect(i))
		}
		return true
	case PK:
		q, i := args[1], args[2]
		if t.Does[r] != model.Peek || !w.takesOut(t, q) || !w.holds(t, i) || !w.together(t, r, q, i) {
			return false
		}
		c.unless(SourceOf(r, i), SourceOf(q, i))
		c.or(LessThan(r, q))
		return true
	}
	if q := args[1]; w.is(q) && t.Does[q] != model.Insert {
		i := args[2]
		if !w.takesOut(t, r) || !w.takesOut(t, q) || !w.holds(t, i) || !w.together(t, r, q, i) {
			return false
		}
		c.unless(SourceOf(r, i), SourceOf(q, i))
		return true
	}
	if args[1] == args[2] {
		return false
	}
	for _, i := range args[1:] {
		if i != NoOp && (!w.holds(t, i) || !w.together(t, r, i)) {
			return false
		}
	}
	c.unless(SourceOf(r, args[1]), SourceOf(r, args[2]))
	return true
}

// fifo is QF(i,r,j,q) and QN(i,j,q).
func (w *Window) fifo(t *model.CollectionTheory, c *clause, args []history.OpID) bool {
	i, j, q := args[0], args[len(args)-2], args[len(args)-1]
	if !w.holds(t, i) || !w.holds(t, j) || !w.finds(t, q) || !w.together(t, i, j, q) {
		return false
	}
	if len(args) == 3 {
		c.unless(TakesEffect(i), SourceOf(q, j), LessThan(i, j))
		c.taken(i, q)
		return true
	}
	r := args[1]
	if !w.takesOut(t, r) || !w.together(t, i, j, q, r) {
		return false
	}
	c.unless(SourceOf(r, i), SourceOf(q, j), LessThan(i, j))
	c.or(LessThan(r, q))
	return true
}

// passesOver is SL(i,r,j,q) and SN(i,r,j), and PF and PN, where j is better instead of later.
func (w *Window) passesOver(t *model.CollectionTheory, c *clause, args []history.OpID, lifo bool) bool {
	i, r, j := args[0], args[1], args[2]
	if !w.holds(t, i) || !w.holds(t, j) || !w.finds(t, r) || !w.together(t, i, j, r) {
		return false
	}
	unless := []Literal{SourceOf(r, i), TakesEffect(j)}
	if lifo {
		unless = append(unless, LessThan(i, j))
	} else {
		u, _, _ := w.content(t, i)
		v, _, _ := w.content(t, j)
		if t.Rank[v] >= t.Rank[u] {
			return false
		}
	}
	unless = append(unless, LessThan(j, r))
	if len(args) == 3 {
		c.unless(unless...)
		c.taken(j, r)
		return true
	}
	q := args[3]
	if !w.takesOut(t, q) || !w.together(t, i, j, r, q) {
		return false
	}
	unless[1] = SourceOf(q, j)
	c.unless(unless...)
	c.or(LessThan(q, r))
	return true
}

// emptiness is Z(z,i,r) and ZN(z,i).
func (w *Window) emptiness(t *model.CollectionTheory, c *clause, args []history.OpID) bool {
	z, i := args[0], args[1]
	if !w.finds(t, z) || !w.holds(t, i) || !w.together(t, z, i) {
		return false
	}
	if len(args) == 2 {
		c.unless(SourceOf(z, NoOp), TakesEffect(i), LessThan(i, z))
		c.taken(i, z)
		return true
	}
	r := args[2]
	if !w.takesOut(t, r) || !w.together(t, z, i, r) {
		return false
	}
	c.unless(SourceOf(z, NoOp), SourceOf(r, i), LessThan(i, z))
	c.or(LessThan(r, z))
	return true
}

// returned is COUNT of collections.
func (w *Window) returned(t *model.CollectionTheory, args []history.OpID, given []Literal) ([]Literal, error) {
	f, err := w.newFacts(given)
	if err != nil {
		return nil, err
	}
	if len(args) < 2 || !w.takesOut(t, args[1]) {
		return nil, errors.New("no removal is named")
	}
	to, removals := args[0], args[1:]
	v, object := t.Value[removals[0]], t.Object[removals[0]]
	if v < 0 {
		return nil, errors.New("the removals have no known value")
	}
	if to != NoOp && (!w.is(to) || t.Object[to] != object) {
		return nil, errors.New("the end of the count is not an operation of the window")
	}
	seen := map[history.OpID]bool{}
	for _, r := range removals {
		if !w.takesOut(t, r) || seen[r] || t.Object[r] != object || t.Value[r] != v || !f.has(TakesEffect(r)) {
			return nil, errors.New("the operations are not distinct removals of one value")
		}
		seen[r] = true
		if to != NoOp && r != to && !f.less(r, to) {
			return nil, errors.New("a removal is not certainly within the range of the count")
		}
	}
	there := 0
	for k, u := range w.items {
		if u == v && w.place[k] == object {
			there++
		}
	}
	for _, i := range w.members[object] {
		if t.Does[i] == model.Insert && t.Value[i] == v && !f.out(i) && (to == NoOp || i != to && !f.less(to, i)) {
			there++
		}
	}
	if there >= len(removals) {
		return nil, errors.New("the value can have been inserted often enough")
	}
	return refuted(given), nil
}
