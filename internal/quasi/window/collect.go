package window

import (
	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/proof"
	"github.com/linsat/linsat/quasi"
)

// Fit says how much of a partition a Queue captures.
type Fit uint8

// The fits.
const (
	// Unsupported: the partition is not a history of one FIFO queue with distinct values, or the
	// question bounds classes other than removals.
	Unsupported Fit = iota
	// Accepts: pending operations were left out that may matter. A witness is valid, a refutation
	// is not.
	Accepts
	// Exact: the partition is quasi-linearizable exactly if the queue has slots and places.
	Exact
)

// Variable is the slot of a content, numbered as the content is, or the place of a removal: M and
// more.
type Variable int32

// Removal numbers the completed removals, in the order of their calls.
type Removal int32

// Position is a slot or place, or a distance between two.
type Position int32

// Queue is the history of one FIFO queue with distinct values, reduced to what windows need.
//
// Contents are what leaves the queue: contents 0..N-1 are the values, in the order in which their
// insertions are called (initial values first), contents N..N+E-1 are the empty results. Slots and
// places count from 1.
type Queue struct {
	Meaning quasi.Meaning
	Drain   bool
	Fit     Fit

	N, E    int // values, empty results
	R       int // completed removals
	M       int // contents, N+E; slots are 1..M
	D       int // drains
	Initial int // initial values

	// by insertion: position in the partition (-1-j for the j-th initial value) and interval
	InsOp           []history.OpID
	InsCall, InsRet []history.Rank
	RemOp           []history.OpID
	RemCall, RemRet []history.Rank // by removal
	InsByRet        []Variable     // insertions, that is values, sorted by return
	RemByRet        []Removal      // sorted by return
	Content         []Variable     // by removal: what it takes
	Taker           []Removal      // by content: the removal that takes it, or -1

	// Flaw refutes the partition under every bound: a value is removed twice or never inserted.
	Flaw *proof.Displacement
}

// Collect reads a partition as a queue and returns it with the bound of the removals. The queue is
// nil if the partition does not fit, or has no operations: its object is then not used, so none of
// its initial contents is drained.
//
// A pending insertion whose value a completed removal returned has certainly taken effect and is
// kept. Other pending insertions are left out. If nothing is drained, the result is still Exact
// (such a value would have no slot before the last removed one), else it is Accepts. Leaving out a
// pending removal makes it Accepts; a pending peek does not matter.
func Collect(b *model.Instance, relax *quasi.Question) (*Queue, int32) {
	bound, ok := Bound(b, relax)
	if !ok {
		return nil, 0
	}
	c := b.Theory.(*model.CollectionTheory)
	q := &Queue{Meaning: relax.Meaning, Drain: relax.Drain, Fit: Exact, Initial: len(c.Initial[0])}
	if !q.read(b.Partition.Ops, c) {
		return nil, 0
	}
	return q, bound
}

// Bound returns the bound of the removals. It returns false if the partition is not one of a single
// FIFO queue without explicit order, has no operations, or if other classes in use have bounds.
func Bound(b *model.Instance, relax *quasi.Question) (int32, bool) {
	c, ok := b.Theory.(*model.CollectionTheory)
	if !ok || relax == nil || c.Discipline != model.FIFO || len(c.Initial) != 1 || len(b.Partition.Ops) == 0 ||
		len(b.Partition.Edges) != 0 || b.Class == nil {
		return 0, false
	}
	return bounds(b, c, relax.Factor)
}

// bounds returns the bound of the removals if all other classes in use have bound 0.
func bounds(b *model.Instance, c *model.CollectionTheory, f quasi.Factor) (int32, bool) {
	removals, bound := model.NoClass, int32(0)
	for i, class := range b.Class {
		if c.Does[i] != model.Remove {
			continue
		}
		if class < 0 || int(class) >= len(f) || removals >= 0 && class != removals {
			return 0, false
		}
		removals, bound = class, f[class]
	}
	for i, class := range b.Class {
		if c.Does[i] == model.Remove {
			continue
		}
		if class >= 0 && (class == removals || int(class) >= len(f) || f[class] != 0) {
			return 0, false
		}
	}
	return bound, true
}

func (q *Queue) read(ops []history.Op, c *model.CollectionTheory) bool {
	values := c.Values
	for _, v := range c.Initial[0] {
		values = max(values, int(v)+1)
	}
	taker := make([]history.OpID, values) // value → removing operation plus one
	for i := range ops {
		if ops[i].Pending() {
			if c.Does[i] == model.Remove {
				q.Fit = Accepts
			}
			continue
		}
		switch v := c.Value[i]; c.Does[i] {
		case model.Peek:
			return false
		case model.Remove:
			if v == model.Anything {
				return false
			}
			q.R++
			if v == model.Nothing {
				q.E++
			} else if taker[v] != 0 {
				if q.Flaw == nil {
					q.Flaw = &proof.Displacement{Steps: []proof.DisplacementStep{{Rule: proof.RuleRemovedTwice,
						Op: history.OpID(i), By: taker[v] - 1}}}
				}
			} else {
				taker[v] = history.OpID(i) + 1
			}
		}
	}
	owner := make([]Variable, values) // value → insertion plus one
	n := len(ops) - q.R + q.Initial
	q.InsOp, q.InsCall, q.InsRet = make([]history.OpID, 0, n), make([]history.Rank, 0, n), make([]history.Rank, 0, n)
	for j, v := range c.Initial[0] {
		if owner[v] != 0 {
			return false
		}
		owner[v] = Variable(j) + 1
		call := history.Rank(2 * (j - q.Initial))
		q.InsOp, q.InsCall, q.InsRet = append(q.InsOp, history.OpID(-1-j)), append(q.InsCall, call),
			append(q.InsRet, call+1)
	}
	for i := range ops {
		if c.Does[i] != model.Insert {
			continue
		}
		v := c.Value[i]
		if v < 0 || owner[v] != 0 {
			return false
		}
		if ops[i].Pending() && taker[v] == 0 {
			if q.Drain {
				q.Fit = Accepts
			}
			owner[v] = -1 // left out, but no other insertion may have the value
			continue
		}
		q.InsOp, q.InsCall, q.InsRet = append(q.InsOp, history.OpID(i)), append(q.InsCall, ops[i].Call),
			append(q.InsRet, ops[i].Return)
		owner[v] = Variable(len(q.InsOp))
	}
	q.N = len(q.InsOp)
	q.M = q.N + q.E
	if q.Drain {
		q.D = q.N - (q.R - q.E)
	}
	q.Taker = make([]Removal, q.M)
	for x := range q.Taker {
		q.Taker[x] = -1
	}
	q.RemOp, q.RemCall, q.RemRet = make([]history.OpID, 0, q.R), make([]history.Rank, 0, q.R),
		make([]history.Rank, 0, q.R)
	q.Content = make([]Variable, 0, q.R)
	empties := Variable(q.N)
	for i := range ops {
		if c.Does[i] != model.Remove || ops[i].Pending() {
			continue
		}
		content := empties
		if v := c.Value[i]; v == model.Nothing {
			empties++
		} else if content = owner[v] - 1; content < 0 {
			if q.Flaw == nil {
				q.Flaw = &proof.Displacement{Steps: []proof.DisplacementStep{{Rule: proof.RuleNeverInserted,
					Op: history.OpID(i)}}}
			}
			content = 0
		}
		if q.Flaw == nil {
			q.Taker[content] = Removal(len(q.RemOp))
		}
		q.Content = append(q.Content, content)
		q.RemOp, q.RemCall, q.RemRet = append(q.RemOp, history.OpID(i)), append(q.RemCall, ops[i].Call),
			append(q.RemRet, ops[i].Return)
	}
	q.InsByRet, q.RemByRet = sortedBy[Variable](q.InsRet), sortedBy[Removal](q.RemRet)
	return true
}

// sortedBy returns the indices of keys in ascending order of the keys, stably. It is a radix sort,
// since ranks may be sparse in a partition and a comparison sort would cost more than the
// propagation.
func sortedBy[Index ~int32](keys []history.Rank) []Index {
	const bits = 11
	from, to := make([]Index, len(keys)), make([]Index, len(keys))
	for i := range from {
		from[i] = Index(i)
	}
	for shift := 0; shift < 32; shift += bits {
		var count [1<<bits + 1]int32
		digit := func(i Index) uint32 { return (uint32(keys[i]) ^ 1<<31) >> shift & (1<<bits - 1) }
		for i := range keys {
			count[digit(Index(i))+1]++
		}
		if len(keys) > 0 && count[digit(0)+1] == int32(len(keys)) {
			continue // all equal
		}
		for d := range 1 << bits {
			count[d+1] += count[d]
		}
		for _, i := range from {
			d := digit(i)
			to[count[d]] = i
			count[d]++
		}
		from, to = to, from
	}
	return from
}
