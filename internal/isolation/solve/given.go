package solve

import (
	"cmp"
	"slices"

	"github.com/linsat/linsat/history"
	iso "github.com/linsat/linsat/internal/isolation"
)

// addGiven adds the given order to the graph: from one of a session to the next one, and through
// barriers of time. It returns the sessions, each in its order.
func addGiven(g *graph, d *digest, order iso.Order) {
	if order == iso.NoOrder {
		return
	}
	last := map[int32]int32{}
	for i := range d.h.Txns { // by call
		if d.gone[i] {
			continue
		}
		t := &d.h.Txns[i]
		if before, some := last[t.Session]; some {
			g.add(g.commit(before), g.start(int32(i)),
				why{rule: iso.RuleGiven, t: before, w: int32(i), object: -1})
		}
		last[t.Session] = int32(i)
	}
	if order < iso.RealTime {
		return
	}
	var returned []int32
	for i := range d.h.Txns {
		if !d.gone[i] && d.h.Txns[i].Return != history.Never {
			returned = append(returned, int32(i))
		}
	}
	slices.SortFunc(returned, func(a, b int32) int { return cmp.Compare(d.h.Txns[a].Return, d.h.Txns[b].Return) })
	k, now := 0, int32(-1)
	for i := range d.h.Txns {
		if d.gone[i] {
			continue
		}
		if k < len(returned) && d.h.Txns[returned[k]].Return < d.h.Txns[i].Call {
			next := g.node()
			if now >= 0 {
				g.add(now, next, barrier)
			}
			for now = next; k < len(returned) && d.h.Txns[returned[k]].Return < d.h.Txns[i].Call; k++ {
				g.add(g.commit(returned[k]), now, barrier)
			}
		}
		if now >= 0 {
			g.add(now, g.start(int32(i)), barrier)
		}
	}
}
