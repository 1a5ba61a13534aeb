package sat

// Classes, and insertions that move: where ρ″ puts insertions and peeks elsewhere than ρ′.
//
// What: slots.go with two changes. Insertions whose bound is not zero have a second order: a rank
// in ρ″ at most the bound away from that in ρ′, all different; so have peeks. And under the classes
// meaning nothing ties insertions and peeks to removals any more: how many removals come before
// each in ρ″ is a free number that grows along its order. (Total orders of the classes that extend
// the interval order always combine into one, and so do the literals here, as they belong to one
// order of ρ′.) Under the slots meaning an insertion comes after as many removals as the insertion
// of ρ′ that had its place there: numbers by place, read through both orders.
//
// Without peeks an insertion may as well wait until it is needed: that the next item to leave comes
// not before it. That bounds the free numbers; and in a queue, where items leave in the order in
// which they came, makes them superfluous.
//
// Cost: ranks like places; n·w² for the free numbers, w the items whose windows of slots meet.

import (
	"github.com/linsat/linsat/internal/cnf"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/quasi"
)

// second is an order of ρ″ within one class.
type second struct {
	b           *cnf.Builder
	bound       int32
	at          map[int32]int // kept operation → its number here
	ops         []int32
	first, then []cnf.Unary // ranks in ρ′ and ρ″
	known       map[int64]cnf.Lit
}

// second makes the second orders.
func (o *object) second() {
	bounds := &o.s.bounds
	if bounds.insert != 0 {
		var ops []int32
		for x := range o.items {
			if o.items[x].op >= 0 {
				ops = append(ops, o.items[x].op)
			}
		}
		o.puts = o.reorder(model.Insert, ops, bounds.insert)
	}
	if bounds.peek != 0 {
		var ops []int32
		for p := range o.peeks {
			ops = append(ops, o.peeks[p].op)
		}
		o.looks = o.reorder(model.Peek, ops, bounds.peek)
	}
}

// reorder makes the second order of some operations, all of one kind.
func (o *object) reorder(does model.Action, ops []int32, bound int32) *second {
	b := o.s.b
	n := int32(len(ops))
	r := &second{b: b, bound: min(bound, n), at: map[int32]int{}, ops: ops, known: map[int64]cnf.Lit{}}
	var in []cnf.Lit
	for _, i := range ops {
		in = append(in, b.In[i])
	}
	total := b.Count(ranked, cnf.By(), in, 0, 0, n)
	slots := make([][]cnf.Lit, n+1)
	for k, i := range ops {
		r.at[i] = k
		first := 1 + o.earlier(does, i)
		u := b.Count(ranked, cnf.By(i), o.before(does, i), first, first, n-o.later(does, i))
		v := b.Number(near, cnf.By(i), max(1, u.Lo-r.bound), min(n, u.Hi+r.bound))
		r.first, r.then = append(r.first, u), append(r.then, v)
		b.Within(near, cnf.By(i), []cnf.Lit{b.In[i]}, &u, &v, r.bound)
		b.LessOrEqual(slotted, cnf.By(i), []cnf.Lit{b.In[i]}, &v, 0, &total, cnf.Boundless)
		for p := v.Lo; p <= v.Hi; p++ {
			if l := b.Equals(&v, p, b.In[i]); l != cnf.False && p >= 1 && p <= n {
				slots[p] = append(slots[p], l)
			}
		}
		if !b.Alive(1) {
			return r
		}
	}
	for p := int32(1); p <= n; p++ {
		b.ExactlyOne(slotted, slots[p], total.Ge(p))
	}
	return r
}

// before is the literal "a comes before c in ρ″", if both take effect.
func (r *second) before(a, c int32) cnf.Lit {
	if a > c {
		return -r.before(c, a)
	}
	x, y := &r.then[r.at[a]], &r.then[r.at[c]]
	switch {
	case x.Hi < y.Lo:
		return cnf.True
	case y.Hi < x.Lo:
		return cnf.False
	}
	key := int64(a)<<32 | int64(c)
	l, ok := r.known[key]
	if !ok {
		l = r.b.Fresh()
		r.known[key] = l
		in := []cnf.Lit{r.b.In[a], r.b.In[c]}
		r.b.LessOrEqual(ranked, cnf.By(a, c), append(in, l), x, 1, y, cnf.Boundless)
		r.b.LessOrEqual(ranked, cnf.By(a, c), append(in, -l), y, 1, x, cnf.Boundless)
	}
	return l
}

// waits says that every insertion of ρ″ comes just before its item leaves.
func (o *object) waits() bool {
	return o.s.relax.Meaning == quasi.Classes && len(o.peeks) == 0 && o.s.theory.Discipline == model.FIFO
}

// passFree makes the numbers of removals before each insertion where they are not those of ρ′.
func (o *object) passFree() {
	if o.s.relax.Meaning == quasi.Slots {
		o.passPlaces()
		return
	}
	b := o.s.b
	if o.waits() {
		return
	}
	late := len(o.peeks) == 0
	for x := range o.items {
		it := &o.items[x]
		if it.op < 0 {
			continue
		}
		lo, hi := int32(0), o.last
		if it.slot.Hi <= o.last {
			hi = it.slot.Hi - 1
		}
		if late {
			lo = min(o.last, it.slot.Lo-1)
			for y := range o.items {
				next := &o.items[y]
				switch {
				case x == y:
				case o.inserted(int32(x), int32(y)) == cnf.False:
				default:
					lo = min(lo, next.slot.Lo-1)
					if o.inserted(int32(x), int32(y)) == cnf.True && next.slot.Hi <= o.last {
						hi = min(hi, next.slot.Hi-1)
					}
				}
			}
		}
		it.passed = b.Number(cnf.Counted, cnf.By(it.op), lo, hi)
		if !b.Alive(int64(len(o.items))/4 + 1) {
			return
		}
	}
	for x := range o.items {
		for y := range o.items {
			a, c := &o.items[x], &o.items[y]
			if x != y && a.op >= 0 && c.op >= 0 && a.passed.Hi > c.passed.Lo {
				b.LessOrEqual(cnf.Counted, cnf.By(a.op, c.op), []cnf.Lit{a.in, c.in, o.inserted(int32(x), int32(y))}, &a.passed, 0, &c.passed, cnf.Boundless)
			}
		}
		if !b.Alive(int64(len(o.items))/4 + 1) {
			return
		}
	}
}

// passPlaces makes them where insertions take each other's places.
func (o *object) passPlaces() {
	b := o.s.b
	gaps := make([]cnf.Unary, len(o.puts.ops)+1)
	for p := range gaps {
		gaps[p] = b.Number(cnf.Counted, cnf.By(), 0, o.taken.Hi)
	}
	for x := range o.items {
		it := &o.items[x]
		if it.op < 0 {
			continue
		}
		k := o.puts.at[it.op]
		first := o.earlier(model.Remove, it.op)
		here := b.Count(ranked, cnf.By(it.op), o.before(model.Remove, it.op), first, first, o.taken.Hi-o.later(model.Remove, it.op))
		it.passed = b.Number(cnf.Counted, cnf.By(it.op), 0, o.taken.Hi)
		at := func(rank, passed *cnf.Unary) {
			for p := max(1, rank.Lo); p <= min(rank.Hi, int32(len(gaps)-1)); p++ {
				b.Equal(cnf.Counted, cnf.By(it.op), b.Equals(rank, p, it.in), passed, &gaps[p])
			}
		}
		at(&o.puts.first[k], &here)
		at(&o.puts.then[k], &it.passed)
		if !b.Alive(1) {
			return
		}
	}
}

// viewPlaces says which items are there at a peek that comes after a number of insertions.
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

// viewFree puts a peek somewhere among removals and insertions.
func (o *object) viewFree(k *sight) {
	b := o.s.b
	k.passed = b.Number(cnf.Counted, cnf.By(k.op), 0, o.last)
	for x := range o.items {
		it := &o.items[x]
		if k.there[x] = cnf.True; it.op < 0 {
			continue
		}
		k.there[x] = b.Fresh()
		b.LessOrEqual(cnf.Counted, cnf.By(it.op, k.op), []cnf.Lit{it.in, k.there[x]}, &it.passed, 0, &k.passed, cnf.Boundless)
		b.LessOrEqual(cnf.Counted, cnf.By(it.op, k.op), []cnf.Lit{it.in, -k.there[x]}, &k.passed, 0, &it.passed, cnf.Boundless)
	}
	for x := range o.items {
		for y := range o.items {
			if a, c := &o.items[x], &o.items[y]; x != y && a.op >= 0 && c.op >= 0 {
				b.Clause(cnf.Counted, cnf.By(a.op, c.op, k.op), -a.in, -c.in, -o.inserted(int32(x), int32(y)), -k.there[y], k.there[x])
			}
		}
		if !b.Alive(int64(len(o.items))) {
			return
		}
	}
}

// viewsInOrder says that free peeks come in their order.
func (o *object) viewsInOrder() {
	s, b := o.s, o.s.b
	if s.relax.Meaning != quasi.Classes {
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
			b.LessOrEqual(cnf.Counted, cnf.By(x.op, y.op), []cnf.Lit{x.in, y.in, first}, &x.passed, 0, &y.passed, cnf.Boundless)
			for i := range o.items {
				b.Clause(cnf.Counted, cnf.By(x.op, y.op), -x.in, -y.in, -first, -x.there[i], y.there[i])
			}
			if !b.Alive(int64(len(o.items))) {
				return
			}
		}
	}
}
