package solve

import (
	"context"
	"slices"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
)

// Sequential consistency of a queue whose values are distinct.
//
// What: an order of the operations that keeps those of the processes and that a queue allows. It is
// looked for, and may exist if none is found.
//
// How: values leave in the order in which they came. So a value that is known to come before
// another one leaves before it, and the other way round, until nothing follows any more. Then the
// operations happen one after the other: whatever can leave does, which hinders nothing; of the
// values that can come, that one comes whose removal was called first. Values that leave by no
// removal that returned, and cannot stay, leave by one that never did.
//
// Source: the axioms of queues [Henzinger, Sezgin, Vafeiadis, CONCUR 2013], with the order of
// processes in the place of time, and saturation as in Bouajjani et al. (ESOP 2013). Ours is the
// choice.
//
// Not looked at: removals that find nothing, values that come twice, and peeks.
//
// Cost: operations × processes for each round of what follows, of which there are few where
// processes are behind one another by a time.

// queue is such a history.
type queue struct {
	h         *history.History
	ops       [][]history.OpID // by process: those that take effect
	at        []int32          // by operation: its place in its process, plus one; 0 if it does not
	value     []int32
	insert    []bool
	ins, rem  []history.OpID // by value: its operations, -1 for none
	before    [][]history.OpID
	unknown   []history.OpID // removals that never returned, as long as they are not needed
	clocks    []int32        // operation × process: how many of the process come before it
	processes int
}

// QueueOrder returns an order of the operations of a queue that take effect, nil if none is found,
// in so many bytes if that is not 0.
func QueueOrder(ctx context.Context, h *history.History, t *model.CollectionTheory, memory int64) []history.OpID {
	if size := 4 * int64(len(h.Ops)) * int64(len(h.Processes)); memory > 0 && size > memory {
		return nil
	}
	q := newQueue(h, t)
	if q == nil {
		return nil
	}
	for stay := false; ; {
		if ctx.Err() != nil || !q.count() {
			return nil
		}
		switch more, ok := q.follow(); {
		case !ok:
			return nil
		case !more && stay:
			return q.run(t.Initial[0])
		case !more:
			stay = true
			q.stayLast()
		}
	}
}

// newQueue returns nil for what is not looked at.
func newQueue(h *history.History, t *model.CollectionTheory) *queue {
	n := len(h.Ops)
	if t.Discipline != model.FIFO || len(t.Initial) != 1 {
		return nil
	}
	q := &queue{h: h, ops: make([][]history.OpID, len(h.Processes)), at: make([]int32, n), value: slices.Clone(t.Value),
		insert: make([]bool, n), ins: make([]history.OpID, t.Values), rem: make([]history.OpID, t.Values),
		before: make([][]history.OpID, n), processes: len(h.Processes)}
	for v := range q.ins {
		q.ins[v], q.rem[v] = -1, -1
	}
	came := make([]bool, t.Values)
	for _, v := range t.Initial[0] {
		came[v] = true
	}
	for i := range history.OpID(n) {
		v := t.Value[i]
		switch {
		case t.Does[i] == model.Insert && !came[v]:
			came[v], q.ins[v], q.insert[i] = true, i, true
		case t.Does[i] == model.Remove && v >= 0 && q.rem[v] < 0 && !h.Ops[i].Pending():
			q.rem[v] = i
		case t.Does[i] == model.Remove && v == model.Anything && h.Ops[i].Pending():
			q.unknown = append(q.unknown, i)
		default:
			return nil
		}
	}
	for i := range history.OpID(n) {
		v, p := t.Value[i], h.Ops[i].Process
		switch {
		case h.Ops[i].Pending() && (!q.insert[i] || q.rem[v] < 0):
			continue // it need not take effect
		case !q.insert[i] && q.ins[v] >= 0:
			q.before[i] = append(q.before[i], q.ins[v])
		case !q.insert[i] && !came[v]:
			return nil
		}
		q.ops[p] = append(q.ops[p], i)
		q.at[i] = int32(len(q.ops[p]))
	}
	q.clocks = make([]int32, n*q.processes)
	return q
}

// stayLast says that values that never leave come after those that do.
func (q *queue) stayLast() {
	var leave []history.OpID // the last that comes, by process
	for _, ops := range q.ops {
		for k := len(ops) - 1; k >= 0; k-- {
			if i := ops[k]; q.insert[i] && q.rem[q.value[i]] >= 0 {
				leave = append(leave, i)
				break
			}
		}
	}
	for _, ops := range q.ops {
		for _, i := range ops {
			if q.insert[i] && q.rem[q.value[i]] < 0 {
				q.before[i] = append(q.before[i], leave...)
				break
			}
		}
	}
}

// clock returns what comes before an operation.
func (q *queue) clock(i history.OpID) []int32 {
	return q.clocks[int(i)*q.processes : (int(i)+1)*q.processes]
}

// precedes reports whether a comes before b.
func (q *queue) precedes(a, b history.OpID) bool { return q.clock(b)[q.h.Ops[a].Process] >= q.at[a] }

// count finds out what comes before each operation. It returns false if there is a cycle.
func (q *queue) count() bool {
	clear(q.clocks)
	next := make([]int, q.processes)
	counted := make([]bool, len(q.h.Ops))
	for left := true; left; {
		left = false
		moved := false
		for p, ops := range q.ops {
			for ; next[p] < len(ops); next[p]++ {
				i := ops[next[p]]
				if !all(q.before[i], counted) {
					break
				}
				c := q.clock(i)
				for _, b := range q.before[i] {
					q.join(c, b)
				}
				if next[p] > 0 {
					q.join(c, ops[next[p]-1])
				}
				counted[i], moved = true, true
			}
			left = left || next[p] < len(ops)
		}
		if left && !moved {
			return false
		}
	}
	return true
}

// join adds an operation, and what comes before it.
func (q *queue) join(c []int32, b history.OpID) {
	for p, k := range q.clock(b) {
		c[p] = max(c[p], k)
	}
	p := q.h.Ops[b].Process
	c[p] = max(c[p], q.at[b])
}

func all(ops []history.OpID, are []bool) bool {
	for _, i := range ops {
		if !are[i] {
			return false
		}
	}
	return true
}

// follow adds what follows from the orders of values. It returns whether that was anything, and
// false if there is no order.
func (q *queue) follow() (more, ok bool) {
	// by kind, process and place: the last removal or insertion so far, or -1
	last := [2][][]history.OpID{}
	for kind := range last {
		last[kind] = make([][]history.OpID, q.processes)
		for p, ops := range q.ops {
			l := append(make([]history.OpID, 0, len(ops)+1), -1)
			for k, i := range ops {
				if l = append(l, l[k]); q.insert[i] == (kind == 1) {
					l[k+1] = i
				}
			}
			last[kind][p] = l
		}
	}
	for _, ops := range q.ops {
		for _, i := range ops {
			kind, others := 0, q.ins
			if q.insert[i] {
				kind, others = 1, q.rem
			}
			then := others[q.value[i]]
			for p, k := range q.clock(i) {
				b := last[kind][p][k]
				if b < 0 {
					continue
				}
				first := others[q.value[b]]
				switch {
				case then < 0 && (q.insert[i] || first < 0): // it stays; both were there
				case first < 0 && !q.insert[i]: // there from the start
				case first < 0 && q.takenBy(b):
					more = true
				case first < 0 || then < 0:
					return more, false
				case !q.precedes(first, then):
					q.before[then] = append(q.before[then], first)
					more = true
				}
			}
		}
	}
	return more, true
}

// takenBy has a removal that never returned take out what an insertion puts in: the first that was
// called after it. It returns false if there is none.
func (q *queue) takenBy(insertion history.OpID) bool {
	for k, d := range q.unknown {
		if d > insertion {
			q.unknown = slices.Delete(q.unknown, k, k+1)
			p := q.h.Ops[d].Process
			q.ops[p] = append(q.ops[p], d)
			q.at[d], q.value[d], q.rem[q.value[insertion]] = int32(len(q.ops[p])), q.value[insertion], d
			q.before[d] = append(q.before[d], insertion)
			return true
		}
	}
	return false
}

// run lets the operations happen, and returns their order; nil if some cannot.
func (q *queue) run(initial []int32) (order []history.OpID) {
	next, done := make([]int, q.processes), make([]bool, len(q.h.Ops))
	inside := append([]int32(nil), initial...) // what left is not taken out of it
	left, coming := 0, 0                       // how many left; how many are to come and to leave
	for v, i := range q.ins {
		if i >= 0 && q.rem[v] >= 0 {
			coming++
		}
	}
	total := 0
	for _, ops := range q.ops {
		total += len(ops)
	}
	happens := func(i history.OpID) {
		done[i] = true
		next[q.h.Ops[i].Process]++
		order = append(order, i)
	}
	for len(order) < total {
		if left < len(inside) {
			if i := q.rem[inside[left]]; i >= 0 && int(q.at[i]) == next[q.h.Ops[i].Process]+1 {
				happens(i)
				left++
				continue
			}
		}
		best := history.OpID(-1)
		for p, ops := range q.ops {
			if next[p] == len(ops) {
				continue
			}
			i := ops[next[p]]
			leaves := q.rem[q.value[i]] >= 0
			if !q.insert[i] || !all(q.before[i], done) || !leaves && coming > 0 {
				continue
			}
			if best < 0 || leaves && q.rem[q.value[i]] < q.rem[q.value[best]] {
				best = i
			}
		}
		if best < 0 {
			return nil
		}
		if q.rem[q.value[best]] >= 0 {
			coming--
		}
		inside = append(inside, q.value[best])
		happens(best)
	}
	return order
}
