package beam

import (
	"cmp"
	"math"
	"slices"
	"sort"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/model"
)

// Contents that a removal may have besides a value that it returned.
const (
	empty = model.Nothing
	loose = model.Anything // a value that a pending removal or a drain takes
)

// timed is what any object has: the operations, in the order of their times. Those of the class
// that moves, removals or tickets, are called removals here.
type timed struct {
	ops    []history.Op
	bound  int32
	byCall []history.OpID // completed operations, by call
	at     []int32        // op → its place there
	before []int32        // op → completed removals that returned before its call
	within []int32        // op → completed removals that were called before its return
	total  int32          // completed removals
}

// problem is what does not change while the beam advances.
type problem struct {
	timed
	t       *model.CollectionTheory
	drain   bool
	pending []history.OpID // removals that never returned, by call
	empties []int32        // removals that found nothing, by return
	taker   []int32        // value → the removal that returned it, or -1
	putter  []history.OpID // value → its insertion, or -1 at the start
}

// newProblem returns nil if the question is not one that the beam takes.
func newProblem(p *engine.Task) *problem {
	t, ok := p.Instance.Theory.(*model.CollectionTheory)
	if !ok || t.Discipline == model.FIFO || len(t.Initial) != 1 {
		return nil
	}
	q := &problem{timed: timed{ops: p.Instance.Partition.Ops}, t: t, drain: p.Quasi.Drain,
		taker: make([]int32, t.Values), putter: make([]history.OpID, t.Values)}
	if !q.match() || !q.bounded(p) {
		return nil
	}
	q.sort(func(i history.OpID) bool { return t.Does[i] == model.Remove })
	slices.SortFunc(q.pending, q.called)
	slices.SortFunc(q.empties, func(a, b int32) int { return cmp.Compare(q.ops[a].Return, q.ops[b].Return) })
	return q
}

// called compares the calls of two operations.
func (q *timed) called(a, b history.OpID) int { return cmp.Compare(q.ops[a].Call, q.ops[b].Call) }

// sort fills everything, where moves says which operations are of the class that moves.
func (q *timed) sort(moves func(history.OpID) bool) {
	n := len(q.ops)
	q.at, q.before, q.within = make([]int32, n), make([]int32, n), make([]int32, n)
	for i := range q.ops {
		if !q.ops[i].Pending() {
			q.byCall = append(q.byCall, history.OpID(i))
		}
	}
	slices.SortFunc(q.byCall, q.called)
	var calls, returns []history.Rank
	for k, i := range q.byCall {
		if q.at[i] = int32(k); moves(i) {
			calls, returns = append(calls, q.ops[i].Call), append(returns, q.ops[i].Return)
		}
	}
	slices.Sort(returns)
	q.total = int32(len(calls))
	for i := range q.ops {
		o := &q.ops[i]
		q.before[i] = int32(sort.Search(len(returns), func(k int) bool { return returns[k] >= o.Call }))
		q.within[i] = int32(sort.Search(len(calls), func(k int) bool { return calls[k] > o.Return }))
	}
}

// match finds who inserts and who removes each value, and reports whether they are distinct.
func (q *problem) match() bool {
	there := make([]bool, q.t.Values)
	for v := range q.taker {
		q.taker[v], q.putter[v] = -1, -1
	}
	for _, v := range q.t.Initial[0] {
		if there[v] {
			return false
		}
		there[v] = true
	}
	for i := range q.ops {
		v, pending := q.t.Value[i], q.ops[i].Pending()
		switch {
		case q.t.Does[i] == model.Insert:
			if there[v] {
				return false
			}
			there[v], q.putter[v] = true, history.OpID(i)
		case q.t.Does[i] != model.Remove:
			return false
		case pending:
			q.pending = append(q.pending, history.OpID(i))
		case v == empty:
			q.empties = append(q.empties, int32(i))
		case v < 0 || q.taker[v] >= 0:
			return false
		default:
			q.taker[v] = int32(i)
		}
	}
	for v, r := range q.taker {
		if r >= 0 && !there[v] {
			return false
		}
	}
	return true
}

// bounded finds the bound of the removals, and reports whether they have one.
func (q *problem) bounded(p *engine.Task) bool {
	q.bound = -1
	for i := range q.ops {
		if q.t.Does[i] != model.Remove {
			continue
		}
		c := p.Instance.Class[i]
		if c < 0 || int(c) >= len(p.Quasi.Factor) || q.bound >= 0 && p.Quasi.Factor[c] != q.bound {
			return false
		}
		q.bound = p.Quasi.Factor[c]
	}
	q.bound = min(q.bound, int32(2*len(q.ops)))
	return q.bound >= 0
}

// leaves returns the least and the greatest rank, among completed removals, of that of a value.
func (q *problem) leaves(v int32) (first, last int32) {
	r := q.taker[v]
	if r < 0 {
		return q.total + 1, math.MaxInt32
	}
	return q.before[r] + 1, q.within[r]
}

// keyOf is the content of a removal or a drain.
func (q *problem) keyOf(op history.OpID) int32 {
	if q.drains(op) || q.ops[op].Pending() {
		return loose
	}
	return q.t.Value[op]
}

// key is what a value is to removals.
func (q *problem) key(v int32) int32 {
	if v >= 0 && q.taker[v] < 0 {
		return loose
	}
	return v
}

// drains reports whether an operation is a drain.
func (q *problem) drains(op history.OpID) bool { return int(op) >= len(q.ops) }

// inserts reports whether an operation is an insertion.
func (q *problem) inserts(op history.OpID) bool { return !q.drains(op) && q.t.Does[op] == model.Insert }
