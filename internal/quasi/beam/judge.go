package beam

// What: which configurations are kept. The score grows with the square of the places by which a
// debt will have moved at least, by which an open removal would move now, and, on a stack, by which
// an item is due after one below it, which has to wait for it.
//
// Source: ours.
//
// A stack remembers an order of insertions that matters only when its items leave, hundreds of
// operations later. So where one value is to be put in, and another that leaves after it could come
// first and will surely lie on it otherwise, that counts at once.
//
// Invariant: none: what is thrown away may have led to an answer.
//
// Cost: the open operations and the debts, and the items above those that are due.

import (
	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/layout"
)

// square is the penalty for so many places.
func square(places int32) int64 {
	if places <= 0 {
		return 0
	}
	return int64(places) * int64(places)
}

// apart is the penalty for an item that is due so many places after one below it.
func (q *problem) apart(places int32) int64 {
	if places >= 2*q.bound {
		places = 4*q.bound + hopeless
	}
	return square(places)
}

// insert puts a value in.
func (q *problem) insert(x *configuration, v int32) {
	if q.t.Rank != nil {
		x.add(v, q.t.Rank[v])
		return
	}
	first, last := q.leaves(v)
	penalty := q.passedBy(x, v)
	if x.stack != nil {
		late := first - x.stack.last
		penalty += q.apart(late)
		x.dead = late >= 2*q.bound && (q.taker[v] >= 0 || int(x.used) == len(q.pending))
	}
	x.push(v, last, penalty)
}

// passedBy is the penalty for pushing v before what will lie on it, leaves later, and could have
// come first.
func (q *problem) passedBy(x *configuration, v int32) int64 {
	i, r := q.putter[v], q.taker[v]
	if i < 0 || r < 0 || q.ops[i].Pending() {
		return 0
	}
	worst := int32(0)
	look := func(o history.OpID) {
		if q.inserts(o) && o != i && q.ops[o].Return < q.ops[r].Call {
			first, _ := q.leaves(q.t.Value[o])
			worst = max(worst, first-q.within[r])
		}
	}
	for _, o := range x.open {
		look(o)
	}
	for k := int(x.opened); k < len(q.byCall) && q.ops[q.byCall[k]].Call < q.ops[i].Return; k++ {
		look(q.byCall[k])
	}
	return q.apart(worst)
}

// judge implements object.
func (q *problem) judge(x *configuration) bool {
	x.score = 0
	x.hash = layout.Mix(x.contents.hash, uint64(x.opened)<<32|uint64(x.used))
	for _, i := range x.open {
		x.hash = layout.Mix(x.hash, uint64(i))
		if q.inserts(i) {
			x.score += lying * q.apart(q.above(x, i))
		} else {
			x.score += square(q.waits(x, q.t.Value[i]))
		}
	}
	if x.stack != nil {
		x.score += lying * x.stack.penalty
	}
	return q.affords(x, x.owed, q.waits) && q.affords(x, x.early, q.comes)
}

// affords adds the penalties of debts that are settled after as many other removals as until says,
// and reports whether that is in time.
func (q *timed) affords(x *configuration, debts []debt, until func(x *configuration, key int32) int32) bool {
	x.hash = layout.Mix(x.hash, uint64(len(debts)))
	for _, d := range debts {
		moved := x.places + 1 + until(x, d.key) - d.at
		if moved > q.bound {
			return false
		}
		x.score += owing * square(moved)
		x.hash = layout.Mix(x.hash, uint64(uint32(d.key))<<32|uint64(d.at))
	}
	return true
}

// waits counts the removals before a content can leave, up to a few more than the bound.
func (q *problem) waits(x *configuration, key int32) int32 {
	switch most := q.bound + 4; {
	case key == empty:
		return min(most, x.size)
	case key == loose || !q.inserted(x, key):
		return 0
	default:
		return x.ahead(q.t, key, most)
	}
}

// comes counts the completed removals before one can be linearized that has this content.
func (q *problem) comes(x *configuration, key int32) int32 {
	done := x.places - x.used
	switch {
	case key >= 0:
		return max(0, q.before[q.taker[key]]-done)
	case key == empty:
		return q.untilEmpty(x, done)
	case int(x.used) < len(q.pending):
		return max(0, q.before[q.pending[x.used]]-done)
	case q.drain:
		return q.total - min(done, q.total)
	}
	return q.bound + 1
}

// untilEmpty is comes for what found nothing, after so many completed removals.
func (q *problem) untilEmpty(x *configuration, done int32) int32 {
	for _, i := range x.open {
		if !q.inserts(i) && q.t.Value[i] == empty {
			return 0
		}
	}
	for _, i := range q.empties {
		if q.at[i] >= x.opened {
			return max(0, q.before[i]-done)
		}
	}
	return q.bound + 1
}

// above returns by how many places the value of an open insertion is due after one near the top of
// the stack that it will surely lie on.
func (q *problem) above(x *configuration, i history.OpID) (worst int32) {
	first, _ := q.leaves(q.t.Value[i])
	n := 0
	for c := x.stack; c != nil && n < lookDown; c, n = c.below, n+1 {
		if r := q.taker[c.value]; r >= 0 && q.ops[r].Call > q.ops[i].Return {
			worst = max(worst, first-q.within[r])
		}
	}
	return worst
}
