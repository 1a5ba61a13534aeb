package beam

import (
	"slices"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
)

// start implements object.
func (q *problem) start() *configuration {
	x := &configuration{}
	initial := q.t.Initial[0] // next to leave first
	for k := range initial {
		if q.t.Discipline == model.LIFO {
			k = len(initial) - 1 - k
		}
		q.insert(x, initial[k])
	}
	x.dead = false
	q.opens(x)
	return x
}

// moves implements object.
func (q *problem) moves(x *configuration) (all []move) {
	for _, i := range x.open {
		all = append(all, move{op: i})
	}
	supply := func(v int32) {
		if v < 0 || q.putter[v] < 0 {
			return
		}
		i := q.putter[v]
		if q.ops[i].Pending() && q.ops[i].Call < q.limit(x) && !q.inserted(x, v) {
			all = append(all, move{op: i})
		}
	}
	for _, i := range x.open {
		if !q.inserts(i) {
			supply(q.t.Value[i])
		}
	}
	for _, d := range x.owed {
		supply(d.key)
	}
	if int(x.used) < len(q.pending) && q.ops[q.pending[x.used]].Call < q.limit(x) {
		if q.key(x.next()) == loose || slices.ContainsFunc(x.early, func(d debt) bool { return d.key == loose }) {
			all = append(all, move{op: q.pending[x.used]})
		}
	}
	return all
}

// finish implements object.
func (q *problem) finish(x *configuration) *configuration {
	if len(x.open) > 0 || int(x.opened) < len(q.byCall) {
		return nil
	}
	for k := history.OpID(0); q.drain && x.size > 0; k++ {
		y := &configuration{}
		if !q.linearize(x, y, move{op: history.OpID(len(q.ops)) + k}) {
			return nil
		}
		x = y
	}
	if len(x.owed)+len(x.early) > 0 {
		return nil
	}
	return x
}

// near implements object.
func (q *problem) near(x *configuration) (all []history.OpID) {
	for _, i := range x.open {
		if !q.inserts(i) {
			all = append(all, history.OpID(i))
		}
	}
	for _, d := range slices.Concat(x.owed, x.early) {
		if d.key >= 0 {
			all = append(all, history.OpID(q.taker[d.key]))
		}
	}
	return all
}
