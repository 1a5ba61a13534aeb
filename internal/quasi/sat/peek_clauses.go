package sat

// Peeks: where a peek stands among the removals and insertions of ρ″, and which items must be
// present or gone at it.

import (
	"github.com/linsat/linsat/internal/cnf"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/quasi"
)

// look adds what peeks require.
func (o *object) look() {
	s, b := o.s, o.s.b
	for p := range o.peeks {
		o.view(&o.peeks[p])
	}
	o.viewsInOrder()
	copies := map[int32][]itemID{}
	for x := range o.items {
		copies[o.items[x].value] = append(copies[o.items[x].value], itemID(x))
	}
	for p := range o.peeks {
		k := &o.peeks[p]
		switch {
		case k.value == model.Anything:
		case k.value == model.Nothing:
			for y := range o.items {
				o.hidden(cnf.Empty, k, []cnf.Lit{k.in}, itemID(y))
			}
		default:
			some := []cnf.Lit{-k.in}
			for _, x := range copies[k.value] {
				it := &o.items[x]
				is := b.Fresh()
				some = append(some, is)
				b.Clause(cnf.Present, cnf.By(k.op, it.op), -is, it.in)
				b.Clause(cnf.Present, cnf.By(k.op, it.op), -is, k.there[x])
				b.LessOrEqual(cnf.Present, cnf.By(k.op, it.op), []cnf.Lit{is}, &k.passed, 1, &it.slot, cnf.Boundless)
				for y := range o.items {
					z := itemID(y)
					switch {
					case z == x:
					case s.theory.Discipline == model.FIFO:
						o.hidden(cnf.FirstInFirstOut, k, []cnf.Lit{is, o.inserted(z, x)}, z)
					case s.theory.Discipline == model.LIFO:
						o.hidden(cnf.LastInFirstOut, k, []cnf.Lit{is, o.inserted(x, z)}, z)
					case s.theory.Rank[o.items[y].value] < s.theory.Rank[it.value]:
						o.hidden(cnf.BestFirst, k, []cnf.Lit{is}, z)
					}
				}
			}
			b.Clause(cnf.Present, cnf.By(k.op), some...)
		}
		if !b.Alive(int64(len(o.items))/4 + 1) {
			return
		}
	}
}

// hidden adds, under the conditions, that item y is gone or not yet inserted at peek k.
func (o *object) hidden(why cnf.Axiom, k *sight, conds []cnf.Lit, y itemID) {
	it := &o.items[y]
	o.s.b.LessOrEqual(why, cnf.By(k.op, it.op), append(conds, it.in, k.there[y]), &it.slot, 0, &k.passed, cnf.Boundless)
}

// view builds the place of a peek among the removals and insertions of ρ″.
func (o *object) view(k *sight) {
	b := o.s.b
	k.there = make([]cnf.Lit, len(o.items))
	if o.s.question.Meaning == quasi.Classes {
		o.viewFree(k)
		return
	}
	first := o.earlier(model.Remove, k.op)
	k.passed = b.Count(ranked, cnf.By(k.op), o.before(model.Remove, k.op), first, first,
		o.taken.Hi-o.later(model.Remove, k.op))
	if o.puts != nil {
		first = o.earlier(model.Insert, k.op)
		puts := b.Count(ranked, cnf.By(k.op), o.before(model.Insert, k.op), first, first, cnf.Boundless)
		o.viewPlaces(k, &puts)
		return
	}
	for x := range o.items {
		k.there[x] = cnf.True
		if op := o.items[x].op; op >= 0 {
			k.there[x] = b.Order.Before(op, k.op)
		}
	}
}

// viewPlaces determines the items present at a peek that comes after a number of insertions.
func (o *object) viewPlaces(k *sight, puts *cnf.Unary) {
	b := o.s.b
	for x := range o.items {
		it := &o.items[x]
		if k.there[x] = cnf.True; it.op >= 0 {
			rank := &o.puts.then[o.puts.at[it.op]]
			k.there[x] = b.Fresh()
			b.LessOrEqual(cnf.Counted, cnf.By(it.op, k.op), []cnf.Lit{it.in, k.there[x]}, rank, 0, puts, cnf.Boundless)
			b.LessOrEqual(cnf.Counted, cnf.By(it.op, k.op), []cnf.Lit{it.in, -k.there[x]}, puts, 1, rank, cnf.Boundless)
		}
	}
}

// viewFree places a peek freely among removals and insertions.
func (o *object) viewFree(k *sight) {
	b := o.s.b
	k.passed = b.Number(cnf.Counted, cnf.By(k.op), 0, o.last)
	for x := range o.items {
		it := &o.items[x]
		if k.there[x] = cnf.True; it.op < 0 {
			continue
		}
		k.there[x] = b.Fresh()
		b.LessOrEqual(cnf.Counted, cnf.By(it.op, k.op), []cnf.Lit{it.in, k.there[x]}, &it.passed, 0,
			&k.passed, cnf.Boundless)
		b.LessOrEqual(cnf.Counted, cnf.By(it.op, k.op), []cnf.Lit{it.in, -k.there[x]}, &k.passed, 0,
			&it.passed, cnf.Boundless)
	}
	for x := range o.items {
		for y := range o.items {
			if a, c := &o.items[x], &o.items[y]; x != y && a.op >= 0 && c.op >= 0 {
				b.Clause(cnf.Counted, cnf.By(a.op, c.op, k.op), -a.in, -c.in, -o.inserted(itemID(x), itemID(y)),
					-k.there[y], k.there[x])
			}
		}
		if !b.Alive(int64(len(o.items))) {
			return
		}
	}
}

// viewsInOrder adds that freely placed peeks keep their order.
func (o *object) viewsInOrder() {
	s, b := o.s, o.s.b
	if s.question.Meaning != quasi.Classes {
		return
	}
	for p := range o.peeks {
		for r := range o.peeks {
			x, y := &o.peeks[p], &o.peeks[r]
			if p == r {
				continue
			}
			first := b.Order.Before(x.op, y.op)
			if o.looks != nil {
				first = o.looks.before(x.op, y.op)
			}
			if first == cnf.False {
				continue
			}
			b.LessOrEqual(cnf.Counted, cnf.By(x.op, y.op), []cnf.Lit{x.in, y.in, first}, &x.passed, 0,
				&y.passed, cnf.Boundless)
			for i := range o.items {
				b.Clause(cnf.Counted, cnf.By(x.op, y.op), -x.in, -y.in, -first, -x.there[i], y.there[i])
			}
			if !b.Alive(int64(len(o.items))) {
				return
			}
		}
	}
}
