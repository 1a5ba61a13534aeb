package sat

// A factor becomes clauses: nothing moves by more places within its class than the class's bound K.
//
// What: the place of an operation in ρ′ is its rank among the operations of its class, counted from
// the order literals. Its slot, the place that it has in ρ″, is a number of its own. |place - slot|
// ≤ K takes one clause for each position at which the windows of the two numbers overlap. Removals
// get their places and slots here; insertions and peeks have them only if their bound is not zero.
//
// Windows come first: real time bounds a place, K and package window bound a slot, so that a number
// has few variables. Removals of equal values are interchangeable, so they take their slots in the
// order of their places.
//
// Cost: n·w² clauses for the places, with w operations open at a time; n·(w+K) for the bounds.

import (
	"slices"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/cnf"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/quasi"
)

// bounds holds the bounds of insertions, removals and peeks.
type bounds struct{ insert, remove, peek int32 }

// boundsOf reads them from a factor; ok is false if operations of one action are of several
// classes.
func boundsOf(b *model.Instance, t *model.CollectionTheory, f quasi.Factor) (bounds, bool) {
	classes := [3]model.ClassID{model.NoClass, model.NoClass, model.NoClass}
	info := b.Spec.Info()
	for c := range info.Classes {
		if slices.Contains(info.Classes[c].Operations, info.Drain) {
			classes[model.Remove] = model.ClassID(c)
		}
	}
	for i, c := range b.Class {
		of := &classes[t.Does[i]]
		if c < 0 || *of >= 0 && *of != c {
			return bounds{}, false
		}
		*of = c
	}
	var out [3]int32
	for does, c := range classes {
		if c >= 0 && int(c) < len(f) {
			out[does] = f[c]
		}
		if c >= 0 && (c == classes[(does+1)%3] || c == classes[(does+2)%3]) {
			return bounds{}, false
		}
	}
	return bounds{insert: out[model.Insert], remove: out[model.Remove], peek: out[model.Peek]}, true
}

// bounded returns K, or a smaller bound with the same effect.
func (o *object) bounded(k int32) int32 { return min(k, o.last+1) }

// places builds the place and the slot of every removal.
func (o *object) places() {
	s, b := o.s, o.s.b
	k := o.bounded(s.bounds.remove)
	onlyItem := make([]itemID, len(o.removals))
	for d := range onlyItem {
		onlyItem[d] = -1
	}
	for x := range o.items {
		if o.items[x].sure {
			onlyItem[o.items[x].outs[0].with] = itemID(x)
		}
	}
	for d := range o.removals {
		r := &o.removals[d]
		first := o.earlier(model.Remove, r.op)
		in := reach{1 + first, o.taken.Hi - o.later(model.Remove, r.op)}
		if s.placeWindows != nil {
			in = in.meet(s.placeWindows[b.Keep[r.op]])
		}
		r.place = b.Count(ranked, cnf.By(r.op), o.before(model.Remove, r.op), 1+first, in.lo, in.hi)
		in = reach{max(1, r.place.Lo-k), min(o.last, r.place.Hi+k)}
		if s.slotWindows != nil {
			in = in.meet(s.slotWindows[b.Keep[r.op]])
		}
		if x := onlyItem[d]; x >= 0 {
			in.lo = max(in.lo, 1+o.leastPassed(x))
		}
		r.slot = b.Number(near, cnf.By(r.op), in.lo, in.hi)
		b.Within(near, cnf.By(r.op), []cnf.Lit{r.in}, &r.place, &r.slot, k)
		b.LessOrEqual(slotted, cnf.By(r.op), []cnf.Lit{r.in}, &r.slot, 0, &o.total, cnf.Boundless)
		if x := onlyItem[d]; x >= 0 {
			o.items[x].slot = r.slot
		}
		if !b.Alive(1) {
			return
		}
	}
	o.equalInOrder()
}

// meet returns the intersection of two ranges; a range that ends before 1 is no restriction.
func (r reach) meet(w reach) reach {
	if w.hi < 1 {
		return r
	}
	return reach{max(r.lo, w.lo), min(r.hi, w.hi)}
}

// equalInOrder lets removals of equal values take their slots in the order of their places.
func (o *object) equalInOrder() {
	byValue := map[int32][]int32{}
	for d := range o.removals {
		if r := &o.removals[d]; r.in == cnf.True && r.value != model.Anything {
			for _, e := range byValue[r.value] {
				q := &o.removals[e]
				x := o.s.b.Order.Before(q.op, r.op)
				o.s.b.LessOrEqual(cnf.Canonical, cnf.By(q.op, r.op), []cnf.Lit{x}, &q.slot, 1, &r.slot, cnf.Boundless)
				o.s.b.LessOrEqual(cnf.Canonical, cnf.By(r.op, q.op), []cnf.Lit{-x}, &r.slot, 1, &q.slot, cnf.Boundless)
			}
			if !o.s.b.Alive(int64(len(byValue[r.value]))) {
				return
			}
			byValue[r.value] = append(byValue[r.value], int32(d))
		}
	}
}

// reorder builds the second order of some operations, all of one kind.
func (o *object) reorder(does model.Action, ops []history.OpID, bound int32) *classOrder {
	b := o.s.b
	n := int32(len(ops))
	r := &classOrder{b: b, bound: min(bound, n), at: map[history.OpID]int{}, ops: ops, known: map[int64]cnf.Lit{}}
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
