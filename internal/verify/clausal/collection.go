package clausal

// Queues, stacks and priority queues, as clauses.
//
// What: ρ′ is an order of the operations. The place of a removal is its number among the removals
// of ρ′; its slot is its number among those of ρ″, at most the bound away. An item leaves at the
// slot of the removal that takes it; after all slots if it stays. Under slots, ρ″ has as many
// removals before an insertion as ρ′ has; under classes this number is free, as long as it grows
// with the order of the insertions. Then ρ″ is legal if whatever must have left before an item x
// has done so when x leaves:
//
//	first in, first out   y inserted before x                        y leaves before x
//	last in, first out    y inserted after x and before x leaves     y leaves before x
//	best first            y better than x, inserted before x leaves  y leaves before x
//
// and nothing is there when nothing is found. What is left over leaves by drains. They come last in
// ρ′, are as many as the items that no removal takes, and can be exchanged. So the bound says of a
// drained item only that its slot is at most that far before the first drain: the j-th drain in the
// order of the slots is at least j-1 slots after the first, and no later than its place.
//
// Plain linearizability is the bound 0 without drains.
//
// Why this is exact: one of its two directions is all that a proof needs, and the clauses are what
// the definition says of some ρ′ and ρ″. Tests compare both directions with the definition.
//
// Cost: transitivity as for every order; a clause for each step at which the windows of two numbers
// overlap, for each pair of items.

import (
	"slices"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/quasi"
)

// The axioms of collections.
const (
	matched    Axiom = "what leaves was put in, each once"
	removedIn  Axiom = "a value is put in before it leaves"
	oldestOut  Axiom = "the oldest leaves first"
	youngest   Axiom = "the youngest leaves first"
	bestOut    Axiom = "the best leaves first"
	emptyThen  Axiom = "nothing is there when nothing is found"
	seenThen   Axiom = "a value is there when it is seen"
	placed     Axiom = "the place of an operation is the number of those before it"
	moved      Axiom = "no operation moves by more than its bound"
	oneEach    Axiom = "every slot is used once"
	leftOver   Axiom = "what is left over is drained"
	keepsOrder Axiom = "operations that may not move keep their order"
	noEarlier  Axiom = "no value is removed before it is put in"
)

// collection builds the formula.
type collection struct {
	f       *Formula
	part    *model.Partition
	theory  *model.CollectionTheory
	back    model.Ends
	meaning quasi.Meaning
	drain   bool
	causal  bool
	bounds  [2]int32 // of removals, of a deque by end
	bound   int32    // of removals at this end

	o        *Order
	in       []Lit
	items    []item
	removals []removal
	last     int32     // no slot comes after it
	taken    Number    // removals that take effect
	others   *among    // what else there is if operations are left out, or nil
	among    [2]*among // of a deque, at each end
}

// item is a value that is inserted, or there at the start.
type item struct {
	op      history.OpID // or -1
	age     int          // of values at the start, the oldest first
	value   int32
	in      Lit
	outs    []taking // by what it may be taken
	drained Lit
	stays   Lit
	slot    Number
	passed  Number // removals before its insertion in ρ″
}

// removal is a removal, of a value, of nothing, or of what is not known.
type removal struct {
	op          history.OpID
	value       int32
	in, nothing Lit
	from        []taking
	place, slot Number
}

// taking says that a removal takes an item. with is the removal seen from the item, and vice versa.
type taking struct {
	with int
	is   Lit
}

// build builds the formula and reports whether one is known.
func (c *collection) build() bool {
	if len(c.theory.Initial) != 1 || len(c.theory.Value) == 0 {
		return false
	}
	c.collect()
	if c.causal && c.repeated() {
		return false
	}
	ops := c.part.Ops
	c.in = effects(c.f, ops)
	for k := range c.removals {
		c.removals[k].in = c.in[c.removals[k].op]
	}
	for k := range c.items {
		if x := &c.items[k]; x.op >= 0 {
			x.in = c.in[x.op]
		}
	}
	c.o = c.f.Order(ops)
	c.o.given(c.part.Edges, c.in)
	steps := []func(){c.match, c.slots, c.pass, c.discipline, c.peeks}
	if c.bound = c.bounds[0]; c.back != nil {
		steps = []func(){c.match, c.atEnds}
	}
	for _, step := range steps {
		if step(); !c.f.Step(0) {
			break
		}
	}
	return true
}

// collect lists items and removals.
func (c *collection) collect() {
	initial := c.theory.Initial[0]
	for k, v := range initial {
		age := k
		if c.back == nil && c.theory.Discipline == model.LIFO {
			age = -k
		}
		c.items = append(c.items, item{op: -1, age: age, value: v, in: True, drained: False, stays: False})
	}
	for i, does := range c.theory.Does {
		op, v := history.OpID(i), c.theory.Value[i]
		switch does {
		case model.Insert:
			c.items = append(c.items, item{op: op, value: v, drained: False, stays: False})
		case model.Remove:
			c.removals = append(c.removals, removal{op: op, value: v, nothing: False})
		}
	}
}

// repeated reports whether two items have the same value.
func (c *collection) repeated() bool {
	seen := map[int32]bool{}
	for k := range c.items {
		if seen[c.items[k].value] {
			return true
		}
		seen[c.items[k].value] = true
	}
	return false
}

// match adds which removal takes which item.
func (c *collection) match() {
	f := c.f
	byValue := map[int32][]int{} // items
	takers := map[int32]int{}    // removals that must take the value
	for k := range c.items {
		byValue[c.items[k].value] = append(byValue[c.items[k].value], k)
	}
	for k := range c.removals {
		if r := &c.removals[k]; r.in == True {
			takers[r.value]++
		}
	}
	sure := func(v int32) bool { return len(byValue[v]) == 1 && takers[v] == 1 }
	for k := range c.removals {
		r := &c.removals[k]
		candidates := byValue[r.value]
		switch r.value {
		case model.Nothing:
			r.nothing = r.in
			continue
		case elsewhere:
			continue
		case model.Anything:
			r.nothing = f.And(r.in, f.Fresh(1))
			for x := range c.items {
				if !sure(c.items[x].value) {
					candidates = append(candidates, x)
				}
			}
		}
		some := []Lit{-r.in, r.nothing}
		if c.others != nil && c.others.items && r.value == model.Anything {
			some[1] = True // it may have taken what is left out
		}
		for _, x := range candidates {
			is := True
			if r.value == model.Anything || r.in != True || !sure(r.value) {
				is = f.Fresh(1)
			}
			f.Add(matched, By(r.op), -is, r.in)
			f.Add(matched, By(r.op, c.items[x].op), -is, c.items[x].in)
			r.from = append(r.from, taking{x, is})
			c.items[x].outs = append(c.items[x].outs, taking{k, is})
			some = append(some, is)
		}
		f.Add(matched, By(r.op), some...)
		one := []Lit{r.nothing}
		for _, m := range r.from {
			one = append(one, m.is)
		}
		f.AtMostOne(matched, By(r.op), one)
		if !f.Step(len(candidates)) {
			return
		}
	}
	for k := range c.items {
		x := &c.items[k]
		var one []Lit
		for _, m := range x.outs {
			one = append(one, m.is)
		}
		f.AtMostOne(matched, By(x.op), one)
		c.rest(x)
	}
}

// rest adds what becomes of an item that nothing takes.
func (c *collection) rest(x *item) {
	f := c.f
	stays := []Lit{-x.in}
	for _, m := range x.outs {
		if m.is == True {
			return
		}
		stays = append(stays, m.is)
	}
	x.stays = x.in
	if len(x.outs) > 0 || x.in != True {
		x.stays = f.Fresh(1)
	}
	if c.drain {
		x.stays, x.drained = False, x.stays
	}
	for _, l := range [...]Lit{x.stays, x.drained} {
		f.Add(leftOver, By(x.op), -l, x.in)
		for _, m := range x.outs {
			f.Add(leftOver, By(x.op), -l, -m.is)
		}
	}
	f.Add(leftOver, By(x.op), append(stays, x.stays, x.drained)...)
}

// slots adds places and slots.
func (c *collection) slots() {
	f := c.f
	if c.others != nil {
		c.slotsAmong()
		return
	}
	var in []Lit
	for k := range c.removals {
		in = append(in, c.removals[k].in)
	}
	used := slices.Clone(in)
	for k := range c.items {
		used = append(used, c.items[k].drained)
	}
	c.taken = f.Count(By(), in, 0)
	total := f.Count(By(), used, 0)
	c.last = total.Hi
	bound := c.atMost(c.last)
	for k := range c.removals {
		r := &c.removals[k]
		of := By(r.op)
		r.place = f.Count(of, c.before(r.op), 1)
		r.slot = f.Number(moved, of, max(1, r.place.Lo-bound), min(c.last, r.place.Hi+bound))
		f.AtMost(moved, of, &r.place, -bound, &r.slot, Unlimited, r.in)
		f.AtMost(moved, of, &r.slot, -bound, &r.place, Unlimited, r.in)
		f.AtMost(oneEach, of, &r.slot, 0, &total, Unlimited, r.in)
	}
	for k := range c.items {
		c.leave(&c.items[k], bound, &total)
	}
	for k, held := range c.fill() {
		f.Add(oneEach, By(), append(held, total.AtMost(int32(k)))...)
	}
}

// atMost is the bound of removals where they cannot move further than n.
func (c *collection) atMost(n int32) int32 {
	return min(n, c.bound)
}

// before lists literals: a removal takes effect and comes before op, for all that may.
func (c *collection) before(op history.OpID) []Lit {
	all := make([]Lit, 0, len(c.removals))
	for k := range c.removals {
		if r := &c.removals[k]; r.op != op {
			all = append(all, c.f.And(r.in, c.o.Before(r.op, op)))
		}
	}
	c.f.Step(len(c.removals))
	return all
}

// removalsBefore is the number of removals before an operation in ρ′, which ρ″ keeps.
func (c *collection) removalsBefore(op history.OpID) Number {
	if c.others != nil {
		return c.passedAmong(op)
	}
	return c.f.Count(By(op), c.before(op), 0)
}

// leave adds when an item leaves.
func (c *collection) leave(x *item, bound int32, total *Number) {
	f, of := c.f, By(x.op)
	switch {
	case len(x.outs) == 1 && x.outs[0].is == True:
		x.slot = c.removals[x.outs[0].with].slot
		return
	case x.stays == True:
		x.slot = Constant(c.last + 1)
		return
	}
	lo, hi := int32(1), c.last
	if x.drained == True {
		lo = max(1, c.taken.Lo+1-bound)
	}
	if x.stays != False || x.in != True {
		hi++
	}
	x.slot = f.Number(moved, of, lo, hi)
	for _, m := range x.outs {
		r := &c.removals[m.with]
		f.AtMost(matched, By(x.op, r.op), &x.slot, 0, &r.slot, Unlimited, m.is)
		f.AtMost(matched, By(x.op, r.op), &r.slot, 0, &x.slot, Unlimited, m.is)
	}
	f.Add(leftOver, of, -x.stays, -x.slot.AtMost(c.last))
	f.AtMost(moved, of, &c.taken, 1-bound, &x.slot, Unlimited, x.drained)
	f.AtMost(oneEach, of, &x.slot, 0, total, Unlimited, x.drained)
}

// fill adds that no slot holds two removals or drained items, and returns what may hold each, from
// the first slot on.
func (c *collection) fill() [][]Lit {
	f := c.f
	held := make([][]Lit, c.last+1)
	put := func(u *Number, on Lit) {
		for k := u.Lo; k <= min(u.Hi, c.last); k++ {
			if l := f.And(f.Is(u, k), on); l != False && k >= 1 {
				held[k] = append(held[k], l)
			}
		}
	}
	for k := range c.removals {
		put(&c.removals[k].slot, c.removals[k].in)
	}
	for k := range c.items {
		if x := &c.items[k]; x.drained != False {
			put(&x.slot, x.drained)
		}
	}
	for k := int32(1); k <= c.last && f.Step(1); k++ {
		f.AtMostOne(oneEach, By(), held[k])
	}
	return held[1:]
}

// pass adds how many removals come before each insertion in ρ″.
func (c *collection) pass() {
	f := c.f
	for k := range c.items {
		x := &c.items[k]
		switch {
		case x.op < 0:
			x.passed = Constant(0)
		case c.meaning == quasi.Slots:
			x.passed = c.removalsBefore(x.op)
		default:
			x.passed = f.Number(counted, By(x.op), 0, c.last)
		}
		f.AtMost(removedIn, By(x.op), &x.passed, 1, &x.slot, c.last, x.in)
		if !c.causal {
			continue
		}
		for _, m := range x.outs {
			if x.op >= 0 {
				f.Add(noEarlier, By(x.op, c.removals[m.with].op), -m.is, c.o.Before(x.op, c.removals[m.with].op))
			}
		}
	}
	if c.meaning == quasi.Slots {
		return
	}
	for k := range c.items {
		for j := range c.items {
			x, y := &c.items[k], &c.items[j]
			if k != j && x.op >= 0 && y.op >= 0 {
				f.AtMost(keepsOrder, By(x.op, y.op), &x.passed, 0, &y.passed, Unlimited, x.in, y.in, c.inserted(x, y))
			}
		}
		if !f.Step(len(c.items)) {
			return
		}
	}
}

// inserted returns the literal "x is inserted before y".
func (c *collection) inserted(x, y *item) Lit {
	switch {
	case x.op < 0 && y.op < 0:
		if x.age < y.age {
			return True
		}
		return False
	case x.op < 0:
		return True
	case y.op < 0:
		return False
	}
	return c.o.Before(x.op, y.op)
}

// discipline adds what must have left when an item leaves, or nothing is found.
func (c *collection) discipline() {
	f, t := c.f, c.theory
	for k := range c.items {
		x := &c.items[k]
		for j := range c.items {
			y := &c.items[j]
			if k == j || t.Discipline != model.FIFO && c.apart(y, &x.slot) {
				continue
			}
			switch of := By(x.op, y.op); {
			case t.Discipline == model.FIFO:
				f.AtMost(oldestOut, of, &x.slot, 1, &y.slot, c.last, x.in, y.in, c.inserted(x, y))
			case t.Discipline == model.LIFO:
				c.gone(youngest, of, y, &x.slot, x.in, c.inserted(x, y))
			case t.Rank[y.value] < t.Rank[x.value]:
				c.gone(bestOut, of, y, &x.slot, x.in)
			}
		}
		if !f.Step(len(c.items)) {
			return
		}
	}
	for k := range c.removals {
		r := &c.removals[k]
		for j := range c.items {
			if r.nothing != False {
				c.gone(emptyThen, By(r.op, c.items[j].op), &c.items[j], &r.slot, r.nothing)
			}
		}
		if !f.Step(len(c.items)) {
			return
		}
	}
}

// gone adds, under the conditions, that y is not there at a slot: that it is inserted later, or
// leaves before. It says nothing of what stays.
func (c *collection) gone(why Axiom, of Ops, y *item, at *Number, conditions ...Lit) {
	if c.apart(y, at) {
		return
	}
	conditions = append(conditions, y.in)
	if slices.Contains(conditions, False) {
		return
	}
	highest := min(at.Hi, c.last)
	if y.passed.Hi < at.Lo { // it is inserted before
		c.f.AtMost(why, of, &y.slot, 1, at, c.last, conditions...)
		return
	}
	later := c.f.Fresh(1)
	c.f.AtMost(why, of, &y.slot, 1, at, c.last, append(conditions, -later)...)
	for k := y.passed.Lo; k < highest; k++ {
		c.f.Add(why, of, append(negated(conditions), -later, -at.AtMost(c.last), -y.passed.AtMost(k), at.AtMost(k))...)
	}
}

// apart reports whether y is not there at a slot whatever the solver chooses, or nothing leaves
// then.
func (c *collection) apart(y *item, at *Number) bool {
	return at.Lo > c.last || min(at.Hi, c.last) <= y.passed.Lo || y.slot.Hi < at.Lo
}

func negated(lits []Lit) []Lit {
	out := make([]Lit, len(lits))
	for k, l := range lits {
		out[k] = -l
	}
	return out
}

// peeks adds what peeks that took effect saw. They have the same removals and insertions before
// them in ρ″ as in ρ′.
func (c *collection) peeks() {
	f, t := c.f, c.theory
	for i, does := range t.Does {
		op, v := history.OpID(i), t.Value[i]
		if does != model.Peek || c.in[i] != True || v == model.Anything {
			continue
		}
		passed := c.removalsBefore(op)
		// hidden adds, under the conditions, that y is not there.
		hidden := func(why Axiom, y *item, conditions ...Lit) {
			f.AtMost(why, By(op, y.op), &y.slot, 0, &passed, Unlimited, append(conditions, y.in, c.there(y, op))...)
		}
		some := []Lit{}
		for k := range c.items {
			x := &c.items[k]
			if v == model.Nothing {
				hidden(emptyThen, x)
				continue
			}
			if x.value != v {
				continue
			}
			is := f.Fresh(1)
			some = append(some, is)
			f.Add(seenThen, By(op, x.op), -is, x.in)
			f.Add(seenThen, By(op, x.op), -is, c.there(x, op))
			f.AtMost(seenThen, By(op, x.op), &passed, 1, &x.slot, Unlimited, is)
			for j := range c.items {
				y := &c.items[j]
				switch {
				case j == k:
				case t.Discipline == model.FIFO:
					hidden(oldestOut, y, is, c.inserted(y, x))
				case t.Discipline == model.LIFO:
					hidden(youngest, y, is, c.inserted(x, y))
				case t.Rank[y.value] < t.Rank[x.value]:
					hidden(bestOut, y, is)
				}
			}
		}
		if v != model.Nothing {
			f.Add(seenThen, By(op), some...)
		}
		if !f.Step(len(c.items)) {
			return
		}
	}
}

// there returns the literal "x is inserted before op".
func (c *collection) there(x *item, op history.OpID) Lit {
	if x.op < 0 {
		return True
	}
	return c.o.Before(x.op, op)
}
