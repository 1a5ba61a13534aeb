package solve

// Regular orders of clusters.
//
// What: under bound 0 the order of the writes is one that extends a relation (clusters.go): x comes
// before y where end(x) < call(y) or ret(x) < last(y). What no cluster that is left comes before is
// placed until nothing is left; if there is no such cluster, some come before each other in turn.
//
// Invariant: of the clusters that are left, one comes before y exactly if the one with the least
// end or the one with the least ret (other than y) does.
//
// Cost: O(n log n).

import (
	"slices"

	"github.com/linsat/linsat/history"
)

// arrangeRegular returns an order of the clusters, or clusters that have none.
func arrangeRegular(list []cluster) (order, cycle []int32) {
	n := int32(len(list))
	ends := newLinks(list, func(c *cluster) history.Rank { return c.end })
	rets := newLinks(list, func(c *cluster) history.Rank { return c.ret })
	calls := sorted(list, func(c *cluster) history.Rank { return c.call })
	lasts := sorted(list, func(c *cluster) history.Rank { return c.last })
	// blocker returns a cluster that is left and comes before y.
	blocker := func(y int32) (x int32, found bool) {
		if x = ends.first(); x == y {
			x = ends.next[x]
		}
		if x != n && list[x].end < list[y].call {
			return x, true
		}
		if x = rets.first(); x == y {
			x = rets.next[x]
		}
		return x, x != n && list[x].ret < list[y].last
	}
	// Only these can have become free: those called before the least end with their last call
	// before the least ret, and the one with the least ret itself.
	seen, gone := make([]uint8, n), make([]bool, n)
	var free []int32
	place := func(y int32) {
		ends.remove(y)
		rets.remove(y)
		gone[y] = true
		order = append(order, y)
	}
	for len(order) < len(list) {
		for ; len(calls) > 0 && list[number(calls[0])].call <= list[ends.first()].end; calls = calls[1:] {
			if seen[number(calls[0])]++; seen[number(calls[0])] == 2 {
				free = append(free, number(calls[0]))
			}
		}
		for ; len(lasts) > 0 && list[number(lasts[0])].last <= list[rets.first()].ret; lasts = lasts[1:] {
			if seen[number(lasts[0])]++; seen[number(lasts[0])] == 2 {
				free = append(free, number(lasts[0]))
			}
		}
		y := rets.first()
		if _, blocked := blocker(y); blocked {
			for y = -1; len(free) > 0 && y < 0; free = free[:len(free)-1] {
				if k := free[len(free)-1]; !gone[k] {
					y = k
				}
			}
		}
		if y < 0 {
			return nil, inTurn(rets.first(), blocker)
		}
		place(y)
	}
	return order, nil
}

// inTurn follows blockers from y until one comes again, and returns those from there on.
func inTurn(y int32, blocker func(y int32) (int32, bool)) []int32 {
	var path []int32
	for {
		if k := slices.Index(path, y); k >= 0 {
			return path[k:]
		}
		path = append(path, y)
		y, _ = blocker(y)
	}
}

// irregular is the refuter of regular orders.
func irregular(list []cluster) (suffice []int32, refuted bool) {
	_, cycle := arrangeRegular(list)
	return cycle, cycle != nil
}
