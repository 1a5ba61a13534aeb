package encode

// Collections: queues, stacks, priority queues, deques.
//
// What: every insertion (and every initial value) is an item. A removal or a peek is an exit: it
// takes or sees one item, or finds nothing. The literal M(t,x) says that exit t takes or sees item
// x; if values are distinct it is a constant, and removal_matching.go leaves few others. The
// disciplines only say which items must be gone when an exit happens:
//
//	first in, first out   M(t,x), y inserted before x                        ⇒ y removed before t
//	last in, first out    M(t,x), y inserted after x and before t            ⇒ y removed before t
//	best first            M(t,x), y better than x and inserted before t      ⇒ y removed before t
//	both ends             M(t,x), y between x and the end of t              ⇒ y removed before t
//	nothing               t found nothing, y inserted before t               ⇒ y removed before t
//
// and "y removed before t" is: some M(d,y), and d before t for that d (false if nothing can remove
// y), or y is inserted before a drain of unknown result that comes before t (resets.go). A peek
// differs from a removal only in not being one of the d.
//
// Which instances: an item or an exit is simple if its matches are known. Instances between simple
// ones are emitted only if real time leaves at least one of their orders open, by a walk through
// the rows of concurrent pairs; those that real time alone decides are checked by sweeps
// (realtime_sweep.go). Instances with an unknown match are those of open_matches.go.
//
// Invariant: an item that does not take effect is not matched (M(t,x) ⇒ in(x)); matches are at most
// one for every item among removals and for every removal among items.
//
// Cost: one clause for each instance in the rows; for the rest see open_matches.go.

import (
	"slices"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/cnf"
	"github.com/linsat/linsat/internal/model"
)

// itemID numbers the items of a partition, and exitID its exits.
type (
	itemID int32
	exitID int32
)

// match is an item or exit that may belong to another one, and the literal that it does.
type match[ID itemID | exitID] struct {
	with ID
	is   cnf.Lit
}

// item is an initial value of a collection, or one that is inserted.
type item struct {
	op     history.OpID // kept operation, -1 for an initial value
	object model.CellID
	value  int32
	// of the insertion; negative for initial values, in the order of insertion
	call, ret history.Rank
	in        cnf.Lit
	outs      []match[exitID] // removals that may take it
	seen      []exitID        // simple exits that take or see it
	sights    int             // exits that may take or see it
	drained   bool            // a drain may take it
	all       bool            // it must be removed
	closed    bool            // it must be removed by a completed removal of its value
}

// simple reports whether it is known what takes x. An item that is perhaps inserted by an operation
// that returned is not simple: real time may order what does not matter.
func (x *item) simple() bool {
	if x.drained {
		return false
	}
	if len(x.outs) == 0 {
		return x.in == cnf.True || x.ret == history.Never
	}
	return len(x.outs) == 1 && x.outs[0].is == cnf.True
}

// exit is a removal or a peek, or a part of a drain: what takes one of its values, or what finds
// nothing after them.
type exit struct {
	op            history.OpID
	object        model.CellID
	value         int32
	peek, pending bool
	part          int32           // its place in a drain, from 1 on; 0 for what is no part of one
	empty         cnf.Lit         // it finds nothing
	from          []match[itemID] // items that it may take or see
}

func (t *exit) simple() bool {
	return t.part == 0 && t.only()
}

// only reports whether it is known what t takes, sees or finds.
func (t *exit) only() bool {
	return t.empty == cnf.True || t.empty == cnf.False && len(t.from) == 1 && t.from[0].is == cnf.True
}

type collection struct {
	theory *model.CollectionTheory
	part   *model.Partition

	b       *cnf.Builder
	items   []item
	exits   []exit
	itemOf  []itemID   // by kept operation, -1 if it inserts nothing
	exitOf  []exitID   // by kept operation, -1 if it is no exit
	objects [][]itemID // items of every collection
	heights *heights   // of stacks, where values repeat; else nil
	back    []bool     // of a deque, by operation of the partition: it is at the back; else nil
	// inserts returns the literal "operation i inserts" where items are counted; else it is nil,
	// and items that nothing takes or sees do not matter.
	inserts func(i history.OpID) cnf.Lit
	drained [][]int32 // by operation of the partition: what a drain takes, in order; or nil
	clears  resets    // drains of unknown result
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

// oneValue reports whether all values, inserted or initial, are the same. Then all disciplines are
// the same.
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

// reduce implements encoding. It drops pending peeks. It drops pending insertions of values that no
// completed operation saw or can have taken unseen: such an item can be removed from a
// linearization together with the pending removal that may take it, since all disciplines are
// closed under that. And it drops pending removals if completed ones take everything.
func (c *collection) reduce(keep []history.OpID) ([]history.OpID, string) {
	t := c.theory
	sight := map[model.Stored]history.Rank{} // the latest return of what saw or took it
	// the latest return of a removal that may have taken anything
	unseen := make([]history.Rank, len(t.Initial))
	surplus := make([]int32, len(t.Initial)) // items less removals that certainly take one
	balance := make(map[model.Stored]int32)  // the same for each value
	item := func(x model.Stored, n int32) {
		surplus[x.Object] += n
		balance[x] += n
	}
	for k, initial := range t.Initial {
		for _, v := range initial {
			item(model.Stored{Object: model.CellID(k), Value: v}, 1)
		}
	}
	for _, i := range keep {
		o, x := &c.part.Ops[i], t.Stored(i)
		switch {
		case t.Does[i] == model.Insert:
			item(x, 1)
		case o.Pending():
		case x.Value >= 0:
			sight[x] = max(sight[x], o.Return)
			if t.Does[i] == model.Remove {
				item(x, -1)
			}
		case x.Value == model.Anything && t.Does[i] == model.Remove:
			unseen[x.Object] = max(unseen[x.Object], o.Return)
		}
	}
	for _, i := range keep {
		if t.Does[i] == model.Remove && t.Value[i] >= 0 && balance[t.Stored(i)] < 0 {
			return nil, "a value leaves more often than it is inserted: #" + c.part.ID(i)
		}
	}
	useless := func(i history.OpID) bool {
		o, x := &c.part.Ops[i], t.Stored(i)
		switch {
		case !o.Pending():
			return false
		case t.Does[i] == model.Peek || x.Value == model.Nothing:
			return true
		case t.Does[i] == model.Insert:
			return sight[x] < o.Call && unseen[x.Object] < o.Call
		default:
			return false
		}
	}
	keep = slices.DeleteFunc(keep, func(i history.OpID) bool {
		drop := useless(i)
		if drop && t.Does[i] == model.Insert {
			surplus[t.Object[i]]--
		}
		return drop
	})
	keep = slices.DeleteFunc(keep, func(i history.OpID) bool {
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
	if c.theory.Discipline == bothEnds {
		c.throughout()
		return
	}
	c.sweeps()
	c.rows()
	c.complex()
}

// collect makes the items and exits.
func (c *collection) collect() {
	b, t := c.b, c.theory
	c.clears.b = b
	c.objects = make([][]itemID, len(t.Initial))
	add := func(x item) {
		c.objects[x.object] = append(c.objects[x.object], itemID(len(c.items)))
		c.items = append(c.items, x)
	}
	for k, initial := range t.Initial {
		for p, v := range initial {
			at := history.Rank(p - len(initial))
			if t.Discipline == model.LIFO {
				at = history.Rank(-1 - p)
			}
			add(item{op: -1, object: model.CellID(k), value: v, call: at, ret: at, in: cnf.True})
		}
	}
	c.itemOf, c.exitOf = make([]itemID, b.Order.N), make([]exitID, b.Order.N)
	for i := range b.Order.N {
		c.itemOf[i], c.exitOf[i] = -1, -1
		p := b.Keep[i]
		object, value := t.Object[p], t.Value[p]
		if t.Does[p] == model.Insert {
			c.itemOf[i] = itemID(len(c.items))
			x := item{op: i, object: object, value: value, call: b.Order.Call[i], ret: b.Order.Return[i], in: b.In[i]}
			if c.inserts != nil {
				x.in = c.inserts(i)
			}
			add(x)
			continue
		}
		if t.Does[p] == model.Peek && value == model.Anything {
			continue // it has no effect
		}
		if t.Does[p] == model.Aside {
			c.clears.all = append(c.clears.all, reset{op: i, is: b.In[i]})
			continue
		}
		if c.drained != nil && c.drained[p] != nil {
			c.drain(i, object, c.drained[p])
			continue
		}
		x := exit{op: i, object: object, value: value, peek: t.Does[p] == model.Peek, pending: c.part.Ops[p].Pending(),
			empty: cnf.False}
		if value == model.Nothing {
			x.empty = cnf.True
		}
		c.exitOf[i] = exitID(len(c.exits))
		c.exits = append(c.exits, x)
	}
	for i := range c.items {
		c.items[i].drained = len(c.clears.all) > 0
	}
}

// drain makes the exits of an operation that takes out everything: one for each value, and one that
// finds nothing after them.
func (c *collection) drain(i history.OpID, object model.CellID, values []int32) {
	for k, v := range values {
		c.exits = append(c.exits, exit{op: i, object: object, value: v, part: int32(k) + 1, empty: cnf.False})
	}
	c.exits = append(c.exits, exit{op: i, object: object, value: model.Nothing, part: int32(len(values)) + 1,
		empty: cnf.True})
}

// before returns the literal "exit d comes before t".
func (c *collection) before(d exitID, t *exit) cnf.Lit {
	x := &c.exits[d]
	switch {
	case x.op != t.op:
		return c.b.Order.Before(x.op, t.op)
	case x.part < t.part:
		return cnf.True
	}
	return cnf.False
}

// known records the simple exits of every item, and drops pending items that no exit takes or sees.
func (c *collection) known() {
	for e := range c.exits {
		t := &c.exits[e]
		if t.empty != cnf.True && t.simple() {
			x := &c.items[t.from[0].with]
			x.seen = append(x.seen, exitID(e))
		}
		for _, m := range t.from {
			c.items[m.with].sights++
		}
	}
	for i := range c.items {
		if x := &c.items[i]; x.in != cnf.True && x.sights == 0 && c.inserts == nil {
			c.b.Clause(cnf.Outcome, cnf.By(x.op), -x.in)
			x.in = cnf.False
		}
	}
}

func (c *collection) objectOf(i history.OpID) model.CellID { return c.theory.Object[c.b.Keep[i]] }

// certain reports whether x is certainly inserted.
func (x *item) certain() bool { return x.in == cnf.True && x.ret != history.Never }
