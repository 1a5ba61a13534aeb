package sat

// Orders of classes: insertions and peeks that may stand elsewhere in ρ″ than in ρ′.
//
// What: slots.go with two changes. Insertions whose bound is not zero have a second order: ranks in
// ρ″, all different, each at most the bound away from the rank in ρ′; so have peeks. And under the
// classes meaning nothing ties insertions and peeks to removals any more: the number of removals
// before each in ρ″ is a free number that grows along its order. (Total orders of the classes that
// extend the interval order always combine into one, and so do the literals here, as they belong to
// one order of ρ′.) Under the slots meaning an insertion comes after as many removals as the
// insertion of ρ′ that had its place there: numbers by place, read through both orders.
//
// Without peeks an insertion may as well wait until it is needed, that is, until the next item to
// leave is its own or a later one. That bounds the free numbers. In a queue, where items leave in
// the order of their insertion, it makes them superfluous.
//
// Cost: ranks cost as much as places; n·w² for the free numbers, with w items whose windows
// overlap.

import (
	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/cnf"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/quasi"
)

// classOrder is the order in ρ″ of operations of one class.
type classOrder struct {
	b           *cnf.Builder
	bound       int32
	at          map[history.OpID]int // kept operation → its index here
	ops         []history.OpID
	first, then []cnf.Unary // ranks in ρ′ and ρ″
	known       map[int64]cnf.Lit
}

// orderClasses orders the classes in ρ″ whose bounds are not 0.
func (o *object) orderClasses() {
	bounds := &o.s.bounds
	if bounds.insert != 0 {
		var ops []history.OpID
		for x := range o.items {
			if o.items[x].op >= 0 {
				ops = append(ops, o.items[x].op)
			}
		}
		o.puts = o.reorder(model.Insert, ops, bounds.insert)
	}
	if bounds.peek != 0 {
		var ops []history.OpID
		for p := range o.peeks {
			ops = append(ops, o.peeks[p].op)
		}
		o.looks = o.reorder(model.Peek, ops, bounds.peek)
	}
}

// before returns the literal "a comes before c in ρ″", which holds if both take effect.
func (r *classOrder) before(a, c history.OpID) cnf.Lit {
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

// waits reports whether every insertion can be placed just before its item leaves in ρ″.
func (o *object) waits() bool {
	return o.s.question.Meaning == quasi.Classes && len(o.peeks) == 0 && o.s.theory.Discipline == model.FIFO
}

// passFree builds the numbers of removals before each insertion where they differ from those of ρ′.
func (o *object) passFree() {
	if o.s.question.Meaning == quasi.Slots {
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
				case o.inserted(itemID(x), itemID(y)) == cnf.False:
				default:
					lo = min(lo, next.slot.Lo-1)
					if o.inserted(itemID(x), itemID(y)) == cnf.True && next.slot.Hi <= o.last {
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
				b.LessOrEqual(cnf.Counted, cnf.By(a.op, c.op), []cnf.Lit{a.in, c.in, o.inserted(itemID(x), itemID(y))},
					&a.passed, 0, &c.passed, cnf.Boundless)
			}
		}
		if !b.Alive(int64(len(o.items))/4 + 1) {
			return
		}
	}
}

// passPlaces builds them where insertions take each other's places.
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
		here := b.Count(ranked, cnf.By(it.op), o.before(model.Remove, it.op), first, first,
			o.taken.Hi-o.later(model.Remove, it.op))
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
