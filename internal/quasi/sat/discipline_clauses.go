package sat

// Disciplines: what must be gone before something leaves, is seen, or nothing is found.
//
// Every rule has the form "y is there neither when x leaves nor earlier", that is: x leaves before
// y comes, or y leaves before x. Which of the two is a literal of its own where windows leave both
// open, so that clauses stay short.

import (
	"slices"

	"github.com/linsat/linsat/internal/cnf"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/quasi"
)

// kept says whether insertions come in ρ″ after the same removals as in ρ′.
func (o *object) kept() bool {
	return o.s.relax.Meaning == quasi.Slots && o.s.bounds.insert == 0
}

// leastPassed is how many removals certainly come before the insertion of item x in ρ″.
func (o *object) leastPassed(x int32) int32 {
	if it := &o.items[x]; it.op >= 0 && o.kept() {
		return o.earlier(model.Remove, it.op)
	}
	return 0
}

// pass makes the numbers of removals before each insertion.
func (o *object) pass() {
	b := o.s.b
	if !o.kept() {
		o.passFree()
		return
	}
	for x := range o.items {
		it := &o.items[x]
		if it.op < 0 {
			continue
		}
		hi := o.taken.Hi - o.later(model.Remove, it.op)
		if it.slot.Hi <= o.last {
			hi = min(hi, it.slot.Hi-1)
		}
		first := o.earlier(model.Remove, it.op)
		it.passed = b.Count(ranked, cnf.By(it.op), o.before(model.Remove, it.op), first, first, hi)
		if !b.Alive(1) {
			return
		}
	}
}

// inserted is the literal "x is inserted before y in ρ″".
func (o *object) inserted(x, y int32) cnf.Lit {
	a, c := &o.items[x], &o.items[y]
	switch {
	case a.op < 0 && c.op < 0:
		if a.age < c.age {
			return cnf.True
		}
		return cnf.False
	case a.op < 0:
		return cnf.True
	case c.op < 0:
		return cnf.False
	case o.puts != nil:
		return o.puts.before(a.op, c.op)
	}
	return o.s.b.Order.Before(a.op, c.op)
}

// causal says that in ρ′ no value is removed before it is inserted.
func (o *object) causal() {
	s, b := o.s, o.s.b
	if !s.relax.Causal {
		return
	}
	copies := map[int32][]int32{}
	for x := range o.items {
		copies[o.items[x].value] = append(copies[o.items[x].value], int32(x))
	}
	used := make([][]cnf.Lit, len(o.items))
	for d := range o.removals {
		r := &o.removals[d]
		byValue := map[int32][]cnf.Lit{} // that it takes an item of this value
		var values []int32
		for _, m := range r.from {
			v := o.items[m.with].value
			if byValue[v] == nil {
				values = append(values, v)
			}
			byValue[v] = append(byValue[v], m.is)
		}
		for _, v := range values {
			takes := byValue[v]
			if r.value == v {
				takes = []cnf.Lit{r.in}
			}
			var sources []cnf.Lit
			for _, x := range copies[v] {
				it := &o.items[x]
				there := cnf.True
				if it.op >= 0 {
					there = b.Order.Before(it.op, r.op)
				}
				if there == cnf.False {
					continue
				}
				is := cnf.True
				if len(copies[v]) > 1 || len(r.from) > 1 || r.in != cnf.True || it.in != cnf.True || len(it.outs) > 1 {
					is = b.Fresh()
				}
				b.Clause(causally, cnf.By(it.op, r.op), -is, there)
				b.Clause(causally, cnf.By(it.op, r.op), -is, it.in)
				sources = append(sources, is)
				used[x] = append(used[x], is)
			}
			for _, l := range takes {
				b.Clause(causally, cnf.By(r.op), append(slices.Clone(sources), -l)...)
			}
			if !b.Alive(int64(len(sources))) {
				return
			}
		}
	}
	for x := range used {
		b.AtMostOne(causally, cnf.By(o.items[x].op), used[x])
	}
}

// disciplines emits what leaving and finding nothing demand.
func (o *object) disciplines() {
	s, b := o.s, o.s.b
	waits := o.waits()
	for x := range o.items {
		it := &o.items[x]
		leaves := it.slot.Le(o.last)
		if leaves == cnf.False {
			continue
		}
		if !waits {
			b.LessOrEqual(cnf.InsertedFirst, cnf.By(it.op), nil, &it.passed, 1, &it.slot, o.last)
		}
		for y := range o.items {
			if x == y {
				continue
			}
			z := &o.items[y]
			switch s.theory.Discipline {
			case model.FIFO:
				if z.slot.Hi >= it.slot.Lo {
					b.LessOrEqual(cnf.FirstInFirstOut, cnf.By(z.op, it.op), []cnf.Lit{z.in, o.inserted(int32(y), int32(x))}, &z.slot, 1, &it.slot, o.last)
				}
			case model.LIFO:
				if z.slot.Hi >= it.slot.Lo && z.passed.Lo < it.slot.Hi {
					o.apart(cnf.LastInFirstOut, cnf.By(z.op, it.op), []cnf.Lit{leaves, z.in, o.inserted(int32(x), int32(y))}, &it.slot, z)
				}
			default:
				if s.theory.Rank[z.value] < s.theory.Rank[it.value] {
					o.apart(cnf.BestFirst, cnf.By(z.op, it.op), []cnf.Lit{leaves, z.in}, &it.slot, z)
				}
			}
		}
		if !b.Alive(int64(len(o.items))/4 + 1) {
			return
		}
	}
	for d := range o.removals {
		r := &o.removals[d]
		if r.empty == cnf.False {
			continue
		}
		for y := range o.items {
			if z := &o.items[y]; !waits || z.op < 0 {
				o.apart(cnf.Empty, cnf.By(r.op, z.op), []cnf.Lit{r.in, r.empty, z.in}, &r.slot, z)
			}
		}
		if !b.Alive(int64(len(o.items))/4 + 1) {
			return
		}
	}
}

// apart says under the conditions, which imply that slot is one in use: y is not there when that
// slot is reached.
func (o *object) apart(why cnf.Axiom, ops cnf.Ops, conds []cnf.Lit, slot *cnf.Unary, y *stored) {
	b := o.s.b
	if y.slot.Hi < slot.Lo || slot.Hi <= y.passed.Lo || slices.Contains(conds, cnf.False) {
		return
	}
	switch {
	case slot.Lo > y.passed.Hi:
		b.LessOrEqual(why, ops, conds, &y.slot, 1, slot, o.last)
	case y.slot.Lo >= min(slot.Hi, o.last):
		b.LessOrEqual(why, ops, conds, slot, 0, &y.passed, cnf.Boundless)
	default:
		early := b.Fresh()
		b.LessOrEqual(why, ops, []cnf.Lit{early}, slot, 0, &y.passed, cnf.Boundless)
		b.LessOrEqual(why, ops, append(conds, -early), &y.slot, 1, slot, o.last)
	}
}

// look emits what peeks demand.
func (o *object) look() {
	s, b := o.s, o.s.b
	for p := range o.peeks {
		o.view(&o.peeks[p])
	}
	o.viewsInOrder()
	copies := map[int32][]int32{}
	for x := range o.items {
		copies[o.items[x].value] = append(copies[o.items[x].value], int32(x))
	}
	for p := range o.peeks {
		k := &o.peeks[p]
		switch {
		case k.value == model.Anything:
		case k.value == model.Nothing:
			for y := range o.items {
				o.hidden(cnf.Empty, k, []cnf.Lit{k.in}, int32(y))
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
					z := int32(y)
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

// hidden says under the conditions that peek k finds item y gone or not there yet.
func (o *object) hidden(why cnf.Axiom, k *sight, conds []cnf.Lit, y int32) {
	it := &o.items[y]
	o.s.b.LessOrEqual(why, cnf.By(k.op, it.op), append(conds, it.in, k.there[y]), &it.slot, 0, &k.passed, cnf.Boundless)
}

// view makes the place of a peek among removals and insertions of ρ″.
func (o *object) view(k *sight) {
	b := o.s.b
	k.there = make([]cnf.Lit, len(o.items))
	if o.s.relax.Meaning == quasi.Classes {
		o.viewFree(k)
		return
	}
	first := o.earlier(model.Remove, k.op)
	k.passed = b.Count(ranked, cnf.By(k.op), o.before(model.Remove, k.op), first, first, o.taken.Hi-o.later(model.Remove, k.op))
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
