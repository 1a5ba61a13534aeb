package sat

// Used places: how many removals and drains there are (numbers, if operations are pending), and
// that each used slot holds exactly one removal or one drained item.

import (
	"github.com/linsat/linsat/internal/cnf"
	"github.com/linsat/linsat/internal/model"
)

// count builds the numbers of removals, drains and slots.
func (o *object) count() {
	s, b := o.s, o.s.b
	flow := int32(s.instance.Stored) // of completed operations
	sure := int32(0)
	var takers, change []cnf.Lit // pending removals; what makes the flow larger, from its least on
	plus, still := int32(0), int32(0)
	for i := range b.Order.N {
		if s.objects[s.of[i]] != o {
			continue
		}
		p := b.Keep[i]
		removal, f := s.theory.Does[p] == model.Remove, int32(s.instance.ItemDelta[p])
		if b.In[i] == cnf.True {
			flow += f
			if removal {
				sure++
			}
			continue
		}
		if removal {
			takers = append(takers, b.In[i])
		}
		switch {
		case f > 0:
			plus++
			change = append(change, b.In[i])
		case f < 0:
			flow--
			change = append(change, -b.In[i])
		case removal:
			still++
		}
	}
	most := sure + int32(len(takers))
	o.taken = b.Count(ranked, cnf.By(), takers, sure, sure, most)
	o.total, o.last = o.taken, o.taken.Hi
	if !s.question.Drain {
		return
	}
	n := int32(len(change))
	o.left = b.Count(drained, cnf.By(), change, flow, flow, flow+n)
	if below := -o.left.Lo; below > 0 { // a negative number of drains is none
		o.left = cnf.Unary{Lo: 0, Hi: max(0, o.left.Hi), Base: o.left.Base + cnf.Lit(below)}
	}
	// Every pending removal that may take something lowers the number of drains by one, as long as
	// there are any.
	full := sure + flow + int32(len(takers)) - still
	lo, hi := max(sure, full), max(most, full+still+plus)
	if o.taken.Lo == o.taken.Hi && o.left.Lo == o.left.Hi {
		lo, hi = o.taken.Lo+o.left.Lo, o.taken.Lo+o.left.Lo
	}
	if int64(len(takers)+1)*int64(n+1) > cnf.MaxPairs {
		b.GiveUp("too many operations are pending")
		return
	}
	o.total = b.Number(drained, cnf.By(), lo, hi)
	o.last = o.total.Hi
	for x := o.taken.Lo; x <= o.taken.Hi; x++ {
		for y := o.left.Lo; y <= o.left.Hi; y++ {
			b.Clause(drained, cnf.By(), -o.taken.Le(x), -o.left.Le(y), o.total.Le(x+y))
			b.Clause(drained, cnf.By(), -o.taken.Ge(x), -o.left.Ge(y), o.total.Ge(x+y))
		}
	}
}

// estimate estimates the number of clauses before they are built.
func (o *object) estimate() {
	s, b := o.s, o.s.b
	k := int64(o.bounded(s.bounds.remove))
	clauses := int64(0)
	b.Index()
	for i := range b.Order.N {
		if s.objects[s.of[i]] != o {
			continue
		}
		open := int64(len(b.Order.Open(i))) + int64(b.Order.Last[i]-i)
		clauses += 2 * open * open // two halves of the partners, four clauses each step
		if s.theory.Does[b.Keep[i]] != model.Peek {
			clauses += 6 * min(open+2*k, int64(o.last))
		}
		if clauses > cnf.MaxClauses {
			break
		}
	}
	b.Expect(clauses, "places and slots")
}

// drains adds that as many items are drained as there are drains, if that does not follow already.
func (o *object) drains() {
	if !o.free || !o.s.question.Drain {
		return
	}
	var is []cnf.Lit
	for x := range o.items {
		is = append(is, o.items[x].drain)
	}
	n := o.s.b.Count(drained, cnf.By(), is, 0, o.left.Lo, o.left.Hi)
	o.s.b.Equal(drained, cnf.By(), cnf.True, &n, &o.left)
}

// fill adds that every used slot holds one removal or one drained item.
func (o *object) fill() {
	b := o.s.b
	in := make([][]cnf.Lit, o.last+1)
	put := func(u *cnf.Unary, on cnf.Lit) {
		for k := u.Lo; k <= min(u.Hi, o.last); k++ {
			if l := b.Equals(u, k, on); l != cnf.False {
				in[k] = append(in[k], l)
			}
		}
	}
	for d := range o.removals {
		put(&o.removals[d].slot, o.removals[d].in)
	}
	for x := range o.items {
		if it := &o.items[x]; it.drain != cnf.False {
			put(&it.slot, it.drain)
		}
	}
	for k := int32(1); k <= o.last && b.Alive(1); k++ {
		b.ExactlyOne(slotted, in[k], o.total.Ge(k))
	}
}
