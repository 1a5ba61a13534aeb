package monitor

// The history of one collection, prepared for the monitors of queues, stacks and priority queues.
//
// What: operations assigned to their values, moments, and contradictions between two operations of
// one value.
//
// Moments: only the gaps between a call and a return that follows it directly matter. Passing a
// call, more operations are open, and no further value is certainly inside. Passing a return
// backwards, the same holds. So no other gap is better for any operation than one of these. An
// operation is open in the moments [lo, hi), never none, and a precedes b iff hi(a) ≤ lo(b). There
// are about half as many moments as operations.
//
// After all moments there is one more, end: operations that never return are open until then, and
// values that are never removed are removed there. Before all moments every initial value has a
// moment in which it is inserted.
//
// Clipping: an operation on a value happens after its insertion begins and before its removal ends,
// and so on; lo and hi of operations on a value are cut to that. A value is then certainly inside
// in [insHi, remLo), or else all its operations share the moments [remLo, insHi).
//
// Cost: O(n), besides sorting the returns of a partition whose ranks are sparse.

import (
	"slices"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/proof"
)

// moment numbers the moments of a history.
type moment int32

// absent stands for a missing operation: the value is not inserted, or not removed.
const absent history.OpID = -1 << 31

// Reasons where a value is in the collection more than once.
const (
	twiceAtStart  = "a value is there twice at the start"
	twiceInserted = "a value is inserted twice"
)

// collected is a history of one collection. Values are numbered as in the theory.
type collected struct {
	theory *model.CollectionTheory
	values []int32 // those that were certainly inserted, in the order of their first operation

	// by value: operation; ins -1-j: the j-th initial value; rem absent: never removed
	ins, rem                   []history.OpID
	insLo, insHi, remLo, remHi []moment // by value, clipped
	// peeks of value v are peekFrom[v]:peekFrom[v+1], by lo
	peekFrom       []int32
	peekOp         []history.OpID
	peekLo, peekHi []moment

	emptyOp          []history.OpID
	emptyLo, emptyHi []moment // removals and peeks that found nothing, by lo
	pendOp           []history.OpID
	pendLo           []moment // pending removals, by lo
	left             []int32  // values never removed by a completed operation, by insHi
	end              moment
}

// collect reads a partition of which a theory holds. A flaw refutes it; a reason says why it is not
// one collection with distinct values.
func collect(b *model.Instance, t *model.CollectionTheory) (c *collected, flaw *proof.CollectionConflict,
	reason string) {
	switch {
	case len(t.Initial) != 1:
		return nil, nil, "several objects"
	case len(b.Partition.Edges) > 0:
		return nil, nil, "explicit order"
	}
	c = &collected{theory: t}
	if flaw, reason = c.read(b.Partition.Ops); flaw != nil || reason != "" {
		return nil, flaw, reason
	}
	return c, c.clip(), ""
}

// read assigns operations to their values.
func (c *collected) read(ops []history.Op) (flaw *proof.CollectionConflict, reason string) {
	t := c.theory
	c.ins, c.rem, c.peekFrom = make([]history.OpID, t.Values), make([]history.OpID, t.Values), make([]int32, t.Values+1)
	for v := range c.ins {
		c.ins[v], c.rem[v] = absent, absent
	}
	start := t.Initial[0]
	for k, v := range start {
		if t.Discipline == model.LIFO {
			v = start[len(start)-1-k] // the last to leave was pushed first
		}
		if c.ins[v] != absent {
			return nil, twiceAtStart
		}
		c.ins[v] = history.OpID(-1 - k)
	}
	peeks := 0
	// Whether an operation inserts or removes is as good as random, so that is no branch.
	ends := [...][]history.OpID{model.Insert: c.ins, model.Remove: c.rem}
	for i := range ops {
		v, does := t.Value[i], t.Does[i]
		if v >= 0 && does <= model.Remove {
			end := ends[does]
			if end[v] != absent {
				if does == model.Insert {
					return nil, twiceInserted
				}
				if flaw == nil {
					flaw = refutation(proof.RemovedTwice, v)
					flaw.Op, flaw.Other = history.OpID(i), end[v]
				}
			}
			end[v] = history.OpID(i)
			continue
		}
		switch {
		case does == model.Aside:
		case v >= 0: // a peek
			c.peekFrom[v+1]++
			peeks++
		case v == model.Nothing:
			c.emptyOp = append(c.emptyOp, history.OpID(i))
		case !ops[i].Pending():
			return nil, "a result is unknown"
		case does == model.Remove:
			c.pendOp = append(c.pendOp, history.OpID(i))
		}
	}
	if flaw != nil {
		return flaw, ""
	}
	lo, hi := c.moments(ops)
	offset := moment(len(start))
	c.insLo, c.insHi, c.remLo, c.remHi = make([]moment, t.Values), make([]moment, t.Values), make([]moment, t.Values),
		make([]moment, t.Values)
	c.values = make([]int32, 0, t.Values)
	for v := range int32(t.Values) {
		i, r, seen := c.ins[v], c.rem[v], c.peekFrom[v+1] > 0
		c.peekFrom[v+1] += c.peekFrom[v]
		switch {
		case i == absent && (r != absent || seen):
			flaw = refutation(proof.NeverInserted, v)
			flaw.Op = firstOf(t, ops, v)
			return flaw, ""
		case i == absent, i >= 0 && r == absent && !seen && ops[i].Pending():
			continue // a pending insertion whose value was never seen need not have happened
		case i < 0:
			c.insLo[v], c.insHi[v] = moment(-1-i), moment(-i)
		default:
			c.insLo[v], c.insHi[v] = lo[i]+offset, hi[i]
		}
		if i >= 0 && !ops[i].Pending() {
			c.insHi[v] += offset
		} else if i >= 0 {
			c.insHi[v] = c.end + 1
		}
		if r == absent {
			c.left = append(c.left, v)
			c.remLo[v], c.remHi[v] = c.end, c.end+1
		} else {
			c.remLo[v], c.remHi[v] = lo[r]+offset, hi[r]+offset
		}
		c.values = append(c.values, v)
	}
	if peeks > 0 {
		c.peekOp, c.peekLo, c.peekHi = make([]history.OpID, peeks), make([]moment, peeks), make([]moment, peeks)
		next := slices.Clone(c.peekFrom)
		for i := range ops {
			if v := t.Value[i]; t.Does[i] == model.Peek && v >= 0 {
				k := next[v]
				next[v]++
				c.peekOp[k], c.peekLo[k], c.peekHi[k] = history.OpID(i), lo[i]+offset, hi[i]+offset
			}
		}
	}
	for _, i := range c.emptyOp {
		c.emptyLo, c.emptyHi = append(c.emptyLo, lo[i]+offset), append(c.emptyHi, hi[i]+offset)
	}
	for _, i := range c.pendOp {
		c.pendLo = append(c.pendLo, lo[i]+offset)
	}
	return nil, ""
}

// firstOf finds the first completed operation that removes or sees v.
func firstOf(t *model.CollectionTheory, ops []history.Op, v int32) history.OpID {
	for i := range ops {
		if t.Value[i] == v && t.Does[i] != model.Insert {
			return history.OpID(i)
		}
	}
	return -1
}

// moments numbers the gaps between a call and a return. It returns the moments in which each
// operation is open, apart from initial values: from lo on, and before hi if it returns. It sets
// end.
func (c *collected) moments(ops []history.Op) (lo, hi []moment) {
	n := len(ops)
	lo, hi = make([]moment, n), make([]moment, n)
	c.end = moment(len(c.theory.Initial[0]))
	if n == 0 {
		return lo, hi
	}
	first, last := ops[0].Call, ops[n-1].Call
	for i := range ops {
		if !ops[i].Pending() {
			last = max(last, ops[i].Return)
		}
	}
	if int64(last)-int64(first) > sparseEach*int64(n)+sparseFrom {
		c.end += sparseMoments(ops, lo, hi)
		return lo, hi
	}
	const call, ret = 1, 2
	at := make([]moment, last-first+1)
	for i := range ops {
		at[ops[i].Call-first] = call
		if !ops[i].Pending() {
			at[ops[i].Return-first] = ret
		}
	}
	now, open := moment(0), false // open: the last event was a call
	for r, event := range at {
		switch event {
		case call:
			open = true
		case ret:
			if open {
				now, open = now+1, false
			}
		}
		at[r] = now
	}
	for i := range ops {
		lo[i] = at[ops[i].Call-first]
		if !ops[i].Pending() {
			hi[i] = at[ops[i].Return-first]
		}
	}
	c.end += now
	return lo, hi
}

// sparseMoments does the same where there are far more ranks than operations, and returns how many
// moments there are.
func sparseMoments(ops []history.Op, lo, hi []moment) moment {
	returns := make([]int64, 0, len(ops)) // rank and operation
	for i := range ops {
		if !ops[i].Pending() {
			returns = append(returns, int64(ops[i].Return)<<32|int64(i))
		}
	}
	slices.Sort(returns)
	now, open, next := moment(0), false, 0
	for _, r := range returns {
		for next < len(ops) && ops[next].Call < history.Rank(r>>32) {
			lo[next] = now
			open = true
			next++
		}
		if open {
			now, open = now+1, false
		}
		hi[history.OpID(r)] = now
	}
	for ; next < len(ops); next++ {
		lo[next] = now
	}
	return now
}

// clip restricts the operations of each value to the moments that its other operations leave, and
// sorts left.
func (c *collected) clip() *proof.CollectionConflict {
	for _, v := range c.values {
		if c.remHi[v] <= c.insLo[v] {
			return disordered(v, c.rem[v], c.ins[v])
		}
		insLo, remHi := c.insLo[v], c.remHi[v]
		insHi, remLo := min(c.insHi[v], remHi), max(c.remLo[v], insLo)
		for k := c.peekFrom[v]; k < c.peekFrom[v+1]; k++ {
			switch {
			case c.peekHi[k] <= insLo:
				return disordered(v, c.peekOp[k], c.ins[v])
			case remHi <= c.peekLo[k]:
				return disordered(v, c.rem[v], c.peekOp[k])
			}
			c.peekLo[k], c.peekHi[k] = max(c.peekLo[k], insLo), min(c.peekHi[k], remHi)
			insHi, remLo = min(insHi, c.peekHi[k]), max(remLo, c.peekLo[k])
		}
		c.insHi[v], c.remLo[v] = insHi, remLo
	}
	c.left = byKey(c.left, c.insHi, c.end+1)
	return nil
}

// assign lets pending removal p take value v, one of left; p < 0: no removal takes it.
func (c *collected) assign(v int32, p int) {
	if p < 0 {
		c.rem[v], c.remLo[v], c.remHi[v] = absent, c.end, c.end+1
		return
	}
	c.pin(v)
	c.rem[v], c.remLo[v] = c.pendOp[p], max(c.pendLo[p], c.remLo[v])
}

// pin lets v, one of left, be inside only as long as its insertion and peeks require.
func (c *collected) pin(v int32) {
	lo := c.insLo[v]
	for k := c.peekFrom[v]; k < c.peekFrom[v+1]; k++ {
		lo = max(lo, c.peekLo[k])
	}
	c.rem[v], c.remLo[v], c.remHi[v] = absent, lo, c.end+1
}

// release leaves the remaining values untaken.
func (c *collected) release() {
	for _, v := range c.left {
		c.assign(v, -1)
	}
}

// match lets the i-th pending removal take the i-th value of left, while there are both.
func (c *collected) match() {
	for k, v := range c.left {
		if k < len(c.pendOp) {
			c.assign(v, k)
		} else {
			c.assign(v, -1)
		}
	}
}

// inside reports whether v is certainly in the collection at some moment.
func (c *collected) inside(v int32) bool { return c.insHi[v] < c.remLo[v] }

func refutation(rule proof.CollectionRule, values ...int32) *proof.CollectionConflict {
	return &proof.CollectionConflict{Rule: rule, Op: -1, Other: -1, Via: -1, Values: values}
}

func disordered(v int32, op, other history.OpID) *proof.CollectionConflict {
	r := refutation(proof.Disordered, v)
	r.Op, r.Other = op, other
	return r
}

// byKey returns the items sorted by key, stable; keys are 0..keys-1 and indexed by item. Not
// inlined: it has many callers.
//
//go:noinline
func byKey[Item, Key ~int32](items []Item, key []Key, keys Key) []Item {
	from := make([]int32, keys+1)
	for _, v := range items {
		from[key[v]+1]++
	}
	for k := Key(1); k < keys; k++ {
		from[k] += from[k-1]
	}
	out := make([]Item, len(items))
	for _, v := range items {
		k := key[v]
		out[from[k]] = v
		from[k]++
	}
	return out
}
