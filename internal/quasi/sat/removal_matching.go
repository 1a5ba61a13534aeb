package sat

// Which removal takes which item: every item has a literal for each removal that may take it, one
// that it is drained, and its slot, which is that of its removal or drain.

import (
	"slices"

	"github.com/linsat/linsat/internal/cnf"
	"github.com/linsat/linsat/internal/model"
)

// match finds which removals may take which items: those whose windows overlap.
func (o *object) match() {
	type group struct {
		items     []itemID
		must, may []takerID
	}
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
		g.items = append(g.items, itemID(x))
	}
	var loose []takerID
	for d := range o.removals {
		r := &o.removals[d]
		switch {
		case r.value == model.Anything:
			loose = append(loose, takerID(d))
			r.empty = o.s.b.Fresh()
		case r.value == model.Nothing:
			r.empty = cnf.True
		case r.in == cnf.True:
			g := of(r.value)
			g.must = append(g.must, takerID(d))
		default:
			g := of(r.value)
			g.may = append(g.may, takerID(d))
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
		if matches += len(takers) * len(g.items); matches > cnf.MaxPairs {
			o.s.b.GiveUp("values repeat in too many ways")
			return
		}
		for _, x := range g.items {
			it := &o.items[x]
			it.sure = it.spent && len(g.items) == 1
			for _, d := range takers {
				it.outs = append(it.outs, choice[takerID]{with: d})
			}
		}
	}
}

// leave builds the slots of the items that no certain removal takes, and the literals of matches
// and drains.
func (o *object) leave() {
	s, b := o.s, o.s.b
	k := o.bounded(s.bounds.remove)
	stays := o.last + 1
	for x := range o.items {
		it := &o.items[x]
		if it.sure {
			it.outs[0].is = cnf.True
			r := &o.removals[it.outs[0].with]
			r.from = append(r.from, choice[itemID]{itemID(x), cnf.True})
			continue
		}
		least := 1 + o.leastPassed(itemID(x))
		if s.slotWindows != nil {
			at := len(s.instance.Partition.Ops) + x
			if it.op >= 0 {
				at = int(b.Keep[it.op])
			}
			if s.question.Drain {
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
			r.from = append(r.from, choice[itemID]{itemID(x), m.is})
			lo = min(lo, max(least, r.slot.Lo))
			b.Clause(cnf.Matched, cnf.By(it.op, r.op), -m.is, it.in)
			b.Clause(cnf.Matched, cnf.By(it.op, r.op), -m.is, r.in)
		}
		it.outs = outs
		if s.question.Drain && !it.spent {
			lo = min(lo, max(least, o.taken.Lo+1-k))
			switch {
			case len(outs) > 0:
				it.drain = b.Fresh()
			case it.in == cnf.True:
				it.drain, hi = cnf.True, o.last
			default:
				it.drain = it.in
			}
		}
		it.slot = b.Number(cnf.Matched, cnf.By(it.op), lo, hi)
		for _, m := range it.outs {
			b.Postpone(&it.slot, o.removals[m.with].op)
		}
		if len(it.outs) == 0 {
			b.Postpone(&it.slot, b.Order.N-1)
		}
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
}

// way adds that an item leaves in one of its ways or stays.
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
		if it.drain != it.in {
			b.Clause(drained, cnf.By(it.op), append(slices.Clone(is), -it.in)...)
		}
	}
	b.AtMostOne(cnf.Matched, cnf.By(it.op), is)
	b.Clause(cnf.Matched, cnf.By(it.op), append(is, -it.slot.Le(stays-1))...)
}
