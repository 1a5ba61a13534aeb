package sat

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
	"github.com/linsat/linsat/internal/cnf"
	"github.com/linsat/linsat/internal/model"
)

// collect makes the objects with what is in them.
func (s *slots) collect() {
	b, t := s.b, s.theory
	objects, keys := s.bound.Objects()
	s.of, s.local = make([]int32, b.Order.N), make([]int32, b.Order.N)
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
	for i, p := range b.Keep {
		o := s.objects[objects[p]]
		s.of[i] = objects[p]
		op, in, v := int32(i), b.In[i], t.Value[p]
		if in != cnf.True {
			o.free = true
		}
		switch t.Does[p] {
		case model.Insert:
			s.local[i] = int32(len(o.items))
			o.items = append(o.items, stored{op: op, value: v, in: in, drain: cnf.False})
		case model.Remove:
			s.local[i] = int32(len(o.removals))
			o.removals = append(o.removals, taking{op: op, value: v, in: in, empty: cnf.False})
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
		o.items = append(o.items, stored{op: -1, age: age, value: v, in: cnf.True, drain: cnf.False})
	}
}

// earlier counts the completed operations of a kind that returned before kept operation i was
// called, and later those that were called after it returned.
func (o *object) earlier(does model.Action, i int32) int32 {
	call := o.s.b.Order.Call[i]
	return int32(sort.Search(len(o.returned[does]), func(k int) bool { return o.returned[does][k] >= call }))
}

func (o *object) later(does model.Action, i int32) int32 {
	ret := o.s.b.Order.Return[i]
	if ret == history.Never {
		return 0
	}
	n := len(o.called[does])
	return int32(n - sort.Search(n, func(k int) bool { return o.called[does][k] > ret }))
}

// before lists the literals "an operation of this kind takes effect and comes before i" of those
// concurrent with i.
func (o *object) before(does model.Action, i int32) []cnf.Lit {
	s, b := o.s, o.s.b
	var lits []cnf.Lit
	add := func(j int32) {
		if s.objects[s.of[j]] != o || s.theory.Does[b.Keep[j]] != does {
			return
		}
		lits = append(lits, b.And(b.In[j], b.Order.Before(j, i)))
	}
	b.Order.Index()
	for _, j := range b.Order.Open(i) {
		add(j)
	}
	for j := i + 1; j <= b.Order.Last[i]; j++ {
		add(j)
	}
	return lits
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
			r.empty = o.s.b.Fresh()
		case r.value == model.Nothing:
			r.empty = cnf.True
		case r.in == cnf.True:
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
			o.s.b.Refute(cnf.Matched, o.removals[g.must[0]].op)
			return
		case len(g.must) == len(g.items):
			for _, x := range g.items {
				o.items[x].spent = true
				o.s.b.Clause(cnf.Matched, cnf.By(o.items[x].op), o.items[x].in)
			}
		default:
			takers = append(append(slices.Clone(g.must), g.may...), loose...)
		}
		if matches += len(takers) * len(g.items); matches > maxChoices {
			o.s.b.GiveUp("values repeat in too many ways")
			return
		}
		for _, x := range g.items {
			it := &o.items[x]
			it.sure = it.spent && len(g.items) == 1
			for _, d := range takers {
				it.outs = append(it.outs, choice{with: d})
			}
		}
	}
}

// count counts removals, drains and slots.
func (o *object) count() {
	s, b := o.s, o.s.b
	flow := int32(s.bound.Stored) // of completed operations
	sure := int32(0)
	var takers, change []cnf.Lit // pending removals; what makes the flow larger, from its least on
	plus, still := int32(0), int32(0)
	for i := range b.Order.N {
		if s.objects[s.of[i]] != o {
			continue
		}
		p := b.Keep[i]
		removal, f := s.theory.Does[p] == model.Remove, int32(s.bound.ItemDelta[p])
		if b.In[i] == cnf.True {
			flow += f
			if removal {
				sure++
			}
			continue
		}
		if removal {
			takers = append(takers, b.In[i])
		}
		switch {
		case f > 0:
			plus++
			change = append(change, b.In[i])
		case f < 0:
			flow--
			change = append(change, -b.In[i])
		case removal:
			still++
		}
	}
	most := sure + int32(len(takers))
	o.taken = b.Count(ranked, cnf.By(), takers, sure, sure, most)
	o.total, o.last = o.taken, o.taken.Hi
	if !s.relax.Drain {
		return
	}
	n := int32(len(change))
	o.left = b.Count(drained, cnf.By(), change, flow, flow, flow+n)
	if below := -o.left.Lo; below > 0 { // nothing is drained if it is less than nothing
		o.left = cnf.Unary{Lo: 0, Hi: max(0, o.left.Hi), Base: o.left.Base + cnf.Lit(below)}
	}
	// Every pending removal that may take something lowers the number of drains by one, as long as
	// there are any.
	full := sure + flow + int32(len(takers)) - still
	lo, hi := max(sure, full), max(most, full+still+plus)
	if o.taken.Lo == o.taken.Hi && o.left.Lo == o.left.Hi {
		lo, hi = o.taken.Lo+o.left.Lo, o.taken.Lo+o.left.Lo
	}
	if int64(len(takers)+1)*int64(n+1) > maxChoices {
		b.GiveUp("too many operations are pending")
		return
	}
	o.total = b.Number(drained, cnf.By(), lo, hi)
	o.last = o.total.Hi
	for x := o.taken.Lo; x <= o.taken.Hi; x++ {
		for y := o.left.Lo; y <= o.left.Hi; y++ {
			b.Clause(drained, cnf.By(), -o.taken.Le(x), -o.left.Le(y), o.total.Le(x+y))
			b.Clause(drained, cnf.By(), -o.taken.Ge(x), -o.left.Ge(y), o.total.Ge(x+y))
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
	b.Order.Index()
	for i := range b.Order.N {
		if s.objects[s.of[i]] != o {
			continue
		}
		open := int64(len(b.Order.Open(i))) + int64(b.Order.Last[i]-i)
		clauses += 2 * open * open // two halves of the partners, four clauses a step of the counter
		if s.theory.Does[b.Keep[i]] != model.Peek {
			clauses += 6 * min(open+2*k, int64(o.last))
		}
		if clauses > cnf.MaxClauses {
			break
		}
	}
	b.Expect(clauses, "places and slots")
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

// leave makes the slots of the items that no certain removal takes, and the literals of matches and
// drains.
func (o *object) leave() {
	s, b := o.s, o.s.b
	k := o.bounded(s.bounds.remove)
	stays := o.last + 1
	for x := range o.items {
		it := &o.items[x]
		if it.sure {
			it.outs[0].is = cnf.True
			r := &o.removals[it.outs[0].with]
			r.from = append(r.from, choice{int32(x), cnf.True})
			continue
		}
		least := 1 + o.leastPassed(int32(x))
		if s.slotWindows != nil {
			at := len(s.bound.Partition.Ops) + x
			if it.op >= 0 {
				at = int(b.Keep[it.op])
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
			if r.slot.Hi < least {
				continue
			}
			m.is = b.Fresh()
			outs = append(outs, m)
			r.from = append(r.from, choice{int32(x), m.is})
			lo = min(lo, max(least, r.slot.Lo))
			b.Clause(cnf.Matched, cnf.By(it.op, r.op), -m.is, it.in)
			b.Clause(cnf.Matched, cnf.By(it.op, r.op), -m.is, r.in)
		}
		it.outs = outs
		if s.relax.Drain && !it.spent {
			lo = min(lo, max(least, o.taken.Lo+1-k))
			switch {
			case o.free || len(outs) > 0:
				it.drain = b.Fresh()
			case it.in == cnf.True:
				it.drain, hi = cnf.True, o.last
			default:
				it.drain = it.in
			}
		}
		it.slot = b.Number(cnf.Matched, cnf.By(it.op), lo, hi)
		o.way(it, stays, k)
		if !b.Alive(1) {
			return
		}
	}
	for d := range o.removals {
		r := &o.removals[d]
		some := []cnf.Lit{-r.in, r.empty}
		var is []cnf.Lit
		for _, m := range r.from {
			is = append(is, m.is)
			b.Clause(cnf.Matched, cnf.By(r.op), -m.is, -r.empty)
		}
		b.Clause(cnf.Matched, cnf.By(r.op), append(some, is...)...)
		b.AtMostOne(cnf.Matched, cnf.By(r.op), is)
	}
	o.drains()
}

// way says that an item leaves by one of its ways or stays.
func (o *object) way(it *stored, stays, k int32) {
	b := o.s.b
	var is []cnf.Lit
	for _, m := range it.outs {
		b.Equal(cnf.Matched, cnf.By(it.op), m.is, &it.slot, &o.removals[m.with].slot)
		is = append(is, m.is)
	}
	if it.drain != cnf.False {
		if it.drain != it.in {
			b.Clause(drained, cnf.By(it.op), -it.drain, it.in)
		}
		conds := []cnf.Lit{it.drain}
		b.LessOrEqual(drained, cnf.By(it.op), conds, &o.taken, 1-k, &it.slot, cnf.Boundless)
		b.LessOrEqual(drained, cnf.By(it.op), conds, &it.slot, 0, &o.total, cnf.Boundless)
		is = append(is, it.drain)
		if !o.free && it.drain != it.in {
			b.Clause(drained, cnf.By(it.op), append(slices.Clone(is), -it.in)...)
		}
	}
	b.AtMostOne(cnf.Matched, cnf.By(it.op), is)
	b.Clause(cnf.Matched, cnf.By(it.op), append(is, -it.slot.Le(stays-1))...)
}

// drains says that as many items are drained as there are drains, where that does not follow.
func (o *object) drains() {
	if !o.free || !o.s.relax.Drain {
		return
	}
	var is []cnf.Lit
	for x := range o.items {
		is = append(is, o.items[x].drain)
	}
	n := o.s.b.Count(drained, cnf.By(), is, 0, o.left.Lo, o.left.Hi)
	o.s.b.Equal(drained, cnf.By(), cnf.True, &n, &o.left)
}

// fill says that every slot in use holds one removal or one drained item.
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
