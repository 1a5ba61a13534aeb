package widening

import (
	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
)

// limitPending finds the earliest moment of every place of g, a class of removals, where at most as
// many pending removals count as there are items for them, and g.bound more.
func (g *group) limitPending(ops []history.Op, of []*group, t *model.CollectionTheory) {
	left := map[int32]int{} // copies that no completed removal takes
	for _, v := range t.Initial[0] {
		left[v]++
	}
	for i := range ops {
		switch v := t.Value[i]; {
		case v < 0:
		case t.Does[i] == model.Insert:
			left[v]++
		case t.Does[i] == model.Remove && !ops[i].Pending():
			left[v]--
		}
	}
	completed, pending, items := 0, 0, int64(g.bound)
	var calls []history.Rank
	take := func(v int32) {
		if left[v] > 0 {
			left[v]--
			items++
		}
	}
	for _, v := range t.Initial[0] {
		take(v)
	}
	for i := range ops { // by call
		switch {
		case of[i] == g && ops[i].Pending():
			pending++
		case of[i] == g:
			completed++
		case t.Does[i] == model.Insert:
			take(t.Value[i])
		}
		for int64(len(calls)) < int64(completed)+min(int64(pending), items) {
			calls = append(calls, ops[i].Call)
		}
	}
	g.calls = calls
}
