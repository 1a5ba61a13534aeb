package encode

// Sweeps: instances of the disciplines that real time alone violates.
//
// What: a simple exit t and a simple item y such that the conditions of "y is removed before t"
// hold by real time, and y is never removed or its removal was called only after t returned.
// Instead of comparing all pairs, exits are visited in the order in which the conditions become
// true of more items, and of those items only the one whose removal was called last matters:
//
//	queue            y returned before x's insertion was called
//	nothing found    y returned before t was called
//	priority queue   the same, and y is better than x: a prefix maximum over priorities
//	stack            the same, and y was called after x's insertion returned: a suffix maximum
//
// Pending items and exits do not matter: real time puts nothing after a pending insertion, and
// matches of a pending removal are never known.
//
// Cost: O(n log n).

import (
	"slices"
	"sort"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/cnf"
	"github.com/linsat/linsat/internal/inorder"
	"github.com/linsat/linsat/internal/model"
)

// latest is the item whose removal was called last, -1 if there is none.
type latest struct {
	item itemID
	call history.Rank
}

func (l latest) or(m latest) latest {
	if m.call > l.call || l.item < 0 {
		return m
	}
	return l
}

// fenwick holds maxima of prefixes.
type fenwick []latest

func newFenwick(n int) fenwick {
	f := make(fenwick, n+1)
	for i := range f {
		f[i].item = -1
	}
	return f
}

func (f fenwick) put(at int, l latest) {
	for i := at + 1; i < len(f); i += i & -i {
		f[i] = f[i].or(l)
	}
}

// below returns the maximum over the places 0..n-1.
func (f fenwick) below(n int) latest {
	l := latest{item: -1}
	for i := n; i > 0; i -= i & -i {
		if f[i].item >= 0 {
			l = l.or(f[i])
		}
	}
	return l
}

// sweeps checks every collection.
func (c *collection) sweeps() {
	items := make([][]latest, len(c.objects))
	for k, all := range c.objects {
		for _, i := range all {
			x := &c.items[i]
			if !x.certain() || !x.simple() {
				continue
			}
			l := latest{i, history.Never}
			if len(x.outs) > 0 {
				l.call = c.b.Order.Call[c.exits[x.outs[0].with].op]
			}
			items[k] = append(items[k], l)
		}
		its := items[k]
		sort.Slice(its, func(i, j int) bool { return c.items[its[i].item].ret < c.items[its[j].item].ret })
	}
	exits := make([][]exitID, len(c.objects))
	empties := make([][]exitID, len(c.objects))
	for e := range c.exits {
		t := &c.exits[e]
		switch {
		case t.empty == cnf.True:
			empties[t.object] = append(empties[t.object], exitID(e))
		case t.simple() && c.b.Order.Return[t.op] != history.Never:
			exits[t.object] = append(exits[t.object], exitID(e))
		}
	}
	for k := range c.objects {
		c.sweepPrefix(items[k], empties[k], func(t *exit) history.Rank { return c.b.Order.Call[t.op] })
		switch c.theory.Discipline {
		case model.FIFO:
			slices.SortFunc(exits[k], func(x, y exitID) int { return int(c.seen(x).call) - int(c.seen(y).call) })
			c.sweepPrefix(items[k], exits[k], func(t *exit) history.Rank { return c.items[t.from[0].with].call })
		case model.LIFO:
			calls := make([]history.Rank, len(items[k]))
			for i, l := range items[k] {
				calls[i] = -c.items[l.item].call
			}
			c.sweepTree(items[k], exits[k], calls, func(x *item) history.Rank {
				return -x.call
			}, func(x *item) history.Rank { return -x.ret })
		default:
			c.sweepRanks(items[k], exits[k])
		}
	}
}

// seen returns the item that a simple exit takes or sees.
func (c *collection) seen(e exitID) *item { return &c.items[c.exits[e].from[0].with] }

// sweepPrefix visits exits, sorted by limit: all items that returned before it count.
func (c *collection) sweepPrefix(items []latest, exits []exitID, limit func(*exit) history.Rank) {
	worst := latest{item: -1}
	for _, e := range exits {
		t := &c.exits[e]
		for len(items) > 0 && c.items[items[0].item].ret < limit(t) {
			worst = worst.or(items[0])
			items = items[1:]
		}
		if !c.clash(e, worst) {
			return
		}
	}
}

// clash emits the instance of exit e and the item if real time violates it, and reports whether to
// continue.
func (c *collection) clash(e exitID, worst latest) bool {
	t := &c.exits[e]
	if worst.item >= 0 && worst.call > c.b.Order.Return[t.op] {
		x := itemID(-1)
		if t.empty != cnf.True {
			x = t.from[0].with
		}
		c.require(t, cnf.True, x, worst.item, open)
	}
	return c.b.Alive(1)
}

// sweepTree visits exits by call. Of the items that returned before an exit, those matter whose key
// is below that of the exit's own item.
func (c *collection) sweepTree(items []latest, exits []exitID, keys []history.Rank, key,
	limit func(*item) history.Rank) {
	keys = slices.Clone(keys)
	slices.Sort(keys)
	place := func(k history.Rank) int { return sort.Search(len(keys), func(i int) bool { return keys[i] >= k }) }
	f := newFenwick(len(keys))
	for _, e := range exits { // by call, as operations are
		t := &c.exits[e]
		for len(items) > 0 && c.items[items[0].item].ret < c.b.Order.Call[t.op] {
			f.put(place(key(&c.items[items[0].item])), items[0])
			items = items[1:]
		}
		if !c.clash(e, f.below(place(limit(c.seen(e))))) {
			return
		}
	}
}

// sweepRanks is sweepTree for priorities, numbered first.
func (c *collection) sweepRanks(items []latest, exits []exitID) {
	ranks := make([]int64, 0, len(items))
	for _, l := range items {
		ranks = append(ranks, c.theory.Rank[c.items[l.item].value])
	}
	ranks = inorder.Distinct(ranks)
	number := func(x *item) history.Rank {
		k, _ := slices.BinarySearch(ranks, c.theory.Rank[x.value])
		return history.Rank(k)
	}
	keys := make([]history.Rank, len(items))
	for i, l := range items {
		keys[i] = number(&c.items[l.item])
	}
	c.sweepTree(items, exits, keys, number, number)
}
