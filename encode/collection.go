package encode

// Collections: queues, stacks, priority queues.
//
// What: every insertion (and every value that is there at the start) is an item. A removal or a
// peek is an exit: it takes or sees one item, or finds nothing. The literal M(t,x) says that exit t
// takes or sees item x; where values are distinct it is a constant, and matching.go leaves few
// others. All that the disciplines say is which items must be gone when an exit happens:
//
//	first in, first out   M(t,x), y inserted before x                        ⇒ y removed before t
//	last in, first out    M(t,x), y inserted after x and before t            ⇒ y removed before t
//	best first            M(t,x), y better than x and inserted before t      ⇒ y removed before t
//	nothing               t found nothing, y inserted before t               ⇒ y removed before t
//
// and "y removed before t" is: some M(d,y), and d before t for that d (false if nothing can remove
// y). A peek differs from a removal only in not being one of the d.
//
// Which instances: an item or an exit is simple if its matches are known. Instances between simple
// ones are emitted only if real time leaves at least one of their orders open, by a walk through
// the rows of concurrent pairs; those that real time alone decides are checked by sweeps
// (sweep.go). Instances with a match that is not known are those of nearby.go.
//
// Invariant: an item that does not take effect is not matched (M(t,x) ⇒ in(x)); matches are at most
// one for every item among removals and for every removal among items.
//
// Cost: one clause for each instance in the rows; for the rest see nearby.go.

import (
	"slices"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/cnf"
	"github.com/linsat/linsat/internal/model"
)

// match is an item or exit that may belong to another one, and the literal that it does.
type match struct {
	with int32
	is   cnf.Lit
}

// item is something that is or comes into a collection.
type item struct {
	op            int32 // kept operation, -1 for what is there at the start
	object, value int32
	// of the insertion; below zero for what is there at the start, in the order of insertion
	call, ret int32
	class     int32 // items and exits of the same value of the same collection
	in        cnf.Lit
	outs      []match // removals that may take it
	seen      []int32 // simple exits that take or see it
	sights    int     // exits that may take or see it
	all       bool    // it must be removed
	closed    bool    // it must be removed by a completed removal of its value
}

func (x *item) simple() bool { return len(x.outs) == 0 || len(x.outs) == 1 && x.outs[0].is == cnf.True }

// exit is a removal or a peek.
type exit struct {
	op            int32
	object, value int32
	peek, pending bool
	empty         cnf.Lit // it finds nothing
	from          []match // items that it may take or see
}

func (t *exit) simple() bool {
	return t.empty == cnf.True || t.empty == cnf.False && len(t.from) == 1 && t.from[0].is == cnf.True
}

type collection struct {
	theory *model.CollectionTheory
	part   *model.Partition

	b       *cnf.Builder
	items   []item
	exits   []exit
	itemOf  []int32   // by kept operation, -1 if it inserts nothing
	exitOf  []int32   // by kept operation, -1 if it is no exit
	objects [][]int32 // items of every collection
	heights *heights  // of stacks, where values repeat; else nil
	conds   []cnf.Lit // scratch of require
	some    []cnf.Lit
}

func newCollection(t *model.CollectionTheory, part *model.Partition) *collection {
	if t.Discipline != model.FIFO && oneValue(t) {
		queue := *t
		queue.Discipline = model.FIFO
		t = &queue
	}
	return &collection{theory: t, part: part}
}

// oneValue says whether all values that are inserted or there at the start are the same. Then all
// disciplines are, too.
func oneValue(t *model.CollectionTheory) bool {
	value := model.Nothing
	other := func(v int32) bool {
		if value == model.Nothing {
			value = v
		}
		return v != value
	}
	for i, v := range t.Value {
		if t.Does[i] == model.Insert && other(v) {
			return false
		}
	}
	return !slices.ContainsFunc(t.Initial, func(initial []int32) bool { return slices.ContainsFunc(initial, other) })
}

// reduce implements encoding. It drops pending peeks; pending insertions of what no completed
// operation saw or can have taken unseen (taken out of a linearization together with the pending
// removal that may take it, an item leaves a linearization: all disciplines are closed under that);
// and pending removals where completed ones take everything.
func (c *collection) reduce(keep []int32) ([]int32, string) {
	t := c.theory
	type value struct{ object, value int32 }
	sight := map[value]int32{} // the latest return of what saw or took it
	// the latest return of a removal that may have taken anything
	unseen := make([]int32, len(t.Initial))
	surplus := make([]int32, len(t.Initial)) // items less removals that certainly take one
	balance := make(map[value]int32)         // the same for each value
	item := func(object, v, n int32) {
		surplus[object] += n
		balance[value{object, v}] += n
	}
	for k, initial := range t.Initial {
		for _, v := range initial {
			item(int32(k), v, 1)
		}
	}
	for _, i := range keep {
		o, k, v := &c.part.Ops[i], t.Object[i], t.Value[i]
		switch {
		case t.Does[i] == model.Insert:
			item(k, v, 1)
		case o.Pending():
		case v >= 0:
			sight[value{k, v}] = max(sight[value{k, v}], o.Return)
			if t.Does[i] == model.Remove {
				item(k, v, -1)
			}
		case v == model.Anything && t.Does[i] == model.Remove:
			unseen[k] = max(unseen[k], o.Return)
		}
	}
	for _, i := range keep {
		if t.Does[i] == model.Remove && t.Value[i] >= 0 && balance[value{t.Object[i], t.Value[i]}] < 0 {
			return nil, "a value leaves more often than it is inserted: #" + c.part.ID(i)
		}
	}
	useless := func(i int32) bool {
		o, k, v := &c.part.Ops[i], t.Object[i], t.Value[i]
		switch {
		case !o.Pending():
			return false
		case t.Does[i] == model.Peek || v == model.Nothing:
			return true
		case t.Does[i] == model.Insert:
			return sight[value{k, v}] < o.Call && unseen[k] < o.Call
		default:
			return false
		}
	}
	keep = slices.DeleteFunc(keep, func(i int32) bool {
		drop := useless(i)
		if drop && t.Does[i] == model.Insert {
			surplus[t.Object[i]]--
		}
		return drop
	})
	keep = slices.DeleteFunc(keep, func(i int32) bool {
		return c.part.Ops[i].Pending() && t.Does[i] == model.Remove && surplus[t.Object[i]] <= 0
	})
	return keep, ""
}

// Outcomes implements cnf.Encoding.
func (c *collection) Outcomes(b *cnf.Builder) {
	c.b = b
	for i := range b.Order.N {
		b.In[i] = cnf.True
		if c.part.Ops[b.Keep[i]].Pending() {
			b.In[i] = b.Fresh()
		}
	}
}

// Axioms implements cnf.Encoding.
func (c *collection) Axioms(b *cnf.Builder) {
	c.collect()
	c.match()
	if !b.Alive(0) {
		return
	}
	c.known()
	c.sweeps()
	c.rows()
	c.complex()
}

// collect makes the items and exits.
func (c *collection) collect() {
	b, t := c.b, c.theory
	c.objects = make([][]int32, len(t.Initial))
	add := func(x item) {
		c.objects[x.object] = append(c.objects[x.object], int32(len(c.items)))
		c.items = append(c.items, x)
	}
	for k, initial := range t.Initial {
		for p, v := range initial {
			at := int32(p - len(initial))
			if t.Discipline == model.LIFO {
				at = int32(-1 - p)
			}
			add(item{op: -1, object: int32(k), value: v, call: at, ret: at, in: cnf.True})
		}
	}
	c.itemOf, c.exitOf = make([]int32, b.Order.N), make([]int32, b.Order.N)
	for i := range b.Order.N {
		c.itemOf[i], c.exitOf[i] = -1, -1
		p := b.Keep[i]
		object, value := t.Object[p], t.Value[p]
		if t.Does[p] == model.Insert {
			c.itemOf[i] = int32(len(c.items))
			add(item{op: i, object: object, value: value, call: b.Order.Call[i], ret: b.Order.Return[i], in: b.In[i]})
			continue
		}
		if t.Does[p] == model.Peek && value == model.Anything {
			continue // it says nothing
		}
		x := exit{op: i, object: object, value: value, peek: t.Does[p] == model.Peek, pending: c.part.Ops[p].Pending(), empty: cnf.False}
		if value == model.Nothing {
			x.empty = cnf.True
		}
		c.exitOf[i] = int32(len(c.exits))
		c.exits = append(c.exits, x)
	}
}

// known notes for every item the simple exits, and leaves out pending items that nothing takes or
// sees.
func (c *collection) known() {
	for e := range c.exits {
		t := &c.exits[e]
		if t.empty != cnf.True && t.simple() {
			x := &c.items[t.from[0].with]
			x.seen = append(x.seen, int32(e))
		}
		for _, m := range t.from {
			c.items[m.with].sights++
		}
	}
	for i := range c.items {
		if x := &c.items[i]; x.in != cnf.True && x.sights == 0 {
			c.b.Clause(cnf.Outcome, cnf.By(x.op), -x.in)
			x.in = cnf.False
		}
	}
}

func (c *collection) objectOf(i int32) int32 { return c.theory.Object[c.b.Keep[i]] }

// inserted is the literal "x is inserted before y".
func (c *collection) inserted(x, y *item) cnf.Lit {
	if x.op >= 0 && y.op >= 0 {
		return c.b.Order.Before(x.op, y.op)
	}
	if x.ret < y.call {
		return cnf.True
	}
	return cnf.False
}

// insertedBy is the literal "x is inserted before operation t".
func (c *collection) insertedBy(x *item, t int32) cnf.Lit {
	if x.op < 0 {
		return cnf.True
	}
	return c.b.Order.Before(x.op, t)
}

// better says whether x leaves a priority queue before y.
func (c *collection) better(x, y *item) bool {
	return c.theory.Rank[x.value] < c.theory.Rank[y.value]
}

// require emits what exit t's taking or seeing x, or finding nothing (x is -1), demands of item y;
// seen is the literal that it does, and gone one that implies that y is removed before t, or open.
func (c *collection) require(t *exit, seen cnf.Lit, xi, yi int32, gone cnf.Lit) {
	if xi == yi {
		return
	}
	y := &c.items[yi]
	rule, one, two := cnf.Empty, cnf.True, cnf.True
	switch {
	case xi < 0:
		one = c.insertedBy(y, t.op)
	case c.theory.Discipline == model.FIFO:
		rule, one = cnf.FirstInFirstOut, c.inserted(y, &c.items[xi])
	case c.theory.Discipline == model.LIFO:
		rule, one, two = cnf.LastInFirstOut, c.inserted(&c.items[xi], y), c.insertedBy(y, t.op)
	default:
		if !c.better(y, &c.items[xi]) {
			return
		}
		rule, one = cnf.BestFirst, c.insertedBy(y, t.op)
	}
	if one == cnf.False || two == cnf.False || y.in == cnf.False {
		return
	}
	ops := cnf.By(t.op, y.op)
	if xi >= 0 {
		ops = cnf.By(t.op, y.op, c.items[xi].op)
	}
	c.conds = append(c.conds[:0], seen, y.in, one, two)
	if gone != open {
		c.b.Imply(rule, ops, c.conds, gone)
		return
	}
	if len(y.outs) == 1 && y.outs[0].is == cnf.True {
		c.b.Imply(rule, ops, c.conds, c.b.Order.Before(c.exits[y.outs[0].with].op, t.op))
		return
	}
	if !y.all {
		c.some = c.some[:0]
		for _, d := range y.outs {
			c.some = append(c.some, d.is)
		}
		c.b.Imply(rule, ops, c.conds, c.some...)
	}
	for _, d := range y.outs {
		if o := c.exits[d.with].op; o != t.op {
			c.b.Imply(rule, ops, append(c.conds, d.is), c.b.Order.Before(o, t.op))
		}
	}
}

// rows emits the instances between simple exits and items some of whose orders are open.
func (c *collection) rows() {
	o := c.b.Order
	for a := range o.N {
		for z := a + 1; z <= o.Last[a]; z++ {
			if !c.b.Alive(1) {
				return
			}
			c.pair(a, z)
			c.pair(z, a)
		}
	}
}

// pair emits the instances of which (a,z) is the first open pair, a being the item y or its
// removal, and z the item x or the exit t.
func (c *collection) pair(a, z int32) {
	queueOrStack := c.theory.Discipline != model.ByPriority
	if y := c.itemOf[a]; y >= 0 {
		if !c.items[y].simple() {
			return
		}
		if x := c.itemOf[z]; x >= 0 && queueOrStack && c.items[x].object == c.items[y].object {
			for _, e := range c.items[x].seen {
				c.require(&c.exits[e], cnf.True, x, y, open)
			}
		}
		if e := c.exitOf[z]; e >= 0 {
			c.exitPair(e, y, 1)
		}
		return
	}
	if d := c.exitOf[a]; d >= 0 && c.exitOf[z] >= 0 {
		t := &c.exits[d]
		if t.peek || t.empty != cnf.False || !t.simple() {
			return
		}
		if y := t.from[0].with; c.items[y].simple() {
			c.exitPair(c.exitOf[z], y, 2)
		}
	}
}

// exitPair emits the instance of exit e and item y if it has no earlier open pair: before the pair
// of y's insertion and the exit (stage 1) comes that of the two insertions, before that of y's
// removal and the exit (2) come both.
func (c *collection) exitPair(e, y int32, stage int) {
	t, it := &c.exits[e], &c.items[y]
	if !t.simple() || t.object != it.object {
		return
	}
	x := int32(-1)
	if t.empty == cnf.False {
		x = t.from[0].with
	}
	fifo := x >= 0 && c.theory.Discipline == model.FIFO
	if stage == 1 && fifo {
		return // does not speak of that pair
	}
	if x >= 0 && c.theory.Discipline != model.ByPriority && c.concurrent(it.op, c.items[x].op) {
		return
	}
	if stage == 2 && !fifo && c.concurrent(it.op, t.op) {
		return
	}
	c.require(t, cnf.True, x, y, open)
}

func (c *collection) concurrent(a, b int32) bool {
	return a >= 0 && b >= 0 && max(a, b) <= c.b.Order.Last[min(a, b)]
}

// certain says whether x is certainly inserted.
func (x *item) certain() bool { return x.in == cnf.True && x.ret != history.Never }
