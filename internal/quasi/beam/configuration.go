package beam

// What: a configuration: what is linearized in ρ′, the contents after ρ″, and the debts between the
// two, as in package search.
//
// A removal fills the next place of both sequences; what it takes out there is what leaves next. If
// that is not what it returned, its own content is owed, unless it was applied early, and what left
// is early, unless it was owed. Contents of equal keys are settled in order.
//
// A pending removal is linearized where a value leaves, or left early, that no completed removal
// returned; so nothing moves for its sake. A pending insertion is linearized when the removal of
// its value is called or was linearized; before that, its value would only be in the way. All other
// pending insertions are left out.
//
// Invariants: open holds the completed operations called before the earliest return of one that is
// not linearized, by return; debts are in the order of their places.
//
// Cost: the operations open at once, and the debts.

import (
	"cmp"
	"slices"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/inorder"
)

// debt is a content that was linearized and not applied yet, or the other way round, at that place.
type debt struct{ key, at int32 }

// configuration is what follows its parent when op is linearized.
type configuration struct {
	parent *configuration
	op     history.OpID
	with   []history.OpID // pending, just before it
	left   int32          // what left, for removals and drains

	contents
	sum    int64   // of a counter
	spent  []int32 // of its pending operations, by amount
	opened int32   // of problem.byCall
	used   int32   // of problem.pending
	places int32   // removals and drains
	open   []history.OpID
	owed   []debt
	early  []debt
	put    []int32 // values of pending insertions that have not left, or whose removal is open

	score int64 // the least is best
	hash  uint64
	dead  bool // an item lies above one that must leave long before it
}

// limit is the earliest return of a completed operation that is not linearized.
func (q *timed) limit(x *configuration) history.Rank {
	if len(x.open) == 0 {
		return history.Never
	}
	return q.ops[x.open[0]].Return
}

// opens opens the operations called before the limit.
func (q *timed) opens(x *configuration) {
	for int(x.opened) < len(q.byCall) {
		i := q.byCall[x.opened]
		if len(x.open) > 0 && q.ops[i].Call >= q.ops[x.open[0]].Return {
			break
		}
		x.opened++
		x.open = inorder.Insert(x.open, i, func(a, b history.OpID) int {
			return cmp.Compare(q.ops[a].Return, q.ops[b].Return)
		})
	}
}

// inserted reports whether the value of a removal that is open or owed was put in.
func (q *problem) inserted(x *configuration, v int32) bool {
	switch i := q.putter[v]; {
	case i < 0:
		return true
	case q.ops[i].Pending():
		return slices.Contains(x.put, v)
	default:
		return q.at[i] < x.opened && !slices.Contains(x.open, i)
	}
}

// becomes makes y what x becomes when op is linearized, in the memory of y.
func (x *configuration) becomes(y *configuration, op history.OpID) {
	open, owed, early, put, spent := y.open[:0], y.owed[:0], y.early[:0], y.put[:0], y.spent[:0]
	*y = *x
	y.parent, y.op, y.spent = x, op, append(spent, x.spent...)
	y.open, y.put = append(open, x.open...), append(put, x.put...)
	y.owed, y.early = append(owed, x.owed...), append(early, x.early...)
}

// linearize implements object.
func (q *problem) linearize(x, y *configuration, m move) bool {
	op := m.op
	x.becomes(y, op)
	if k := slices.Index(y.open, op); k >= 0 {
		y.open = slices.Delete(y.open, k, k+1)
	} else if q.inserts(op) {
		y.put = append(y.put, q.t.Value[op])
	} else if !q.drains(op) {
		y.used++
	}
	if q.inserts(op) {
		q.insert(y, q.t.Value[op])
	} else {
		y.places++
		y.left = y.next()
		y.remove()
		own, left := q.keyOf(op), q.key(y.left)
		if !settle(&y.early, &y.owed, debt{own, y.places}, q.bound) ||
			!settle(&y.owed, &y.early, debt{left, y.places}, q.bound) {
			return false
		}
		y.forget(own)
		y.forget(left)
	}
	q.opens(y)
	return !y.dead && q.judge(y)
}

// settle settles the oldest debt of the key of x, or adds x to the others. It reports whether no
// more than bound places are between.
func settle(debts, others *[]debt, x debt, bound int32) bool {
	k := slices.IndexFunc(*debts, func(d debt) bool { return d.key == x.key })
	if k < 0 {
		*others = append(*others, x)
		return true
	}
	within := x.at-(*debts)[k].at <= bound
	*debts = slices.Delete(*debts, k, k+1)
	return within
}

// forget forgets a value of a pending insertion that has left, and whose removal is linearized.
func (x *configuration) forget(v int32) {
	is := func(d debt) bool { return d.key == v }
	if k := slices.Index(x.put, v); k >= 0 && !slices.ContainsFunc(x.owed, is) && !slices.ContainsFunc(x.early, is) {
		x.put = slices.Delete(x.put, k, k+1)
	}
}
