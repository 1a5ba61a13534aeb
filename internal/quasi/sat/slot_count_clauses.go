package sat

// Used places: how many removals and drains there are (numbers, if operations are pending), and
// that each used slot holds exactly one removal or one drained item.

import (
	"github.com/linsat/linsat/internal/cnf"
	"github.com/linsat/linsat/internal/model"
)

// count builds the numbers of removals and slots. If what is left over is drained, every item has a
// slot, and so has everything that finds nothing.
func (o *object) count() {
	b := o.s.b
	var in []cnf.Lit
	for d := range o.removals {
		in = append(in, o.removals[d].in)
	}
	o.taken = b.Count(ranked, cnf.By(), in, 0, 0, int32(len(in)))
	if o.total = o.taken; o.s.question.Drain {
		var used []cnf.Lit
		for x := range o.items {
			used = append(used, o.items[x].in)
		}
		for d := range o.removals {
			used = append(used, b.And(o.removals[d].in, o.removals[d].empty))
		}
		o.total = b.Count(drained, cnf.By(), used, 0, 0, int32(len(used)))
	}
	o.last = o.total.Hi
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
