package solve

// Cores.
//
// What: of clusters that have no order, those and those reads that are needed for that: leaves out
// halves, quarters and so on of the clusters, and then a read at a time, as long as the rest has no
// order either.
//
// Why: what is left out of the operations only makes more orders possible, as long as no read is
// left that returns a write that is not.

import (
	"cmp"
	"context"
	"slices"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/inorder"
	"github.com/linsat/linsat/internal/stale"
)

// refuter reports whether clusters have no order, and which of them suffice for that.
type refuter func(list []cluster) (suffice []int32, refuted bool)

// least returns the operations of a core among clusters that have no order.
func (c *clusters) least(ctx context.Context, o *stale.Object, among []int32, refute refuter) []int32 {
	list := pick(c.list, among)
	if suffice, refuted := refute(list); refuted {
		list = pick(list, suffice)
	}
	refuted := func(list []cluster) bool {
		_, refuted := refute(list)
		return refuted
	}
	for size := (len(list) + 1) / 2; size > 0; size /= 2 {
		for from := 0; from < len(list) && ctx.Err() == nil; {
			without := slices.Concat(list[:from], list[min(from+size, len(list)):])
			if len(without) > 0 && refuted(without) {
				list = without
			} else {
				from += size
			}
		}
	}
	for k := range list {
		for _, drop := range []func(x, y *cluster){
			func(x, y *cluster) { y.ends = x.lasts },
			func(x, y *cluster) { y.lasts = x.ends },
			func(x, y *cluster) { y.ends, y.lasts = x.write, x.write },
		} {
			x, y := list[k], list[k]
			if drop(&x, &y); x.write < 0 && y.ends >= 0 || y.ends == x.ends && y.lasts == x.lasts {
				continue
			}
			y.measure(o)
			if list[k] = y; !refuted(list) {
				list[k] = x
			}
		}
	}
	return operationsOf(list)
}

// measure sets the end and the last call of a cluster that has only the reads that it names.
func (x *cluster) measure(o *stale.Object) {
	if x.write >= 0 {
		x.end, x.last = o.Ops[x.write].Return, x.call
	} else {
		x.end, x.last = start, start
	}
	for _, i := range []int32{x.ends, x.lasts} {
		if i >= 0 {
			x.last = max(x.last, o.Ops[i].Call)
		}
		if i >= 0 && x.write >= 0 {
			x.end = min(x.end, o.Ops[i].Return)
		}
	}
}

// pick returns some of the clusters.
func pick(list []cluster, some []int32) []cluster {
	out := make([]cluster, len(some))
	for k, x := range some {
		out[k] = list[x]
	}
	return out
}

// operationsOf lists the operations that the clusters are of.
func operationsOf(list []cluster) []int32 {
	var ops []int32
	for _, x := range list {
		ops = append(ops, x.write, x.ends, x.lasts)
	}
	ops = inorder.Distinct(ops)
	return slices.DeleteFunc(ops, func(i int32) bool { return i < 0 })
}

func sortBy(list []int32, key func(i int32) history.Rank) {
	slices.SortFunc(list, func(a, b int32) int { return cmp.Or(cmp.Compare(key(a), key(b)), cmp.Compare(a, b)) })
}
