package monitor

// FIFO queues with distinct values.
//
// What: values leave in the order of their insertion, so a linearization is an order of the values
// with points for their operations. The operations on a value at the front (peeks and its removal)
// take effect without another value's in between. Let first[v] be the earliest end of these
// operations and last[v] their latest begin. Value a must come before b if a's insertion precedes
// b's, or if first[a] ≤ last[b]. If that relation has no cycle, and empty results have their
// moments (empties.go), the history is linearizable.
//
// How: repeatedly take a value that must come after none that is left. Such a value has an
// insertion that begins before any insertion left has ended, and no first but its own comes by its
// last. Both bounds only grow, so four sorted lists are each traversed once. If there is no such
// value, two or three values already form a cycle.
//
// Pending removals: the i-th value that was never removed, by the end of its insertion, is given to
// the i-th pending removal, by call. No other pairing does better, unless such a value was seen at
// the front. Then a violation counts only if there is also one when each of these values has the
// first pending removal for itself.
//
// Source: reference algorithm of our own, proved and compared with brute force; Abdulla et al.
// (PLDI 2025) and Lee & Mathur (OOPSLA 2025) have the case of complete histories without peeks.
// Neither gives witnesses or refutations.
//
// Cost: O(n).

import (
	"context"

	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/proof"
)

func queue(ctx context.Context, c *collected) engine.Answer {
	c.match()
	a := completeQueue(ctx, c)
	if a.Verdict != engine.NotLinearizable || !c.seenAndLeft() {
		return a
	}
	for _, v := range c.left {
		c.assign(v, 0)
	}
	a = completeQueue(ctx, c)
	if a.Verdict == engine.Linearizable { // of another history
		return engine.Answer{Cause: engine.Undecided, Detail: "which value a pending removal took decides"}
	}
	return a
}

// seenAndLeft reports whether a pending removal may have taken a value that was seen at the front.
func (c *collected) seenAndLeft() bool {
	if len(c.pendOp) == 0 {
		return false
	}
	for _, v := range c.left {
		if c.peekFrom[v] < c.peekFrom[v+1] {
			return true
		}
	}
	return false
}

func completeQueue(ctx context.Context, c *collected) engine.Answer {
	empties, no := c.placeEmpties()
	if no != nil {
		return engine.Answer{Verdict: engine.NotLinearizable, Proof: no}
	}
	if ctx.Err() != nil {
		return engine.Stopped(ctx)
	}
	q := newQueueOrder(c)
	q.run()
	if ctx.Err() != nil {
		return engine.Stopped(ctx)
	}
	if len(q.order) < len(c.values) {
		return engine.Answer{Verdict: engine.NotLinearizable, Proof: q.circle()}
	}
	return engine.Answer{Verdict: engine.Linearizable, Witness: c.queueWitness(q.order, empties)}
}

// queueOrder finds the order of the values.
type queueOrder struct {
	*collected
	first, last []moment // by value: where its operations at the front end first and begin last
	order       []int32  // as far as it goes
	state       []uint8  // by value
	byRet       []int32  // values by insHi
	byFirst     []int32
}

const (
	enters = 1 << iota // no insertion left precedes its own
	fronts             // nothing left must be at the front before it
	gone
)

func newQueueOrder(c *collected) *queueOrder {
	q := &queueOrder{collected: c, last: c.remLo, first: c.remHi, order: make([]int32, 0, len(c.values)),
		state: make([]uint8, len(c.ins))}
	if len(c.peekOp) == 0 {
		return q
	}
	q.first = make([]moment, len(c.ins)) // last is clipped to the peeks already
	for _, v := range c.values {
		q.first[v] = c.remHi[v]
		for k := c.peekFrom[v]; k < c.peekFrom[v+1]; k++ {
			q.first[v] = min(q.first[v], c.peekHi[k])
		}
	}
	return q
}

func (q *queueOrder) run() {
	keys := q.end + 2
	q.byRet, q.byFirst = byKey(q.values, q.insHi, keys), byKey(q.values, q.first, keys)
	byCall, byLast := byKey(q.values, q.insLo, keys), byKey(q.values, q.last, keys)
	n := len(q.values)
	var ret, call, last, m1, m2 int // places in the lists
	done := 0                       // in order: how many values have been taken off the lists
	ready := func(v int32, how uint8) {
		if q.state[v] |= how; q.state[v] == enters|fronts {
			q.order = append(q.order, v)
		}
	}
	for {
		for ; ret < n && q.state[q.byRet[ret]]&gone != 0; ret++ {
		}
		for ; m1 < n && q.state[q.byFirst[m1]]&gone != 0; m1++ {
		}
		if ret == n {
			return
		}
		for m2 = max(m2, m1+1); m2 < n && q.state[q.byFirst[m2]]&gone != 0; m2++ {
		}
		for bound := q.insHi[q.byRet[ret]]; call < n && q.insLo[byCall[call]] < bound; call++ {
			ready(byCall[call], enters)
		}
		head := q.byFirst[m1]
		for bound := q.first[head]; last < n && q.last[byLast[last]] < bound; last++ {
			if v := byLast[last]; q.state[v]&fronts == 0 {
				ready(v, fronts)
			}
		}
		if q.state[head]&fronts == 0 && (m2 == n || q.last[head] < q.first[q.byFirst[m2]]) {
			ready(head, fronts)
		}
		if done == len(q.order) {
			return
		}
		for ; done < len(q.order); done++ {
			q.state[q.order[done]] |= gone
		}
	}
}

// circle refutes if no value can be next: two or three of those left must each come before the
// next.
func (q *queueOrder) circle() *proof.CollectionConflict {
	var left []int32
	for _, v := range q.values {
		if q.state[v]&gone == 0 {
			left = append(left, v)
		}
	}
	argmin := func(key []moment, but int32) int32 {
		best := int32(-1)
		for _, v := range left {
			if v != but && (best < 0 || key[v] < key[best]) {
				best = v
			}
		}
		return best
	}
	a := argmin(q.insHi, -1) // may enter, so something must be at the front before it
	u := argmin(q.first, a)
	switch {
	case q.insLo[u] >= q.insHi[a]:
		return q.overtaken(u, -1, a)
	case q.last[u] >= q.first[a]:
		return refutation(proof.Crossed, a, u)
	}
	w := argmin(q.first, u) // u may enter, too
	switch {
	case q.first[u] <= q.last[w]:
		return refutation(proof.Crossed, u, w)
	case q.first[w] <= q.last[a]:
		return q.overtaken(w, -1, a)
	}
	return q.overtaken(u, w, a)
}

// overtaken refutes because a is before v in the queue, by its insertion or through via, and v is
// at the front before a has left.
func (q *queueOrder) overtaken(v, via, a int32) *proof.CollectionConflict {
	r := refutation(proof.Overtaken, v)
	r.Via = via
	if !q.unremoved(a) || len(q.pendOp) == 0 || q.seenAndLeft() {
		r.Values = append(r.Values, a)
		return r
	}
	// More values are before v than removals were called.
	called := 0
	for called < len(q.pendLo) && q.pendLo[called] < q.first[v] {
		called++
	}
	r.Values = append(r.Values, q.left[:called+1]...)
	return r
}
