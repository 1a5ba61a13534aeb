package solve

// The order of clusters.
//
// What: places the writes from the first to the last. Of those that are left, one that comes after
// no other, and that has none which must be near behind it, is placed at once. Where there is none,
// epoch.go places several.
//
// Why: call it a boundary where no cluster that is left must be near behind one that is placed. If
// all clusters have an order, then what is left at a boundary has one, in which it stands as in
// that one: distances only get less. So nothing beyond a boundary is ever taken back, and a no is
// one about what is left there. This is what lets LBT backtrack little [Golab, Hurwitz, Li, ICDCS
// 2013]; it holds for any bound.
//
// Invariant: where x is placed, no y with end(y) < call(x) is left; at a boundary, no y with
// end(y) < last(x).
//
// Cost: O(n log n), and what epochs cost.

import (
	"context"
	"slices"

	"github.com/linsat/linsat/history"
)

// orderer places clusters whose ret is their end.
type orderer struct {
	ctx         context.Context
	list        []cluster
	bound       int
	steps       int   // of epochs that are left
	ends, lasts links // clusters that are left
	order       []int32
	epoch
}

// outcome is what came of placing clusters.
type outcome uint8

const (
	placed outcome = iota
	impossible
	stopped // by a limit
)

// arrange places all clusters. If that is impossible, those that are left cannot be placed, and
// those of them that relevant returns cannot either.
func arrange(ctx context.Context, list []cluster, bound, steps int) (*orderer, outcome) {
	o := &orderer{ctx: ctx, list: list, bound: bound, steps: steps, order: make([]int32, 0, len(list))}
	if bound >= len(list) {
		// Any order of the calls will do: where end(x) < call(y), call(x) < call(y), too.
		for _, key := range sorted(list, func(c *cluster) history.Rank { return c.call }) {
			o.order = append(o.order, number(key))
		}
		return o, placed
	}
	o.ends = newLinks(list, func(c *cluster) history.Rank { return c.end })
	o.lasts = newLinks(list, func(c *cluster) history.Rank { return c.last })
	for len(o.order) < len(list) {
		if k, ok := o.unhindered(); ok {
			o.place(k)
			continue
		}
		if result := o.several(); result != placed {
			return o, result
		}
	}
	return o, placed
}

// unhindered returns a cluster after which there is a boundary again.
func (o *orderer) unhindered() (k int32, ok bool) {
	x := o.ends.first()
	if y := o.lasts.first(); y != x && o.list[y].last <= o.list[x].end {
		return y, true
	}
	second := o.ends.next[x]
	return x, int(second) == len(o.list) || o.list[x].last <= o.list[second].end
}

func (o *orderer) place(k int32) {
	o.ends.remove(k)
	o.lasts.remove(k)
	o.order = append(o.order, k)
}

func (o *orderer) takeBack() {
	k := o.order[len(o.order)-1]
	o.order = o.order[:len(o.order)-1]
	o.lasts.restore(k)
	o.ends.restore(k)
}

// links is a list of clusters, ascending, from which some are taken and put back in reverse.
type links struct {
	next, prev []int32 // by cluster; of the one behind all at their end
}

// sorted returns the clusters, each with what it is sorted by above it.
func sorted(list []cluster, by func(c *cluster) history.Rank) []int64 {
	keys := make([]int64, len(list))
	for k := range list {
		keys[k] = int64(by(&list[k]))<<32 | int64(k)
	}
	if !slices.IsSorted(keys) {
		slices.Sort(keys)
	}
	return keys
}

// number is the cluster of a key of sorted.
func number(key int64) int32 { return int32(uint32(key)) }

func newLinks(list []cluster, by func(c *cluster) history.Rank) links {
	n := int32(len(list))
	l := links{next: make([]int32, n+1), prev: make([]int32, n+1)}
	at := n
	for _, key := range sorted(list, by) {
		k := number(key)
		l.next[at], l.prev[k] = k, at
		at = k
	}
	l.next[at], l.prev[n] = n, at
	return l
}

func (l *links) first() int32 { return l.next[len(l.next)-1] }

func (l *links) remove(k int32)  { l.next[l.prev[k]], l.prev[l.next[k]] = l.next[k], l.prev[k] }
func (l *links) restore(k int32) { l.next[l.prev[k]], l.prev[l.next[k]] = k, k }
