package encode

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
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/quasi"
)

// second is an order of ρ″ within one class.
type second struct {
	b           *builder
	bound       int32
	at          map[int32]int // kept operation → its number here
	ops         []int32
	first, then []unary // ranks in ρ′ and ρ″
	known       map[int64]lit
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
	r := &second{b: b, bound: min(bound, n), at: map[int32]int{}, ops: ops, known: map[int64]lit{}}
	var in []lit
	for _, i := range ops {
		in = append(in, b.in[i])
	}
	total := b.count(ranked, by(), in, 0, 0, n)
	slots := make([][]lit, n+1)
	for k, i := range ops {
		r.at[i] = k
		first := 1 + o.earlier(does, i)
		u := b.count(ranked, by(i), o.before(does, i), first, first, n-o.later(does, i))
		v := b.number(near, by(i), max(1, u.lo-r.bound), min(n, u.hi+r.bound))
		r.first, r.then = append(r.first, u), append(r.then, v)
		b.within(near, by(i), []lit{b.in[i]}, &u, &v, r.bound)
		b.atMost(slotted, by(i), []lit{b.in[i]}, &v, 0, &total, boundless)
		for p := v.lo; p <= v.hi; p++ {
			if l := b.is(&v, p, b.in[i]); l != no && p >= 1 && p <= n {
				slots[p] = append(slots[p], l)
			}
		}
		if !b.alive(1) {
			return r
		}
	}
	for p := int32(1); p <= n; p++ {
		b.unique(slotted, slots[p], total.ge(p))
	}
	return r
}

// before is the literal "a comes before c in ρ″", if both take effect.
func (r *second) before(a, c int32) lit {
	if a > c {
		return -r.before(c, a)
	}
	x, y := &r.then[r.at[a]], &r.then[r.at[c]]
	switch {
	case x.hi < y.lo:
		return yes
	case y.hi < x.lo:
		return no
	}
	key := int64(a)<<32 | int64(c)
	l, ok := r.known[key]
	if !ok {
		l = r.b.fresh()
		r.known[key] = l
		in := []lit{r.b.in[a], r.b.in[c]}
		r.b.atMost(ranked, by(a, c), append(in, l), x, 1, y, boundless)
		r.b.atMost(ranked, by(a, c), append(in, -l), y, 1, x, boundless)
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
		if it.slot.hi <= o.last {
			hi = it.slot.hi - 1
		}
		if late {
			lo = min(o.last, it.slot.lo-1)
			for y := range o.items {
				next := &o.items[y]
				switch {
				case x == y:
				case o.inserted(int32(x), int32(y)) == no:
				default:
					lo = min(lo, next.slot.lo-1)
					if o.inserted(int32(x), int32(y)) == yes && next.slot.hi <= o.last {
						hi = min(hi, next.slot.hi-1)
					}
				}
			}
		}
		it.passed = b.number(counted, by(it.op), lo, hi)
		if !b.alive(int64(len(o.items))/4 + 1) {
			return
		}
	}
	for x := range o.items {
		for y := range o.items {
			a, c := &o.items[x], &o.items[y]
			if x != y && a.op >= 0 && c.op >= 0 && a.passed.hi > c.passed.lo {
				b.atMost(counted, by(a.op, c.op), []lit{a.in, c.in, o.inserted(int32(x), int32(y))}, &a.passed, 0, &c.passed, boundless)
			}
		}
		if !b.alive(int64(len(o.items))/4 + 1) {
			return
		}
	}
}

// passPlaces makes them where insertions take each other's places.
func (o *object) passPlaces() {
	b := o.s.b
	gaps := make([]unary, len(o.puts.ops)+1)
	for p := range gaps {
		gaps[p] = b.number(counted, by(), 0, o.taken.hi)
	}
	for x := range o.items {
		it := &o.items[x]
		if it.op < 0 {
			continue
		}
		k := o.puts.at[it.op]
		first := o.earlier(model.Remove, it.op)
		here := b.count(ranked, by(it.op), o.before(model.Remove, it.op), first, first, o.taken.hi-o.later(model.Remove, it.op))
		it.passed = b.number(counted, by(it.op), 0, o.taken.hi)
		at := func(rank, passed *unary) {
			for p := max(1, rank.lo); p <= min(rank.hi, int32(len(gaps)-1)); p++ {
				b.same(counted, by(it.op), b.is(rank, p, it.in), passed, &gaps[p])
			}
		}
		at(&o.puts.first[k], &here)
		at(&o.puts.then[k], &it.passed)
		if !b.alive(1) {
			return
		}
	}
}

// viewPlaces says which items are there at a peek that comes after a number of insertions.
func (o *object) viewPlaces(k *sight, puts *unary) {
	b := o.s.b
	for x := range o.items {
		it := &o.items[x]
		if k.there[x] = yes; it.op >= 0 {
			rank := &o.puts.then[o.puts.at[it.op]]
			k.there[x] = b.fresh()
			b.atMost(counted, by(it.op, k.op), []lit{it.in, k.there[x]}, rank, 0, puts, boundless)
			b.atMost(counted, by(it.op, k.op), []lit{it.in, -k.there[x]}, puts, 1, rank, boundless)
		}
	}
}

// viewFree puts a peek somewhere among removals and insertions.
func (o *object) viewFree(k *sight) {
	b := o.s.b
	k.passed = b.number(counted, by(k.op), 0, o.last)
	for x := range o.items {
		it := &o.items[x]
		if k.there[x] = yes; it.op < 0 {
			continue
		}
		k.there[x] = b.fresh()
		b.atMost(counted, by(it.op, k.op), []lit{it.in, k.there[x]}, &it.passed, 0, &k.passed, boundless)
		b.atMost(counted, by(it.op, k.op), []lit{it.in, -k.there[x]}, &k.passed, 0, &it.passed, boundless)
	}
	for x := range o.items {
		for y := range o.items {
			if a, c := &o.items[x], &o.items[y]; x != y && a.op >= 0 && c.op >= 0 {
				b.clause(counted, by(a.op, c.op, k.op), -a.in, -c.in, -o.inserted(int32(x), int32(y)), -k.there[y], k.there[x])
			}
		}
		if !b.alive(int64(len(o.items))) {
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
			first := b.order.before(x.op, y.op)
			if o.looks != nil {
				first = o.looks.before(x.op, y.op)
			}
			if first == no {
				continue
			}
			b.atMost(counted, by(x.op, y.op), []lit{x.in, y.in, first}, &x.passed, 0, &y.passed, boundless)
			for i := range o.items {
				b.clause(counted, by(x.op, y.op), -x.in, -y.in, -first, -x.there[i], y.there[i])
			}
			if !b.alive(int64(len(o.items))) {
				return
			}
		}
	}
}
