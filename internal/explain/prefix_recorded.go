package explain

// A prefix of a collection decided with what its open operations returned later.
//
// What: a prefix leaves open what operations that return after it find, and which of them take
// effect. That they find what was recorded, or take no effect, is a case of it, and the whole
// history shows which one is likely. So whoever linearizes that case has linearized the prefix.
//
// How: a removal returns at the end with its value, if that is put in before. It is left out
// otherwise, or if it is the operation that cannot be placed. So is what only looks. Insertions
// stay open.
//
// Why: monitors decide collections fastest where all results are known. Which values open removals
// took from a stack or a priority queue they guess, with a pass over all operations each time. Just
// before the failing return of a deque of a million operations they could not tell, and no other
// engine decided that prefix within 2 s.
//
// Invariant: the order that is found is one of the prefix. Only yes counts: what refutes the case
// says nothing about the prefix, until it is asked about one with all that is open there.

import (
	"context"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/proof"
)

// worthRecorded reports whether asRecorded is for this partition: a deque, or a collection into
// which no value is put twice. Where values repeat, a case is as hard as the prefix.
func worthRecorded(b *model.Instance) bool {
	p := b.Partition
	if len(p.Ops) < recordedFrom || len(p.Edges)+len(p.Demands) > 0 {
		return false
	}
	t, ok := b.Theory.(*model.CollectionTheory)
	if !ok {
		return b.Ends != nil
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
func (l *locating) asRecorded(ctx context.Context, b *model.Instance, cut history.Rank, failing history.OpID) (order []history.OpID, earlier int) {
	t := b.Taken()
	positions := keptAsRecorded(b.Partition, t, cut, failing)
	bound, err := engine.Bind(l.spec, recorded(b.Partition, t, positions, cut))
	if err != nil {
		return nil, -1
	}
	v, err := l.Decide(ctx, &engine.Task{Instance: bound}, l.budget.Share(0))
	switch {
	case err != nil || v.Verdict == engine.Unknown:
		return nil, -1
	case v.Verdict == engine.NotLinearizable:
		return nil, l.earlier(ctx, b, bound, positions, v.Proof)
	}
	order = make([]history.OpID, len(v.Witness))
	for k, i := range v.Witness {
		order[k] = positions[i]
	}
	return order, -1
}

// keptAsRecorded lists the operations of the case: all but those open ones that are left out.
func keptAsRecorded(p *model.Partition, t *model.CollectionTheory, cut history.Rank, failing history.OpID) []history.OpID {
	ops := p.Ops[:p.Called(cut)]
	put := putIn(t, ops, cut)
	positions := make([]history.OpID, 0, len(ops))
	for k := range ops {
		i := history.OpID(k)
		takes := t.Does[i] == model.Remove && i != failing && !ops[k].Pending() && put[t.Value[i]]
		if ops[k].Return <= cut || t.Does[i] == model.Insert || takes {
			positions = append(positions, i)
		}
	}
	return positions
}

// putIn returns which of the values that are removed after the cut are put in before.
func putIn(t *model.CollectionTheory, ops []history.Op, cut history.Rank) map[int32]bool {
	put, most := map[int32]bool{}, int32(-1)
	for i := range ops {
		if v := t.Value[i]; ops[i].Return > cut && t.Does[i] == model.Remove && v >= 0 {
			put[v], most = false, max(most, v)
		}
	}
	wanted := make([]bool, most+1)
	for v := range put {
		wanted[v] = true
	}
	for i, v := range t.Value[:len(ops)] {
		if t.Does[i] == model.Insert && v >= 0 && v <= most && wanted[v] {
			put[v] = true
		}
	}
	for _, held := range t.Initial {
		for _, v := range held {
			if v <= most && wanted[v] {
				put[v] = true
			}
		}
	}
	return put
}

// recorded is the case, made of these operations.
func recorded(p *model.Partition, t *model.CollectionTheory, positions []history.OpID, cut history.Rank) *model.Partition {
	q := p.Select(positions, p.Name)
	end := cut
	for k := range q.Ops {
		switch o := &q.Ops[k]; {
		case o.Return <= cut:
		case t.Does[positions[k]] == model.Insert:
			o.Return, o.Result, o.Unknown = history.Never, history.Nil, true
		default:
			end++
			o.Return = end
		}
	}
	return q
}

// earlier returns the index in returns of a prefix that the refutation of a case certainly refutes,
// or -1.
func (l *locating) earlier(ctx context.Context, b, bound *model.Instance, positions []history.OpID, evidence proof.Proof) int {
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
