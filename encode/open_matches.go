package encode

// Exits whose matches are open: what they require, and of which items.
//
// What: an exit that takes x concerns the items inserted before x (queue, fifo_order.go), between x
// and itself (stack), or before itself (priority queue; nothing found). A walk through time keeps
// the items that may be present and skips those that were certainly removed before the exit.
//
// Cost: for each exit the items that may be present.

import (
	"slices"
	"sort"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/cnf"
	"github.com/linsat/linsat/internal/model"
)

// complex emits the instances with an unknown match.
func (c *collection) complex() {
	for k, items := range c.objects {
		var exits []exitID
		for e := range c.exits {
			if c.exits[e].object == model.CellID(k) {
				exits = append(exits, exitID(e))
			}
		}
		hard := slices.DeleteFunc(slices.Clone(items), func(i itemID) bool { return c.items[i].simple() })
		if c.theory.Discipline == model.FIFO {
			near, hard := c.nearby(items), c.nearby(hard)
			hard.sure, hard.cover = near.sure, near.cover
			c.each(exits, func(t *exit) bool {
				return c.inLine(t, &hard)
			}, func(t *exit) bool { return c.inLine(t, &near) })
		} else {
			all, hard := c.contents(items), c.contents(hard)
			c.each(exits, func(t *exit) bool {
				return c.demands(t, hard)
			}, func(t *exit) bool { return c.demands(t, all) })
		}
	}
}

// each calls one function for exits that are simple, the other one for the rest.
func (c *collection) each(exits []exitID, simple, complex func(t *exit) bool) {
	for _, e := range exits {
		t, f := &c.exits[e], complex
		if t.simple() {
			f = simple
		}
		if !f(t) {
			return
		}
	}
}

// demands emits what exit t requires of the items that may be present.
func (c *collection) demands(t *exit, all *contents) bool {
	since := always
	if c.theory.Discipline == model.LIFO && t.empty == cnf.False {
		since = c.deepest(t)
	}
	for _, y := range all.at(c, t.op) {
		if c.items[y].ret >= since && !c.demand(t, y) {
			return false
		}
	}
	return c.b.Alive(int64(len(all.inside)) / 4)
}

// demand emits what exit t requires of item y, whatever it takes, sees or finds.
func (c *collection) demand(t *exit, y itemID) bool {
	it, gone := &c.items[y], open
	if it.in == cnf.False || c.insertedBy(it, t.op) == cnf.False {
		return c.b.Alive(1)
	}
	if c.theory.Discipline != model.FIFO && c.theory.Discipline != model.ByPriority && !t.simple() && len(it.outs) > 1 {
		if gone = c.gone(t, it); gone == cnf.True {
			return c.b.Alive(int64(len(it.outs)))
		}
	}
	for _, m := range t.from {
		c.require(t, m.is, m.with, y, gone)
	}
	if t.empty != cnf.False {
		c.require(t, t.empty, -1, y, gone)
	}
	return c.b.Alive(int64(len(t.from) + 1))
}

// open is not a literal: it says that the clause has to be emitted in full.
const open cnf.Lit = 0

// contents walks through time and keeps the items that may be present.
type contents struct {
	items  []itemID // by call, those to come
	inside []itemID
	gone   []history.Rank // by item: it is certainly removed before this rank
}

func (c *collection) contents(items []itemID) *contents {
	n := &contents{items: slices.Clone(items), gone: make([]history.Rank, len(c.items))}
	slices.SortStableFunc(n.items, func(x, y itemID) int { return int(c.items[x].call) - int(c.items[y].call) })
	for _, i := range items {
		x := &c.items[i]
		n.gone[i] = never
		if x.all || len(x.outs) == 1 && x.outs[0].is == cnf.True {
			n.gone[i] = always
			for _, d := range x.outs {
				n.gone[i] = max(n.gone[i], c.b.Order.Return[c.exits[d.with].op])
			}
		}
	}
	return n
}

// at returns the items that may be present during operation i, and perhaps some that come later.
// Calls must be in the order of the operations' calls.
func (n *contents) at(c *collection, i history.OpID) []itemID {
	call, ret := c.b.Order.Call[i], c.b.Order.Return[i]
	for len(n.items) > 0 && c.items[n.items[0]].call <= ret {
		n.inside = append(n.inside, n.items[0])
		n.items = n.items[1:]
	}
	n.inside = slices.DeleteFunc(n.inside, func(y itemID) bool { return n.gone[y] < call })
	return n.inside
}

// nearby holds the items of a collection by time.
type nearby struct {
	items   []itemID // by call, initial values first
	call    []history.Rank
	ret     []history.Rank
	latest  []history.Rank // of the returns up to here
	pending []itemID       // items that never return, which are in no other list
	sure    []history.Rank // returns of items that are certainly inserted, sorted
	cover   []history.Rank // the latest call of those up to here
}

func (c *collection) nearby(items []itemID) nearby {
	var n nearby
	var sure []itemID
	for _, i := range items {
		x := &c.items[i]
		if x.ret == never {
			n.pending = append(n.pending, i)
			continue
		}
		n.items = append(n.items, i)
		if x.certain() {
			sure = append(sure, i)
		}
	}
	slices.SortStableFunc(n.items, func(x, y itemID) int { return int(c.items[x].call) - int(c.items[y].call) })
	slices.SortFunc(sure, func(x, y itemID) int { return int(c.items[x].ret) - int(c.items[y].ret) })
	latest := always
	for _, i := range n.items {
		x := &c.items[i]
		latest = max(latest, x.ret)
		n.call, n.ret, n.latest = append(n.call, x.call), append(n.ret, x.ret), append(n.latest, latest)
	}
	latest = always
	for _, i := range sure {
		x := &c.items[i]
		latest = max(latest, x.call)
		n.sure, n.cover = append(n.sure, x.ret), append(n.cover, latest)
	}
	return n
}

// covered returns the latest call of the items that were certainly inserted before the rank:
// whatever returned before that call is covered by such an item.
func (n *nearby) covered(rank history.Rank) history.Rank {
	k := sort.Search(len(n.sure), func(k int) bool { return n.sure[k] >= rank })
	if k == 0 {
		return always
	}
	return n.cover[k-1]
}

// each calls f for the items that were called up to one rank and did not return before another, as
// long as f returns true. It reports whether f always did.
func (n *nearby) each(since, until history.Rank, f func(i itemID) bool) bool {
	for _, i := range n.pending {
		if !f(i) {
			return false
		}
	}
	last := sort.Search(len(n.call), func(k int) bool { return n.call[k] > until })
	for k := last - 1; k >= 0 && n.latest[k] >= since; k-- {
		if n.ret[k] >= since && !f(n.items[k]) {
			return false
		}
	}
	return true
}
