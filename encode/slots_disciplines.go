package encode

// Disciplines: what must be gone before something leaves, is seen, or nothing is found.
//
// Every rule has the form "y is there neither when x leaves nor earlier", that is: x leaves before
// y comes, or y leaves before x. Which of the two is a literal of its own where windows leave both
// open, so that clauses stay short.

import (
	"slices"

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
		hi := o.taken.hi - o.later(model.Remove, it.op)
		if it.slot.hi <= o.last {
			hi = min(hi, it.slot.hi-1)
		}
		first := o.earlier(model.Remove, it.op)
		it.passed = b.count(ranked, by(it.op), o.before(model.Remove, it.op), first, first, hi)
		if !b.alive(1) {
			return
		}
	}
}

// inserted is the literal "x is inserted before y in ρ″".
func (o *object) inserted(x, y int32) lit {
	a, c := &o.items[x], &o.items[y]
	switch {
	case a.op < 0 && c.op < 0:
		if a.age < c.age {
			return yes
		}
		return no
	case a.op < 0:
		return yes
	case c.op < 0:
		return no
	case o.puts != nil:
		return o.puts.before(a.op, c.op)
	}
	return o.s.b.order.before(a.op, c.op)
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
	used := make([][]lit, len(o.items))
	for d := range o.removals {
		r := &o.removals[d]
		byValue := map[int32][]lit{} // that it takes an item of this value
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
				takes = []lit{r.in}
			}
			var sources []lit
			for _, x := range copies[v] {
				it := &o.items[x]
				there := yes
				if it.op >= 0 {
					there = b.order.before(it.op, r.op)
				}
				if there == no {
					continue
				}
				is := yes
				if len(copies[v]) > 1 || len(r.from) > 1 || r.in != yes || it.in != yes || len(it.outs) > 1 {
					is = b.fresh()
				}
				b.clause(causally, by(it.op, r.op), -is, there)
				b.clause(causally, by(it.op, r.op), -is, it.in)
				sources = append(sources, is)
				used[x] = append(used[x], is)
			}
			for _, l := range takes {
				b.clause(causally, by(r.op), append(slices.Clone(sources), -l)...)
			}
			if !b.alive(int64(len(sources))) {
				return
			}
		}
	}
	for x := range used {
		b.atMostOne(causally, by(o.items[x].op), used[x])
	}
}

// disciplines emits what leaving and finding nothing demand.
func (o *object) disciplines() {
	s, b := o.s, o.s.b
	waits := o.waits()
	for x := range o.items {
		it := &o.items[x]
		leaves := it.slot.le(o.last)
		if leaves == no {
			continue
		}
		if !waits {
			b.atMost(insFirst, by(it.op), nil, &it.passed, 1, &it.slot, o.last)
		}
		for y := range o.items {
			if x == y {
				continue
			}
			z := &o.items[y]
			switch s.theory.Discipline {
			case model.FIFO:
				if z.slot.hi >= it.slot.lo {
					b.atMost(firstOut, by(z.op, it.op), []lit{z.in, o.inserted(int32(y), int32(x))}, &z.slot, 1, &it.slot, o.last)
				}
			case model.LIFO:
				if z.slot.hi >= it.slot.lo && z.passed.lo < it.slot.hi {
					o.apart(lastOut, by(z.op, it.op), []lit{leaves, z.in, o.inserted(int32(x), int32(y))}, &it.slot, z)
				}
			default:
				if s.theory.Rank[z.value] < s.theory.Rank[it.value] {
					o.apart(bestOut, by(z.op, it.op), []lit{leaves, z.in}, &it.slot, z)
				}
			}
		}
		if !b.alive(int64(len(o.items))/4 + 1) {
			return
		}
	}
	for d := range o.removals {
		r := &o.removals[d]
		if r.empty == no {
			continue
		}
		for y := range o.items {
			if z := &o.items[y]; !waits || z.op < 0 {
				o.apart(nothing, by(r.op, z.op), []lit{r.in, r.empty, z.in}, &r.slot, z)
			}
		}
		if !b.alive(int64(len(o.items))/4 + 1) {
			return
		}
	}
}

// apart says under the conditions, which imply that slot is one in use: y is not there when that
// slot is reached.
func (o *object) apart(why axiom, ops operations, conds []lit, slot *unary, y *stored) {
	b := o.s.b
	if y.slot.hi < slot.lo || slot.hi <= y.passed.lo || slices.Contains(conds, no) {
		return
	}
	switch {
	case slot.lo > y.passed.hi:
		b.atMost(why, ops, conds, &y.slot, 1, slot, o.last)
	case y.slot.lo >= min(slot.hi, o.last):
		b.atMost(why, ops, conds, slot, 0, &y.passed, boundless)
	default:
		early := b.fresh()
		b.atMost(why, ops, []lit{early}, slot, 0, &y.passed, boundless)
		b.atMost(why, ops, append(conds, -early), &y.slot, 1, slot, o.last)
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
				o.hidden(nothing, k, []lit{k.in}, int32(y))
			}
		default:
			some := []lit{-k.in}
			for _, x := range copies[k.value] {
				it := &o.items[x]
				is := b.fresh()
				some = append(some, is)
				b.clause(stillIn, by(k.op, it.op), -is, it.in)
				b.clause(stillIn, by(k.op, it.op), -is, k.there[x])
				b.atMost(stillIn, by(k.op, it.op), []lit{is}, &k.passed, 1, &it.slot, boundless)
				for y := range o.items {
					z := int32(y)
					switch {
					case z == x:
					case s.theory.Discipline == model.FIFO:
						o.hidden(firstOut, k, []lit{is, o.inserted(z, x)}, z)
					case s.theory.Discipline == model.LIFO:
						o.hidden(lastOut, k, []lit{is, o.inserted(x, z)}, z)
					case s.theory.Rank[o.items[y].value] < s.theory.Rank[it.value]:
						o.hidden(bestOut, k, []lit{is}, z)
					}
				}
			}
			b.clause(stillIn, by(k.op), some...)
		}
		if !b.alive(int64(len(o.items))/4 + 1) {
			return
		}
	}
}

// hidden says under the conditions that peek k finds item y gone or not there yet.
func (o *object) hidden(why axiom, k *sight, conds []lit, y int32) {
	it := &o.items[y]
	o.s.b.atMost(why, by(k.op, it.op), append(conds, it.in, k.there[y]), &it.slot, 0, &k.passed, boundless)
}

// view makes the place of a peek among removals and insertions of ρ″.
func (o *object) view(k *sight) {
	b := o.s.b
	k.there = make([]lit, len(o.items))
	if o.s.relax.Meaning == quasi.Classes {
		o.viewFree(k)
		return
	}
	first := o.earlier(model.Remove, k.op)
	k.passed = b.count(ranked, by(k.op), o.before(model.Remove, k.op), first, first, o.taken.hi-o.later(model.Remove, k.op))
	if o.puts != nil {
		first = o.earlier(model.Insert, k.op)
		puts := b.count(ranked, by(k.op), o.before(model.Insert, k.op), first, first, boundless)
		o.viewPlaces(k, &puts)
		return
	}
	for x := range o.items {
		k.there[x] = yes
		if op := o.items[x].op; op >= 0 {
			k.there[x] = b.order.before(op, k.op)
		}
	}
}
