package encode

// Contents: who takes what, and which slot everything gets.
//
// Counting comes first: how many removals and drains there are (numbers where operations are
// pending), then windows of places and slots, then for every removal of a value that is there more
// than once a literal for each item whose window meets its own. At the end each slot in use holds
// exactly one removal or drained item.

import (
	"slices"
	"sort"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
)

// collect makes the objects with what is in them.
func (s *slots) collect() {
	b, t := s.b, s.theory
	objects, keys := s.bound.Objects()
	s.of, s.local = make([]int32, b.order.n), make([]int32, b.order.n)
	s.objects = make([]*object, len(keys))
	for i, p := range s.bound.Partition.Ops {
		k := objects[i]
		if s.objects[k] == nil {
			s.objects[k] = &object{s: s}
			s.objects[k].start(t.Initial[t.Object[i]])
		}
		if o := s.objects[k]; !p.Pending() {
			o.called[t.Does[i]] = append(o.called[t.Does[i]], p.Call)
			o.returned[t.Does[i]] = append(o.returned[t.Does[i]], p.Return)
		}
	}
	for i, p := range b.keep {
		o := s.objects[objects[p]]
		s.of[i] = objects[p]
		op, in, v := int32(i), b.in[i], t.Value[p]
		if in != yes {
			o.free = true
		}
		switch t.Does[p] {
		case model.Insert:
			s.local[i] = int32(len(o.items))
			o.items = append(o.items, stored{op: op, value: v, in: in, drain: no})
		case model.Remove:
			s.local[i] = int32(len(o.removals))
			o.removals = append(o.removals, taking{op: op, value: v, in: in, empty: no})
			o.free = o.free || v == model.Anything
		default:
			s.local[i] = int32(len(o.peeks))
			o.peeks = append(o.peeks, sight{op: op, value: v, in: in})
		}
	}
	for _, o := range s.objects {
		for does := range o.returned {
			slices.Sort(o.returned[does])
		}
	}
}

// start puts in what is there at the start, next to leave first.
func (o *object) start(initial []int32) {
	for p, v := range initial {
		age := int32(p)
		if o.s.theory.Discipline == model.LIFO {
			age = -age
		}
		o.items = append(o.items, stored{op: -1, age: age, value: v, in: yes, drain: no})
	}
}

// earlier counts the completed operations of a kind that returned before kept operation i was
// called, and later those that were called after it returned.
func (o *object) earlier(does model.Action, i int32) int32 {
	call := o.s.b.order.call[i]
	return int32(sort.Search(len(o.returned[does]), func(k int) bool { return o.returned[does][k] >= call }))
}

func (o *object) later(does model.Action, i int32) int32 {
	ret := o.s.b.order.ret[i]
	if ret == history.Never {
		return 0
	}
	n := len(o.called[does])
	return int32(n - sort.Search(n, func(k int) bool { return o.called[does][k] > ret }))
}

// before lists the literals "an operation of this kind takes effect and comes before i" of those
// concurrent with i.
func (o *object) before(does model.Action, i int32) []lit {
	s, b := o.s, o.s.b
	var lits []lit
	add := func(j int32) {
		if s.objects[s.of[j]] != o || s.theory.Does[b.keep[j]] != does {
			return
		}
		lits = append(lits, b.and(b.in[j], b.order.before(j, i)))
	}
	b.order.index()
	for _, j := range b.order.open(i) {
		add(j)
	}
	for j := i + 1; j <= b.order.hi[i]; j++ {
		add(j)
	}
	return lits
}

// and is the literal that both hold.
func (b *builder) and(x, y lit) lit {
	switch {
	case x == no || y == no:
		return no
	case x == yes:
		return y
	case y == yes:
		return x
	}
	l := b.fresh()
	b.clause(counted, by(), -l, x)
	b.clause(counted, by(), -l, y)
	b.clause(counted, by(), l, -x, -y)
	return l
}

// match finds out which removals may take which items, windows apart.
func (o *object) match() {
	type group struct{ items, must, may []int32 }
	groups := map[int32]*group{}
	var values []int32
	of := func(v int32) *group {
		g := groups[v]
		if g == nil {
			g = &group{}
			groups[v] = g
			values = append(values, v)
		}
		return g
	}
	for x := range o.items {
		g := of(o.items[x].value)
		g.items = append(g.items, int32(x))
	}
	var loose []int32
	for d := range o.removals {
		r := &o.removals[d]
		switch {
		case r.value == model.Anything:
			loose = append(loose, int32(d))
			r.empty = o.s.b.fresh()
		case r.value == model.Nothing:
			r.empty = yes
		case r.in == yes:
			g := of(r.value)
			g.must = append(g.must, int32(d))
		default:
			g := of(r.value)
			g.may = append(g.may, int32(d))
		}
	}
	matches := 0
	for _, v := range values {
		g := groups[v]
		takers := g.must
		switch {
		case len(g.must) > len(g.items):
			o.s.b.refute(matched, o.removals[g.must[0]].op)
			return
		case len(g.must) == len(g.items):
			for _, x := range g.items {
				o.items[x].spent = true
				o.s.b.clause(matched, by(o.items[x].op), o.items[x].in)
			}
		default:
			takers = append(append(slices.Clone(g.must), g.may...), loose...)
		}
		if matches += len(takers) * len(g.items); matches > maxMatches {
			o.s.b.tooMany("values repeat in too many ways")
			return
		}
		for _, x := range g.items {
			it := &o.items[x]
			it.sure = it.spent && len(g.items) == 1
			for _, d := range takers {
				it.outs = append(it.outs, match{with: d})
			}
		}
	}
}

// count counts removals, drains and slots.
func (o *object) count() {
	s, b := o.s, o.s.b
	flow := int32(s.bound.Stored) // of completed operations
	sure := int32(0)
	var takers, change []lit // pending removals; what makes the flow larger, from its least on
	plus, still := int32(0), int32(0)
	for i := range b.order.n {
		if s.objects[s.of[i]] != o {
			continue
		}
		p := b.keep[i]
		removal, f := s.theory.Does[p] == model.Remove, int32(s.bound.ItemDelta[p])
		if b.in[i] == yes {
			flow += f
			if removal {
				sure++
			}
			continue
		}
		if removal {
			takers = append(takers, b.in[i])
		}
		switch {
		case f > 0:
			plus++
			change = append(change, b.in[i])
		case f < 0:
			flow--
			change = append(change, -b.in[i])
		case removal:
			still++
		}
	}
	most := sure + int32(len(takers))
	o.taken = b.count(ranked, by(), takers, sure, sure, most)
	o.total, o.last = o.taken, o.taken.hi
	if !s.relax.Drain {
		return
	}
	n := int32(len(change))
	o.left = b.count(drained, by(), change, flow, flow, flow+n)
	if below := -o.left.lo; below > 0 { // nothing is drained if it is less than nothing
		o.left = unary{lo: 0, hi: max(0, o.left.hi), base: o.left.base + lit(below)}
	}
	// Every pending removal that may take something lowers the number of drains by one, as long as
	// there are any.
	full := sure + flow + int32(len(takers)) - still
	lo, hi := max(sure, full), max(most, full+still+plus)
	if o.taken.lo == o.taken.hi && o.left.lo == o.left.hi {
		lo, hi = o.taken.lo+o.left.lo, o.taken.lo+o.left.lo
	}
	if int64(len(takers)+1)*int64(n+1) > maxMatches {
		b.tooMany("too many operations are pending")
		return
	}
	o.total = b.number(drained, by(), lo, hi)
	o.last = o.total.hi
	for x := o.taken.lo; x <= o.taken.hi; x++ {
		for y := o.left.lo; y <= o.left.hi; y++ {
			b.clause(drained, by(), -o.taken.le(x), -o.left.le(y), o.total.le(x+y))
			b.clause(drained, by(), -o.taken.ge(x), -o.left.ge(y), o.total.ge(x+y))
		}
	}
}

// bounded is K, or what has the same effect.
func (o *object) bounded(k int32) int32 { return min(k, o.last+1) }

// estimate counts clauses before they are built.
func (o *object) estimate() {
	s, b := o.s, o.s.b
	k := int64(o.bounded(s.bounds.remove))
	clauses := int64(0)
	b.order.index()
	for i := range b.order.n {
		if s.objects[s.of[i]] != o {
			continue
		}
		open := int64(len(b.order.open(i))) + int64(b.order.hi[i]-i)
		clauses += 2 * open * open // two halves of the partners, four clauses a step of the counter
		if s.theory.Does[b.keep[i]] != model.Peek {
			clauses += 6 * min(open+2*k, int64(o.last))
		}
		if clauses > maxClauses {
			break
		}
	}
	if clauses > maxClauses {
		b.tooMany("places and slots need too many clauses")
		return
	}
	b.grow(clauses * clauseBytes / 2)
}

// places makes the place and the slot of every removal.
func (o *object) places() {
	s, b := o.s, o.s.b
	k := o.bounded(s.bounds.remove)
	onlyItem := make([]int32, len(o.removals))
	for d := range onlyItem {
		onlyItem[d] = -1
	}
	for x := range o.items {
		if o.items[x].sure {
			onlyItem[o.items[x].outs[0].with] = int32(x)
		}
	}
	for d := range o.removals {
		r := &o.removals[d]
		first := o.earlier(model.Remove, r.op)
		in := reach{1 + first, o.taken.hi - o.later(model.Remove, r.op)}
		if s.placeWindows != nil {
			in = in.meet(s.placeWindows[b.keep[r.op]])
		}
		r.place = b.count(ranked, by(r.op), o.before(model.Remove, r.op), 1+first, in.lo, in.hi)
		in = reach{max(1, r.place.lo-k), min(o.last, r.place.hi+k)}
		if s.slotWindows != nil {
			in = in.meet(s.slotWindows[b.keep[r.op]])
		}
		if x := onlyItem[d]; x >= 0 {
			in.lo = max(in.lo, 1+o.leastPassed(x))
		}
		r.slot = b.number(near, by(r.op), in.lo, in.hi)
		b.within(near, by(r.op), []lit{r.in}, &r.place, &r.slot, k)
		b.atMost(slotted, by(r.op), []lit{r.in}, &r.slot, 0, &o.total, boundless)
		if x := onlyItem[d]; x >= 0 {
			o.items[x].slot = r.slot
		}
		if !b.alive(1) {
			return
		}
	}
	o.inTurn()
}

// meet is what two ranges have in common; one that ends before 1 says nothing.
func (r reach) meet(w reach) reach {
	if w.hi < 1 {
		return r
	}
	return reach{max(r.lo, w.lo), min(r.hi, w.hi)}
}

// inTurn lets removals of equal values take their slots in the order of their places.
func (o *object) inTurn() {
	byValue := map[int32][]int32{}
	for d := range o.removals {
		if r := &o.removals[d]; r.in == yes && r.value != model.Anything {
			for _, e := range byValue[r.value] {
				q := &o.removals[e]
				x := o.s.b.order.before(q.op, r.op)
				o.s.b.atMost(canonical, by(q.op, r.op), []lit{x}, &q.slot, 1, &r.slot, boundless)
				o.s.b.atMost(canonical, by(r.op, q.op), []lit{-x}, &r.slot, 1, &q.slot, boundless)
			}
			if !o.s.b.alive(int64(len(byValue[r.value]))) {
				return
			}
			byValue[r.value] = append(byValue[r.value], int32(d))
		}
	}
}

// leave makes the slots of the items that no certain removal takes, and the literals of matches and
// drains.
func (o *object) leave() {
	s, b := o.s, o.s.b
	k := o.bounded(s.bounds.remove)
	stays := o.last + 1
	for x := range o.items {
		it := &o.items[x]
		if it.sure {
			it.outs[0].is = yes
			r := &o.removals[it.outs[0].with]
			r.from = append(r.from, match{int32(x), yes})
			continue
		}
		least := 1 + o.leastPassed(int32(x))
		if s.slotWindows != nil {
			at := len(s.bound.Partition.Ops) + x
			if it.op >= 0 {
				at = int(b.keep[it.op])
			}
			if s.relax.Drain {
				least = max(least, s.slotWindows[at].lo)
			}
		}
		lo, hi := stays, stays
		if it.spent {
			hi = o.last
		}
		outs := it.outs[:0]
		for _, m := range it.outs {
			r := &o.removals[m.with]
			if r.slot.hi < least {
				continue
			}
			m.is = b.fresh()
			outs = append(outs, m)
			r.from = append(r.from, match{int32(x), m.is})
			lo = min(lo, max(least, r.slot.lo))
			b.clause(matched, by(it.op, r.op), -m.is, it.in)
			b.clause(matched, by(it.op, r.op), -m.is, r.in)
		}
		it.outs = outs
		if s.relax.Drain && !it.spent {
			lo = min(lo, max(least, o.taken.lo+1-k))
			switch {
			case o.free || len(outs) > 0:
				it.drain = b.fresh()
			case it.in == yes:
				it.drain, hi = yes, o.last
			default:
				it.drain = it.in
			}
		}
		it.slot = b.number(matched, by(it.op), lo, hi)
		o.way(it, stays, k)
		if !b.alive(1) {
			return
		}
	}
	for d := range o.removals {
		r := &o.removals[d]
		some := []lit{-r.in, r.empty}
		var is []lit
		for _, m := range r.from {
			is = append(is, m.is)
			b.clause(matched, by(r.op), -m.is, -r.empty)
		}
		b.clause(matched, by(r.op), append(some, is...)...)
		b.atMostOne(matched, by(r.op), is)
	}
	o.drains()
}

// way says that an item leaves by one of its ways or stays.
func (o *object) way(it *stored, stays, k int32) {
	b := o.s.b
	var is []lit
	for _, m := range it.outs {
		b.same(matched, by(it.op), m.is, &it.slot, &o.removals[m.with].slot)
		is = append(is, m.is)
	}
	if it.drain != no {
		if it.drain != it.in {
			b.clause(drained, by(it.op), -it.drain, it.in)
		}
		conds := []lit{it.drain}
		b.atMost(drained, by(it.op), conds, &o.taken, 1-k, &it.slot, boundless)
		b.atMost(drained, by(it.op), conds, &it.slot, 0, &o.total, boundless)
		is = append(is, it.drain)
		if !o.free && it.drain != it.in {
			b.clause(drained, by(it.op), append(slices.Clone(is), -it.in)...)
		}
	}
	b.atMostOne(matched, by(it.op), is)
	b.clause(matched, by(it.op), append(is, -it.slot.le(stays-1))...)
}

// drains says that as many items are drained as there are drains, where that does not follow.
func (o *object) drains() {
	if !o.free || !o.s.relax.Drain {
		return
	}
	var is []lit
	for x := range o.items {
		is = append(is, o.items[x].drain)
	}
	n := o.s.b.count(drained, by(), is, 0, o.left.lo, o.left.hi)
	o.s.b.same(drained, by(), yes, &n, &o.left)
}

// fill says that every slot in use holds one removal or one drained item.
func (o *object) fill() {
	b := o.s.b
	in := make([][]lit, o.last+1)
	put := func(u *unary, on lit) {
		for k := u.lo; k <= min(u.hi, o.last); k++ {
			if l := b.is(u, k, on); l != no {
				in[k] = append(in[k], l)
			}
		}
	}
	for d := range o.removals {
		put(&o.removals[d].slot, o.removals[d].in)
	}
	for x := range o.items {
		if it := &o.items[x]; it.drain != no {
			put(&it.slot, it.drain)
		}
	}
	for k := int32(1); k <= o.last && b.alive(1); k++ {
		b.unique(slotted, in[k], o.total.ge(k))
	}
}

// unique says that at most one of the literals holds, and one if the position is in use.
func (b *builder) unique(why axiom, lits []lit, used lit) {
	b.clause(why, by(), append(slices.Clone(lits), -used)...)
	sure := slices.Index(lits, yes)
	for i, l := range lits {
		if sure >= 0 && i != sure {
			b.clause(why, by(), -l)
		}
	}
	if sure < 0 {
		b.atMostOne(why, by(), lits)
	}
}
