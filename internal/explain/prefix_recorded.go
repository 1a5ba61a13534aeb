package explain

// A prefix of a collection decided with what its open operations returned later.
//
// What: a prefix leaves open what operations that return after it find, and which of them take
// effect. That they find what was recorded, or take no effect, is a case of it, and the whole
// history shows which one is likely. So whoever linearizes that case has linearized the prefix.
//
// How: at first no open removal takes effect. As long as the case is refuted, those that are named,
// and took effect, do not; and values that are named, and left over, are taken by the removals that
// returned them later, at the end. If those are called after the cut, the operation that cannot be
// placed takes one: its own result is wrong. What only looks is left out. Insertions stay open.
//
// Why: monitors decide collections fastest where all results are known. Which values open removals
// took from a stack or a priority queue they guess, with a pass over all operations each time. Just
// before the failing return of a deque of a million operations they could not tell, and no other
// engine decided that prefix within 2 s.
//
// Invariant: an order that is found is one of the prefix, whatever its open removals take. Only yes
// counts: what refutes a case says nothing about the prefix, until it is asked about one with all
// that is open there.
//
// Cost: a decision for each case, up to recordedTries.

import (
	"context"
	"math"
	"slices"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/proof"
)

// worthRecorded reports whether asRecorded is for this partition: a deque, or a stack or priority
// queue into which no value is put twice. Where values repeat, a case is as hard as the prefix; and
// of queues prefixes are decided as fast.
func worthRecorded(b *model.Instance) bool {
	p := b.Partition
	if len(p.Ops) < recordedFrom || len(p.Edges)+len(p.Demands) > 0 {
		return false
	}
	t, ok := b.Theory.(*model.CollectionTheory)
	if !ok || t.Discipline != model.LIFO && t.Discipline != model.ByPriority {
		return model.As[*model.DequeTheory](b) != nil
	}
	put := make([]bool, t.Values)
	for i, v := range t.Value {
		if t.Does[i] != model.Insert || v < 0 {
			continue
		}
		if put[v] {
			return false
		}
		put[v] = true
	}
	return true
}

// asRecorded tries to linearize the prefix at a cut just before operation failing returns; it
// returns no order if it does not. b is the whole partition. What refutes the case may refute a
// prefix as well: then earlier is the index in returns at which it does so certainly, else -1.
func (l *locating) asRecorded(ctx context.Context, b *model.Instance, cut history.Rank,
	failing history.OpID) (order []history.OpID, earlier int) {
	c := newRecordedCase(b, cut, failing)
	for tries := 1; ; tries++ {
		positions := c.kept()
		bound, err := engine.Bind(l.spec, c.partition(positions))
		if err != nil {
			return nil, -1
		}
		v, err := l.Decide(ctx, &engine.Task{Instance: bound}, l.budget.Share(0))
		switch {
		case err != nil || v.Verdict == engine.Unknown:
			return nil, -1
		case v.Verdict == engine.Linearizable:
			order = make([]history.OpID, len(v.Witness))
			for k, i := range v.Witness {
				order[k] = positions[i]
			}
			return order, -1
		}
		if v.Proof == nil || tries == recordedTries || !c.another(positions, namedBy(v.Proof, bound)) {
			return nil, l.earlier(ctx, b, bound, positions, v.Proof)
		}
	}
}

// recordedCase is a case of a prefix.
type recordedCase struct {
	p       *model.Partition // the whole
	t       *model.CollectionTheory
	cut     history.Rank
	failing history.OpID
	ops     []history.Op // called by the cut
	// what those removals return that are open at the cut and take effect
	takes map[history.OpID]history.Value
	tried map[history.OpID]bool // they did in a case before this
}

func newRecordedCase(b *model.Instance, cut history.Rank, failing history.OpID) *recordedCase {
	p := b.Partition
	c := &recordedCase{p: p, t: b.Taken(), cut: cut, failing: failing, ops: p.Ops[:p.Called(cut)],
		takes: map[history.OpID]history.Value{}, tried: map[history.OpID]bool{}}
	if c.t.Discipline == model.ByPriority {
		c.takeSome(c.outranking())
	}
	return c
}

// outranking lists the values left over in a priority queue that have left before the cut in every
// linearization: a completed removal, called when they were inside, took one that leaves later.
func (c *recordedCase) outranking() (values []int32) {
	t := c.t
	gone := make([]bool, t.Values)
	last := make([]int64, len(c.ops)+1) // the greatest rank taken by those called from each on
	last[len(c.ops)] = math.MinInt64
	for k := len(c.ops) - 1; k >= 0; k-- {
		last[k] = last[k+1]
		if v := t.Value[k]; t.Does[k] == model.Remove && v >= 0 && c.ops[k].Return <= c.cut {
			gone[v], last[k] = true, max(last[k], t.Rank[v])
		}
	}
	for k := range c.ops {
		if v := t.Value[k]; t.Does[k] == model.Insert && v >= 0 && !gone[v] && c.ops[k].Return <= c.cut &&
			t.Rank[v] < last[c.p.Called(c.ops[k].Return)] {
			values = append(values, v)
		}
	}
	return values
}

// kept lists the operations of the case.
func (c *recordedCase) kept() []history.OpID {
	positions := make([]history.OpID, 0, len(c.ops))
	for k := range c.ops {
		i := history.OpID(k)
		if c.ops[k].Return > c.cut && c.t.Does[i] != model.Insert {
			if _, takes := c.takes[i]; !takes {
				continue
			}
		}
		positions = append(positions, i)
	}
	return positions
}

// partition is the case, made of these operations.
func (c *recordedCase) partition(positions []history.OpID) *model.Partition {
	q := c.p.Select(positions, c.p.Name)
	end := c.cut
	for k := range q.Ops {
		o := &q.Ops[k]
		if o.Return <= c.cut {
			continue
		}
		if result, takes := c.takes[positions[k]]; takes {
			end++
			o.Return, o.Result, o.Unknown = end, result, false
		} else {
			o.Return, o.Result, o.Unknown = history.Never, history.Nil, true
		}
	}
	return q
}

// another changes the case, of these operations, after some of them refuted it; false if it cannot.
// Removals among them have not taken effect. A value among them that nothing takes was taken.
func (c *recordedCase) another(positions, named []history.OpID) (changed bool) {
	var values []int32 // put in by the named ones
	for _, k := range named {
		if k < 0 || int(k) >= len(positions) {
			continue
		}
		i := positions[k]
		if _, takes := c.takes[i]; takes {
			delete(c.takes, i)
			changed = true
		}
		if c.t.Does[i] == model.Insert {
			values = append(values, c.t.Value[i])
		}
	}
	return c.takeSome(values) || changed
}

// takeSome lets these values, as far as they are left over, be taken by the operations that were
// recorded to, or else one of them by the operation that cannot be placed. It returns false if that
// changes nothing.
func (c *recordedCase) takeSome(values []int32) (changed bool) {
	for k := range c.ops {
		i := history.OpID(k)
		if c.ops[k].Return > c.cut && i != c.failing && !c.tried[i] && c.taken(i, values) {
			c.take(i, i)
			changed = true
		}
	}
	if changed || c.tried[c.failing] || int(c.failing) >= len(c.ops) || c.t.Does[c.failing] != model.Remove {
		return changed
	}
	last := proof.NoOp // it takes what was put in last
	for k := len(c.ops); k < c.p.Len(); k++ {
		i := history.OpID(k)
		if c.taken(i, values) && (last < 0 || c.t.Value[i] > c.t.Value[last]) {
			last = i
		}
	}
	if last >= 0 {
		c.take(c.failing, last)
	}
	return last >= 0
}

// taken reports whether i was recorded to take one of these values.
func (c *recordedCase) taken(i history.OpID, values []int32) bool {
	return c.t.Does[i] == model.Remove && !c.p.Ops[i].Pending() && slices.Contains(values, c.t.Value[i])
}

// take lets i take effect, and return what was recorded of another operation.
func (c *recordedCase) take(i, recorded history.OpID) {
	c.takes[i], c.tried[i] = c.p.Ops[recorded].Result, true
}

// earlier returns the index in returns of a prefix that the refutation of a case certainly refutes,
// or -1.
func (l *locating) earlier(ctx context.Context, b, bound *model.Instance, positions []history.OpID,
	evidence proof.Proof) int {
	e, ok := evidence.(*proof.Exhaustion)
	if !ok {
		return -1
	}
	named := retained(e.Weakening)
	cut := l.alone(ctx, bound, named)
	if cut < 0 {
		return -1
	}
	for k, i := range named {
		named[k] = positions[i]
	}
	if !l.sure(ctx, b, named, cut) {
		return -1
	}
	return l.place(cut)
}
