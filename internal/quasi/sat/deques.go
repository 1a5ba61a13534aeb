package sat

// Deques under a factor: matching and ends, in the order of ρ″.
//
// What: ρ″ is an order of literals (rearranged_literals.go). Every removal and drain takes one item
// that was inserted before, or a removal finds nothing; every item is taken at most once, with
// drains exactly once. A removal or peek at one end that takes or sees x requires that every item
// between x and that end is gone, where the ends of the two insertions say whether y gets there:
//
//	                    x inserted at the exit's end   x inserted at the other end
//	y at the exit's end after x and before the exit    before the exit
//	y at the other end  never                          before x
//
// Drains are operations after all others, at the front, of which as many take effect as items are
// left over.
//
// Source: the plain encoding of deques (encode/deque_ends.go), with the order of ρ″ in place of ρ′;
// here no window narrows the candidates but those of slots.
//
// Cost: candidates × items for each removal, so with drains the third power of the length.

import (
	"context"
	"slices"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/cnf"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/quasi"
)

const firstAtEnd cnf.Axiom = "nothing is between what leaves and its end"

// ends is one question about one deque while it is encoded.
type ends struct {
	instance *model.Instance
	theory   *model.DequeTheory
	question *quasi.Question
	part     *model.Partition // with drains at the end
	b        *cnf.Builder
	order    *rearranged
	items    []laid
	exits    []leaving
}

// laid is an item.
type laid struct {
	op    history.OpID // -1 for an initial item
	age   int          // of initial items, which were laid one after the other at the back
	value int32
	in    cnf.Lit
	back  bool
	outs  []choice[takerID] // removals and drains that may take it
}

// leaving is a removal, a drain or a peek.
type leaving struct {
	op          history.OpID
	value       int32
	back        bool
	peek, drain bool
	empty       cnf.Lit
	from        []choice[itemID] // items that it may take or see
}

// deque decides a deque.
func (e *Engine) deque(ctx context.Context, p *engine.Task, t *model.DequeTheory, m *engine.Budget) (engine.Answer,
	error) {
	if p.Quasi.Causal {
		return engine.Answer{Cause: engine.Unsupported, Detail: "causality is not known of deques in clauses"}, nil
	}
	if ctx.Err() != nil {
		return engine.Stopped(ctx), nil
	}
	c := &ends{instance: p.Instance, theory: t, question: p.Quasi, part: p.Instance.Partition}
	if p.Quasi.Drain {
		c.part = c.part.Drained(c.mostDrains())
	}
	keep := make([]history.OpID, c.part.Len())
	for i := range keep {
		keep[i] = history.OpID(i)
	}
	c.b = cnf.NewBuilder(ctx, m, c.part.Ops, keep, nil)
	defer c.b.Release()
	c.b.Build(e.factory, &model.Instance{Partition: c.part}, c)
	return c.decide()
}

// mostDrains bounds how many items are left over. An object without operations is not drained.
func (c *ends) mostDrains() int {
	t := &c.theory.Moves
	if len(t.Does) == 0 {
		return 0
	}
	n := len(t.Initial[0])
	for i, does := range t.Does {
		switch {
		case does == model.Insert:
			n++
		case does == model.Remove && t.Value[i] >= 0 && !c.part.Ops[i].Pending():
			n--
		}
	}
	return max(0, n)
}

// isDrain reports whether an operation is a drain.
func (c *ends) isDrain(i history.OpID) bool { return int(i) >= len(c.theory.Moves.Does) }

// Outcomes implements cnf.Encoding. Drains take effect one after the other, and after all others.
func (c *ends) Outcomes(b *cnf.Builder) {
	for i := range b.Order.N {
		b.In[i] = cnf.True
		if c.isDrain(i) || c.part.Ops[i].Pending() {
			b.In[i] = b.Fresh()
		}
		if i == 0 || !c.isDrain(i) {
			continue
		}
		for x := range i {
			b.Force(drained, x, i)
		}
		if c.isDrain(i - 1) {
			b.Clause(drained, cnf.By(i-1, i), -b.In[i], b.In[i-1])
		}
	}
}

// Axioms implements cnf.Encoding.
func (c *ends) Axioms(b *cnf.Builder) {
	info := c.instance.Spec.Info()
	class := make([]model.ClassID, b.Order.N)
	for i := range class {
		if class[i] = model.NoClass; !c.isDrain(history.OpID(i)) {
			class[i] = c.instance.Class[i]
			continue
		}
		for k := range info.Classes {
			if slices.Contains(info.Classes[k].Operations, info.Drain) {
				class[i] = model.ClassID(k)
			}
		}
	}
	c.order = rearrange(b, class, len(info.Classes), c.question)
	c.collect()
	c.match()
	for k := range c.exits {
		if !b.Alive(1) {
			return
		}
		c.demand(&c.exits[k])
	}
	c.order.oneOrder()
}

// collect makes the items and exits.
func (c *ends) collect() {
	b, t := c.b, &c.theory.Moves
	for p, v := range t.Initial[0] {
		c.items = append(c.items, laid{op: -1, age: p, value: v, in: cnf.True, back: true})
	}
	for i := range b.Order.N {
		switch {
		case c.isDrain(i):
			c.exits = append(c.exits, leaving{op: i, value: model.Anything, drain: true, empty: cnf.False})
		case t.Does[i] == model.Insert:
			c.items = append(c.items, laid{op: i, value: t.Value[i], in: b.In[i], back: c.theory.Back[i]})
		case t.Does[i] == model.Remove || t.Value[i] != model.Anything:
			x := leaving{op: i, value: t.Value[i], back: c.theory.Back[i], peek: t.Does[i] == model.Peek,
				empty: cnf.False}
			switch t.Value[i] {
			case model.Nothing:
				x.empty = b.In[i]
			case model.Anything:
				x.empty = b.Fresh()
			}
			c.exits = append(c.exits, x)
		}
	}
}

// inserted returns the literal "the item is inserted before the operation, in ρ″".
func (c *ends) inserted(x *laid, t history.OpID) cnf.Lit {
	if x.op < 0 {
		return cnf.True
	}
	return c.order.Before(x.op, t)
}

// match says which items each exit may take or see.
func (c *ends) match() {
	b := c.b
	for e := range c.exits {
		t := &c.exits[e]
		lits := []cnf.Lit{t.empty}
		for i := range c.items {
			x := &c.items[i]
			before := c.inserted(x, t.op)
			if t.value == model.Nothing || t.value >= 0 && t.value != x.value || before == cnf.False {
				continue
			}
			is := b.Fresh()
			b.Clause(cnf.Matched, cnf.By(t.op), -is, b.In[t.op])
			b.Clause(cnf.Matched, cnf.By(t.op, x.op), -is, x.in)
			b.Clause(cnf.InsertedFirst, cnf.By(t.op, x.op), -is, before)
			t.from, lits = append(t.from, choice[itemID]{itemID(i), is}), append(lits, is)
			if !t.peek {
				x.outs = append(x.outs, choice[takerID]{takerID(e), is})
			}
		}
		b.AtMostOne(cnf.Matched, cnf.By(t.op), slices.DeleteFunc(slices.Clone(lits), func(l cnf.Lit) bool {
			return l == cnf.False
		}))
		b.Imply(cnf.Matched, cnf.By(t.op), []cnf.Lit{b.In[t.op]}, lits...)
		if !b.Alive(int64(len(c.items))) {
			return
		}
	}
	for i := range c.items {
		x := &c.items[i]
		lits := make([]cnf.Lit, len(x.outs))
		for k, m := range x.outs {
			lits[k] = m.is
		}
		b.AtMostOne(cnf.Matched, cnf.By(x.op), lits)
		if c.question.Drain && b.Order.N > 0 {
			b.Imply(drained, cnf.By(x.op), []cnf.Lit{x.in}, lits...)
		}
	}
}

// demand emits what an exit requires of all items.
func (c *ends) demand(t *leaving) {
	b := c.b
	for i := range c.items {
		y := &c.items[i]
		before := c.inserted(y, t.op)
		if y.in == cnf.False || before == cnf.False {
			continue
		}
		gone := c.gone(y, t)
		if t.empty != cnf.False {
			b.Imply(cnf.Empty, cnf.By(t.op, y.op), []cnf.Lit{b.In[t.op], t.empty, y.in, before}, gone)
		}
		for _, m := range t.from {
			if m.with == itemID(i) {
				if t.peek {
					b.Clause(cnf.Present, cnf.By(t.op, y.op), -m.is, -gone)
				}
				continue
			}
			if one, two := c.between(&c.items[m.with], y, t); one != cnf.False && two != cnf.False {
				b.Imply(firstAtEnd, cnf.By(t.op, y.op), []cnf.Lit{m.is, y.in, one, two}, gone)
			}
		}
		if !b.Alive(int64(len(t.from) + 1)) {
			return
		}
	}
}

// between returns two literals that hold if y gets between x and the end of exit t.
func (c *ends) between(x, y *laid, t *leaving) (one, two cnf.Lit) {
	first := func(x, y *laid) cnf.Lit { // x is inserted before y
		switch {
		case y.op >= 0:
			return c.inserted(x, y.op)
		case x.op < 0 && x.age < y.age:
			return cnf.True
		}
		return cnf.False
	}
	switch here, there := y.back == t.back, x.back == t.back; {
	case here && there:
		return first(x, y), c.inserted(y, t.op)
	case here:
		return c.inserted(y, t.op), cnf.True
	case there:
		return cnf.False, cnf.False
	}
	return first(y, x), cnf.True
}

// gone returns a literal that is equivalent to y being removed before exit t in ρ″, if y takes
// effect.
func (c *ends) gone(y *laid, t *leaving) cnf.Lit {
	b := c.b
	g := b.Fresh()
	some := []cnf.Lit{-g}
	for _, d := range y.outs {
		o := c.exits[d.with].op
		if o == t.op {
			continue
		}
		l := b.And(d.is, c.order.Before(o, t.op))
		b.Clause(cnf.Matched, cnf.By(t.op, y.op), -l, g)
		some = append(some, l)
	}
	b.Clause(cnf.Matched, cnf.By(t.op, y.op), some...)
	return g
}

// decide solves the formula and reads the witness.
func (c *ends) decide() (engine.Answer, error) {
	a, err := c.b.Decide(c.part)
	if err != nil || a.Verdict != engine.Linearizable {
		return a, err
	}
	for _, i := range a.Witness {
		if c.isDrain(i) {
			a.Drains++
		}
	}
	if a.Rearranged, err = c.order.read(a.Witness); err != nil {
		return engine.Answer{Effort: a.Effort}, err
	}
	return a, nil
}
