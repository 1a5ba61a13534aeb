package clausal

// Deques, as clauses.
//
// What: a deque is two collections of the same items in one order ρ′, one for each end, with places
// and slots of their own. What leaves at the other end stays, for this one. A number for each slot
// of the front says how many slots of the back come before it in ρ″, as many as in ρ′. Then ρ″ is
// legal if whatever is nearer to the end than an item x has left when x leaves there:
//
//	                   x inserted at this end              x inserted at the other end
//	y at this end      y inserted after x                  always
//	y at the other     never                               y inserted before x
//
// Initial values lie as if they had been inserted at the back. Drains take from the front.
//
// Cost: that of collections, twice, and for each item that leaves at the front a clause for each
// slot of the front and of the back in whose window that is.

import (
	"slices"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
)

const (
	firstAtEnd Axiom = "nothing is between what leaves and its end"
	between    Axiom = "the ends have one order of slots"
)

// deque is the formula of a deque.
type deque struct {
	*collection
	ends   [2]*collection // the same items at each end
	leaves [2][]Lit       // by item: it leaves at the end
	before []Number       // by slot of the front, from 1: the slots of the back before it
	cross  []Number       // by item that leaves at the front: the slots of the back before that
}

// atEnds adds both ends, and what holds between them.
func (c *collection) atEnds() {
	d := &deque{collection: c}
	for e := range d.ends {
		d.ends[e], d.leaves[e] = c.atEnd(e)
		d.ends[e].slots()
		d.ends[e].pass()
	}
	for _, step := range [...]func(){d.interleave, d.crossings, d.discipline, d.peeks} {
		if !c.f.Step(0) {
			return
		}
		step()
	}
}

// atEnd returns the collection at an end, and by item the literal that it leaves there.
func (c *collection) atEnd(e int) (*collection, []Lit) {
	v := *c
	v.bound, v.drain, v.others = c.bounds[e], c.drain && e == 0, c.among[e]
	v.removals, v.items = nil, slices.Clone(c.items)
	at := make([]int, len(c.removals)) // of this end, by removal
	for k, r := range c.removals {
		at[k] = -1
		if c.back.Of(r.op) == e {
			at[k] = len(v.removals)
			v.removals = append(v.removals, r)
		}
	}
	leaves := make([]Lit, len(v.items))
	for k := range v.items {
		x := &v.items[k]
		outs, here, away := x.outs, False, x.stays
		x.outs = nil
		for _, m := range outs {
			if at[m.with] < 0 {
				away = c.or(away, m.is)
				continue
			}
			x.outs = append(x.outs, taking{at[m.with], m.is})
			here = c.or(here, m.is)
		}
		if e == 0 {
			here = c.or(here, x.drained)
		} else {
			away, x.drained = c.or(away, x.drained), False
		}
		x.stays, leaves[k] = away, here
	}
	return &v, leaves
}

func (c *collection) or(x, y Lit) Lit { return -c.f.And(-x, -y) }

// interleave adds the order of the slots of both ends, which is that of the places.
func (d *deque) interleave() {
	front, back := d.ends[0], d.ends[1]
	d.before = make([]Number, front.last+1)
	for k := int32(1); k <= front.last; k++ {
		d.before[k] = d.f.Number(between, By(), 0, back.last)
		if k > 1 {
			d.f.AtMost(between, By(), &d.before[k-1], 0, &d.before[k], Unlimited)
		}
		if front.others == nil || !front.others.behind { // all removals come before the drains
			d.f.AtMost(between, By(), &back.taken, 0, &d.before[k], Unlimited, front.taken.AtMost(k-1))
		}
	}
	for k := range front.removals {
		r := &front.removals[k]
		exact := r.in
		if o := front.others; o != nil && !o.free {
			exact = d.f.And(exact, d.f.And(-o.early[k], -o.late[k]))
		}
		if o := back.others; o == nil || o.free || !o.behind || d.part.Ops[r.op].Return <= o.end {
			passed := back.removalsBefore(r.op)
			d.relate(By(r.op), &r.place, 1, &passed, exact)
		}
	}
	for k := range front.items {
		if x, y := &front.items[k], &back.items[k]; x.op >= 0 {
			d.relate(By(x.op), &x.passed, 0, &y.passed, x.in)
		}
	}
}

// relate adds, under the conditions, that n slots of the back come before what follows k slots of
// the front, or is the last of them if is is 1.
func (d *deque) relate(of Ops, k *Number, is int32, n *Number, conditions ...Lit) {
	for j := int32(1); j < int32(len(d.before)) && d.f.Step(1); j++ {
		d.f.AtMost(between, of, &d.before[j], 0, n, Unlimited, append(conditions, -k.AtMost(j-1))...)
		d.f.AtMost(between, of, n, 0, &d.before[j], Unlimited, append(conditions, k.AtMost(j-1+is))...)
	}
}

// crossings adds how many slots of the back come before an item leaves at the front.
func (d *deque) crossings() {
	d.cross = make([]Number, len(d.items))
	for k := range d.items {
		d.cross[k] = d.crossing(d.items[k].op, &d.ends[0].items[k].slot, d.leaves[0][k])
	}
}

// crossing returns how many slots of the back come before a slot of the front, if on holds.
func (d *deque) crossing(op history.OpID, slot *Number, on Lit) Number {
	n := d.f.Number(between, By(op), 0, d.ends[1].last)
	d.relate(By(op), slot, 1, &n, on)
	return n
}

// discipline adds what must have left when an item leaves, or nothing is found.
func (d *deque) discipline() {
	for e, v := range d.ends {
		for k := range v.items {
			on := d.leaves[e][k]
			for j := range v.items {
				if j != k {
					d.gone(firstAtEnd, e, j, By(v.items[k].op, v.items[j].op), &v.items[k].slot, &d.cross[k], on,
						d.nearer(e, j, k))
				}
			}
		}
		for k := range v.removals {
			r := &v.removals[k]
			if r.nothing == False {
				continue
			}
			cross := Constant(0)
			if e == 0 {
				cross = d.crossing(r.op, &r.slot, r.nothing)
			}
			for j := range v.items {
				d.gone(emptyThen, e, j, By(r.op, v.items[j].op), &r.slot, &cross, r.nothing)
			}
		}
	}
}

// nearer returns the literal "item y is nearer to the end than x", if both are there.
func (d *deque) nearer(e, y, x int) Lit {
	a, b := &d.items[y], &d.items[x]
	switch side := d.side(b); {
	case d.side(a) != e && side != e:
		return d.inserted(a, b)
	case d.side(a) != e:
		return False
	case side != e:
		return True
	}
	return d.inserted(b, a)
}

// side is the end at which an item is inserted.
func (d *deque) side(x *item) int {
	if x.op < 0 {
		return 1
	}
	return d.back.Of(x.op)
}

// gone adds, under the conditions, that item y is not there at a slot of an end: that it is
// inserted later, or leaves before. cross is how many slots of the back come before a slot of the
// front.
func (d *deque) gone(why Axiom, e, y int, of Ops, at, cross *Number, conditions ...Lit) {
	v := d.ends[e]
	x := &v.items[y]
	if conditions = append(conditions, x.in); v.apart(x, at) || slices.Contains(conditions, False) {
		return
	}
	later := False
	if x.passed.Hi >= at.Lo {
		later = d.f.Fresh(1)
		for k := x.passed.Lo; k < min(at.Hi, v.last); k++ {
			d.f.Add(why, of, append(negated(conditions), -later, -x.passed.AtMost(k), at.AtMost(k))...)
		}
	}
	conditions = append(conditions, -later)
	d.f.Add(why, of, append(negated(conditions), d.leaves[0][y], d.leaves[1][y])...)
	here, away := append(conditions, d.leaves[e][y]), append(slices.Clone(conditions), d.leaves[1-e][y])
	d.f.AtMost(why, of, &x.slot, 1, at, v.last, here...)
	if other := &d.ends[1-e].items[y]; e == 0 {
		d.f.AtMost(why, of, &other.slot, 0, cross, Unlimited, away...)
	} else {
		d.f.AtMost(why, of, &d.cross[y], 1, at, v.last, away...)
	}
}

// peeks adds what peeks that took effect saw. They have the same removals and insertions before
// them in ρ″ as in ρ′.
func (d *deque) peeks() {
	f := d.f
	for i, does := range d.theory.Does {
		op, v := history.OpID(i), d.theory.Value[i]
		if does != model.Peek || d.in[i] != True || v == model.Anything {
			continue
		}
		passed := [2]Number{d.ends[0].removalsBefore(op), d.ends[1].removalsBefore(op)}
		d.relate(By(op), &passed[0], 0, &passed[1])
		hidden := func(why Axiom, y int, conditions ...Lit) {
			conditions = append(conditions, d.items[y].in, d.there(&d.items[y], op))
			f.Add(why, By(op, d.items[y].op), append(negated(conditions), d.leaves[0][y], d.leaves[1][y])...)
			for e, v := range d.ends {
				f.AtMost(why, By(op, d.items[y].op), &v.items[y].slot, 0, &passed[e], Unlimited,
					append(slices.Clone(conditions), d.leaves[e][y])...)
			}
		}
		some := []Lit{}
		for x := range d.items {
			if v == model.Nothing {
				hidden(emptyThen, x)
				continue
			}
			if d.items[x].value != v {
				continue
			}
			is, of := f.Fresh(1), By(op, d.items[x].op)
			some = append(some, is)
			f.Add(seenThen, of, -is, d.items[x].in)
			f.Add(seenThen, of, -is, d.there(&d.items[x], op))
			for e, v := range d.ends {
				f.AtMost(seenThen, of, &passed[e], 1, &v.items[x].slot, Unlimited, is)
			}
			for y := range d.items {
				if near := d.nearer(d.back.Of(op), y, x); y != x && near != False {
					hidden(firstAtEnd, y, is, near)
				}
			}
		}
		if v != model.Nothing {
			f.Add(seenThen, By(op), some...)
		}
		if !f.Step(len(d.items)) {
			return
		}
	}
}
