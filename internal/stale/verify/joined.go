package verify

// Orders of several objects under a stated order.
//
// What: checks that the orders of all objects, time and the stated order are parts of one order:
// puts one operation after the other that none of those left comes before.
//
// Cost: O(n log n), and what insertion into the ready ones costs.

import (
	"cmp"
	"math"
	"slices"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/stale"
	"github.com/linsat/linsat/internal/verify/base"
)

// Joined checks that orders of objects are parts of one order that also has what is stated.
func (v *Verifier) Joined(q stale.Question, orders []stale.Order) error {
	j := &judged{Verifier: v}
	if len(v.h.From.Edges) == 0 {
		return nil
	}
	if q.Kind > stale.Moved {
		return v.stated(q, orders)
	}
	var ids []history.OpID
	for k := range orders {
		ids = append(ids, orders[k].Operations...)
	}
	for i := range v.h.Silent {
		ids = append(ids, v.h.Silent[i].ID)
	}
	nodes, err := v.nodesOf(q, ids)
	if err != nil {
		return err
	}
	at := map[history.OpID]int32{}
	for i := range nodes {
		at[nodes[i].ID] = int32(i)
	}
	after, waits := make([][]int32, len(nodes)), make([]int32, len(nodes))
	tie := func(a, b history.OpID) {
		x, is := at[a]
		y, too := at[b]
		if is && too {
			after[x] = append(after[x], y)
			waits[y]++
		}
	}
	for k := range orders {
		for t := 1; t < len(orders[k].Operations); t++ {
			tie(orders[k].Operations[t-1], orders[k].Operations[t])
		}
	}
	for _, e := range v.h.From.Edges {
		tie(e.Before, e.After)
	}
	returns, ready := make([]int32, len(nodes)), []int32{}
	for i := range nodes {
		if returns[i] = int32(i); waits[i] == 0 {
			ready = append(ready, int32(i))
		}
	}
	slices.SortFunc(returns, func(a, b int32) int { return cmp.Compare(nodes[a].Return, nodes[b].Return) })
	done := make([]bool, len(nodes))
	for range nodes {
		for len(returns) > 0 && done[returns[0]] {
			returns = returns[1:]
		}
		// Nodes are by call, so the first of those that are ready is the first by time.
		if len(ready) == 0 || nodes[ready[0]].call > nodes[returns[0]].Return {
			return base.Faultf(j.name(nodes[returns[0]].ID),
				"the orders, time and the stated order have a circle, in which it is or which it is behind")
		}
		x := ready[0]
		ready, done[x] = ready[1:], true
		for _, y := range after[x] {
			if waits[y]--; waits[y] == 0 {
				ready = append(ready, y)
				for k := len(ready) - 1; k > 0 && ready[k-1] > y; k-- {
					ready[k-1], ready[k] = y, ready[k-1]
				}
			}
		}
	}
	return nil
}

// Closed checks that operations can be those of a core: what is left out is in nobody's way.
func (v *Verifier) Closed(ids []history.OpID) error {
	in := make([][]bool, len(v.h.Objects))
	for _, id := range ids {
		if id < 0 || int(id) >= len(v.objects) || v.objects[id] == nowhere {
			return base.Faultf((&judged{Verifier: v}).name(id), "it is not one of the operations that are asked about")
		}
		if k := v.objects[id]; k != silent {
			if in[k] == nil {
				in[k] = make([]bool, len(v.h.Objects[k].Ops))
			}
			in[k][v.places[id]] = true
		}
	}
	for k := range in {
		if in[k] != nil {
			if err := (&judged{Verifier: v, o: &v.h.Objects[k]}).closed(in[k]); err != nil {
				return err
			}
		}
	}
	return nil
}

// Places of operations that are not of an object.
const (
	silent  int32 = -1
	nowhere int32 = math.MinInt32
)
