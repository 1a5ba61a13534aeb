package encode

// Matching: which item each removal takes and each peek sees.
//
// What: candidates for every exit are narrowed until there is only one (then the match is a
// constant). The rest get variables and the clauses that make them a matching.
//
// Windows: in a queue the copies of a value leave in the order of their insertion, so the k-th
// insertion of a value belongs to its k-th removal, and what real time says of the two ranks must
// agree. In a priority queue the copies are interchangeable, so this may be required. In a stack
// neither holds, but heights help (stack_heights.go).
// Pinning: a removal with one candidate takes it, and no other removal does. If a value is removed
// as often as it is there, every copy is removed by one of those removals. If copies leave in
// order, the first of them are removed in any case.
//
// A removal whose result is unknown may take any item that is left; a pending one may also take
// none, and a completed one may have found nothing.
//
// Cost: O(k·c) for k copies of a value with c candidates each; in stacks c is k.

import (
	"slices"

	"github.com/linsat/linsat/internal/cnf"
	"github.com/linsat/linsat/internal/model"
)

// class holds everything about one value in one collection.
type class struct {
	items []itemID // by call
	must  []exitID // completed removals of the value
	may   []exitID // pending removals that can take nothing else
	peeks []exitID
}

func (c *collection) match() {
	classes := c.classify()
	if c.theory.Discipline == model.LIFO && c.drained == nil && slices.ContainsFunc(classes, func(s class) bool {
		return len(s.items) > 1
	}) {
		if c.heights = c.boundHeights(); !c.b.Alive(0) {
			return
		}
	}
	loose := make([][]exitID, len(c.objects)) // removals of an unknown value, by collection
	for e := range c.exits {
		if t := &c.exits[e]; t.value == model.Anything {
			loose[t.object] = append(loose[t.object], exitID(e))
		}
	}
	matches := 0
	for k := range classes {
		s := &classes[k]
		if len(s.items) > 0 {
			matches += c.matchClass(s, len(loose[c.items[s.items[0]].object]))
		} else if len(s.must)+len(s.peeks) > 0 {
			c.b.Refute(cnf.InsertedFirst, c.exits[append(s.must, s.peeks...)[0]].op)
		}
		if matches > cnf.MaxPairs {
			c.b.GiveUp("values repeat in too many ways")
		}
		if !c.b.Alive(1) {
			return
		}
	}
	c.matchLoose(loose)
	for k := range classes {
		for _, e := range classes[k].peeks {
			c.matchPeek(&classes[k], e)
		}
		if !c.b.Alive(1) {
			return
		}
	}
	c.exclude(classes)
}

// classify sorts items and exits by value.
func (c *collection) classify() []class {
	number := map[model.Stored]int{}
	var classes []class
	of := func(x model.Stored) *class {
		k, ok := number[x]
		if !ok {
			k = len(classes)
			number[x] = k
			classes = append(classes, class{})
		}
		return &classes[k]
	}
	for i := range c.items {
		x := &c.items[i]
		s := of(model.Stored{Object: x.object, Value: x.value})
		s.items = append(s.items, itemID(i))
	}
	for e := range c.exits {
		t := &c.exits[e]
		if t.value < 0 {
			continue
		}
		s := of(model.Stored{Object: t.object, Value: t.value})
		switch {
		case t.peek:
			s.peeks = append(s.peeks, exitID(e))
		case t.pending:
			s.may = append(s.may, exitID(e))
		default:
			s.must = append(s.must, exitID(e))
		}
	}
	for k := range classes {
		slices.SortStableFunc(classes[k].items, func(x, y itemID) int {
			return int(c.items[x].call) - int(c.items[y].call)
		})
	}
	return classes
}

// matchClass matches the removals of one value, and returns how many candidates there are. others
// is the number of removals of an unknown value.
func (c *collection) matchClass(s *class, others int) int {
	if len(s.must) > len(s.items) {
		c.b.Refute(cnf.Matched, c.exits[s.must[0]].op)
		return 0
	}
	tight := len(s.must) == len(s.items)
	w := c.windows(s, others)
	for k, i := range s.items {
		x := &c.items[i]
		x.closed = tight
		x.all = tight || w.itemHi != nil && x.in == cnf.True && int(w.itemHi[k]) < len(s.must)
	}
	from := make([][]int32, len(s.must)) // places in items
	to := make([][]int32, len(s.items))  // places in must
	total := 0
	near := c.reach(s, &w)
	for d, e := range s.must {
		first, last := near(d)
		for x := first; x < last; x++ {
			if c.meet(s.items[x], e) && w.meet(x, d) {
				from[d] = append(from[d], int32(x))
				to[x] = append(to[x], int32(d))
				total++
			}
		}
		if !c.b.Alive(int64(last-first)+1) || total > cnf.MaxPairs {
			return total
		}
	}
	if !c.pin(s, from, to, tight) {
		return total
	}
	for d, e := range s.must {
		for _, x := range from[d] {
			is := cnf.True
			if len(from[d]) > 1 {
				is = c.b.Fresh()
			}
			c.join(e, s.items[x], is)
		}
		if !c.b.Alive(1) {
			return total
		}
	}
	if !tight {
		for _, e := range s.may {
			for _, x := range s.items {
				c.mayTake(e, x)
			}
		}
	}
	return total
}

// pin narrows the candidates until nothing more follows.
func (c *collection) pin(s *class, from, to [][]int32, tight bool) bool {
	var todo [][2]int32 // removal, item
	done := make([]bool, len(from))
	look := func(d int32) {
		if len(from[d]) == 1 && !done[d] {
			done[d] = true
			todo = append(todo, [2]int32{d, from[d][0]})
		}
	}
	lookItem := func(x int32) {
		if tight && len(to[x]) == 1 && !done[to[x][0]] {
			done[to[x][0]] = true
			todo = append(todo, [2]int32{to[x][0], x})
		}
	}
	for d := range from {
		look(int32(d))
	}
	for x := range to {
		lookItem(int32(x))
		if tight && len(to[x]) == 0 {
			c.b.Refute(cnf.Matched, c.items[s.items[x]].op)
			return false
		}
	}
	for d := range from {
		if len(from[d]) == 0 {
			c.b.Refute(cnf.Matched, c.exits[s.must[d]].op)
			return false
		}
	}
	for len(todo) > 0 {
		d, x := todo[0][0], todo[0][1]
		if !c.b.Alive(int64(len(from[d]) + len(to[x]))) {
			return false
		}
		todo = todo[1:]
		for _, y := range from[d] {
			if y != x {
				to[y] = without(to[y], d)
				c.b.Alive(int64(len(to[y])))
				if tight && len(to[y]) == 0 {
					c.b.Refute(cnf.Matched, c.items[s.items[y]].op)
					return false
				}
				lookItem(y)
			}
		}
		from[d] = []int32{x}
		for _, e := range to[x] {
			if e != d {
				from[e] = without(from[e], x)
				c.b.Alive(int64(len(from[e])))
				if len(from[e]) == 0 {
					c.b.Refute(cnf.Matched, c.exits[s.must[e]].op)
					return false
				}
				look(e)
			}
		}
		to[x] = []int32{d}
	}
	return true
}

func without(s []int32, x int32) []int32 {
	return slices.DeleteFunc(s, func(y int32) bool { return y == x })
}

// meet reports whether exit e can take or see item i, judging by real time and heights.
func (c *collection) meet(i itemID, e exitID) bool {
	return c.insertedBy(&c.items[i], c.exits[e].op) != cnf.False && (c.heights == nil || c.heights.meet(c, i, e))
}

// join records that exit e takes or sees item i if is holds, and what follows from that.
func (c *collection) join(e exitID, i itemID, is cnf.Lit) {
	b, t, x := c.b, &c.exits[e], &c.items[i]
	t.from = append(t.from, match[itemID]{i, is})
	if !t.peek {
		x.outs = append(x.outs, match[exitID]{e, is})
		x.drained = x.drained || t.part > 0
	}
	for _, d := range c.clears.before(t.op) {
		b.Clause(cnf.Present, cnf.By(t.op, x.op, d.op), -is, -d.is, -c.clearedBy(x, d))
	}
	if is == cnf.True {
		if x.in != cnf.True {
			b.Clause(cnf.Matched, cnf.By(t.op, x.op), x.in)
			x.in = cnf.True
		}
		if x.op >= 0 {
			b.Force(cnf.InsertedFirst, x.op, t.op)
		}
		return
	}
	b.Clause(cnf.Matched, cnf.By(t.op, x.op), -is, x.in)
	b.Clause(cnf.InsertedFirst, cnf.By(t.op, x.op), -is, c.insertedBy(x, t.op))
}

// mayTake makes item i a candidate of exit e if that is possible.
func (c *collection) mayTake(e exitID, i itemID) {
	x := &c.items[i]
	if x.closed || len(x.outs) == 1 && x.outs[0].is == cnf.True || !c.meet(i, e) {
		return
	}
	c.join(e, i, c.b.Fresh())
}

// matchLoose finds candidates for the removals of unknown value.
func (c *collection) matchLoose(loose [][]exitID) {
	for k, exits := range loose {
		for _, e := range exits {
			t := &c.exits[e]
			if !t.pending {
				t.empty = c.b.Fresh()
			}
			for _, i := range c.objects[k] {
				if !c.b.Alive(1) {
					return
				}
				c.mayTake(e, i)
			}
			if !t.pending && len(t.from) == 0 {
				c.b.Clause(cnf.Matched, cnf.By(t.op), t.empty)
				t.empty = cnf.True
			}
		}
	}
}

// matchPeek finds candidates for a peek.
func (c *collection) matchPeek(s *class, e exitID) {
	t := &c.exits[e]
	gone := func(x *item) bool {
		return len(x.outs) == 1 && x.outs[0].is == cnf.True && c.b.Order.Before(c.exits[x.outs[0].with].op,
			t.op) == cnf.True
	}
	var some []itemID
	for _, i := range s.items {
		if c.meet(i, e) && !gone(&c.items[i]) {
			some = append(some, i)
		}
	}
	c.b.Alive(int64(len(s.items)))
	if len(some) == 0 {
		c.b.Refute(cnf.Present, t.op)
		return
	}
	lits := make([]cnf.Lit, len(some))
	for k, i := range some {
		lits[k] = cnf.True
		if len(some) > 1 {
			lits[k] = c.b.Fresh()
		}
		c.join(e, i, lits[k])
		for _, d := range c.items[i].outs {
			removal := c.exits[d.with].op
			if lits[k] == cnf.True && d.is == cnf.True {
				c.b.Force(cnf.Present, t.op, removal)
				continue
			}
			c.b.Clause(cnf.Present, cnf.By(t.op, removal), -lits[k], -d.is, c.b.Order.Before(t.op, removal))
		}
	}
	c.b.Imply(cnf.Matched, cnf.By(t.op), nil, lits...)
}

// exclude makes the candidates that are not known a matching.
func (c *collection) exclude(classes []class) {
	var lits []cnf.Lit
	for e := range c.exits {
		t := &c.exits[e]
		if t.peek || t.simple() {
			continue
		}
		lits = lits[:0]
		for _, m := range t.from {
			lits = append(lits, m.is)
			if t.pending {
				c.b.Clause(cnf.Matched, cnf.By(t.op), -m.is, c.b.In[t.op])
			}
		}
		if t.empty != cnf.False {
			lits = append(lits, t.empty)
		}
		c.b.AtMostOne(cnf.Matched, cnf.By(t.op), lits)
		c.b.Imply(cnf.Matched, cnf.By(t.op), []cnf.Lit{c.b.In[t.op]}, lits...)
		if !c.b.Alive(int64(len(lits))) {
			return
		}
	}
	for i := range c.items {
		x := &c.items[i]
		if x.simple() {
			continue
		}
		lits = lits[:0]
		for _, m := range x.outs {
			lits = append(lits, m.is)
		}
		c.b.AtMostOne(cnf.Matched, cnf.By(x.op), lits)
		if x.all {
			c.b.Imply(cnf.Matched, cnf.By(x.op), nil, lits...)
		}
		if !c.b.Alive(int64(len(lits))) {
			return
		}
	}
	if c.theory.Discipline == model.ByPriority {
		for k := range classes {
			c.copiesInOrder(&classes[k])
		}
	}
}
