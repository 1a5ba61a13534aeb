package wgl

// What: the phases for collections whose values repeat, and for deques. Queues (fifo.go) and stacks
// (lifo.go) are decided exactly. Stacks and deques are first tried by one linearization and its
// repairs (repair_search.go), which finds or does not decide. None of these searches keeps contents
// as states, so it does not matter how much is in the collection.
//
// A deque has no exact phase of its own: one or two of its values may refute it (small_models.go),
// and repairs may find a linearization. For long deques both come first, because plain search keeps
// all contents that it meets.
//
// Source: see the files of the searches.
//
// Cost: the steps of these searches count for little, since they take no step of a machine:
// stepsEach of them for one of the limit.

import (
	"math"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/model"
)

// collectionSearch is a search on one collection.
type collectionSearch interface {
	search() outcome
	linearization() []int32
}

// decideCollection is the phase of one queue or stack. It does not decide other partitions.
func (r *run) decideCollection() (d decision) {
	d.outcome = undecided
	t, ok := r.Instance.Theory.(*model.CollectionTheory)
	if !ok || len(t.Initial) != 1 || len(r.Instance.Partition.Edges) > 0 {
		return d
	}
	switch t.Discipline {
	case model.FIFO:
		r.runWithin(&d, func(b *engine.Account) collectionSearch { return orNil(newFIFO(r.Instance, t, b)) })
	case model.LIFO:
		r.runWithin(&d, func(b *engine.Account) collectionSearch { return orNil(newStackRepair(r.Instance, t, b)) })
		if d.outcome == undecided {
			r.runWithin(&d, func(b *engine.Account) collectionSearch { return orNil(newLIFO(r.Instance, t, b)) })
		}
	}
	return d
}

// decideDeque is the phase of one deque. It does not decide other partitions.
func (r *run) decideDeque() (d decision) {
	d.outcome = undecided
	if ops, initial, ok := dequeOps(r.Instance); ok {
		r.runWithin(&d, func(b *engine.Account) collectionSearch { return orNil(newSmallModels(ops, initial, b)) })
		if d.outcome != undecided {
			return d
		}
		r.runWithin(&d, func(b *engine.Account) collectionSearch { return orNil(newRepair(ops, initial, dequeRetries, b)) })
	}
	return d
}

// orNil returns s as an interface, nil if s is nil.
func orNil[S any, P interface {
	*S
	collectionSearch
}](s P) collectionSearch {
	if s == nil {
		return nil
	}
	return s
}

// runWithin runs a search within what is left of the run's limits.
func (r *run) runWithin(d *decision, begin func(b *engine.Account) collectionSearch) {
	limit := r.Limit - r.Steps - d.steps
	if limit < math.MaxInt64/stepsEach {
		limit *= stepsEach
	}
	b := engine.Account{Ctx: r.Ctx, Budget: r.Budget, Limit: limit, Uncounted: r.Uncounted, MostBytes: r.MostBytes}
	s := begin(&b)
	if s == nil {
		return
	}
	if d.outcome = s.search(); d.outcome == found {
		d.witness = s.linearization()
	}
	if d.outcome == gaveUp {
		r.Stop(b.Cause)
	}
	b.Close()
	d.steps += b.Steps
}

// newStackRepair returns the search by repairs on a stack, whose operations are all at end 0; nil
// if it is too concurrent.
func newStackRepair(b *model.Instance, t *model.CollectionTheory, budget *engine.Account) *repair {
	ops := make([]laneOp, len(b.Partition.Ops))
	for i := range b.Partition.Ops {
		o := &b.Partition.Ops[i]
		ops[i] = laneOp{op: int32(i), call: o.Call, ret: o.Return, does: t.Does[i], value: t.Value[i]}
	}
	return newRepair(ops, t.Initial[0], stackRetries, budget)
}

// dequeClasses lists what the classes of a deque's operations do, and at which end.
var dequeClasses = map[string]laneOp{
	"insertions-front": {does: model.Insert, end: 0}, "insertions-back": {does: model.Insert, end: 1},
	"removals-front": {does: model.Remove, end: 0}, "removals-back": {does: model.Remove, end: 1},
	"peeks-front": {does: model.Peek, end: 0}, "peeks-back": {does: model.Peek, end: 1},
}

// dequeOps lists the operations of one deque and the initial values, from the front.
func dequeOps(b *model.Instance) (ops []laneOp, initial []int32, ok bool) {
	if b.Spec == nil {
		return nil, nil, false
	}
	info := b.Spec.Info()
	if info.Name != "deque" || len(b.Partition.Edges) > 0 {
		return nil, nil, false
	}
	ops = make([]laneOp, len(b.Partition.Ops))
	for i := range b.Partition.Ops {
		o := &b.Partition.Ops[i]
		if b.Class[i] < 0 || o.Key != b.Partition.Ops[0].Key {
			return nil, nil, false
		}
		x, known := dequeClasses[info.Classes[b.Class[i]].Name]
		if !known {
			return nil, nil, false
		}
		x.op, x.call, x.ret = int32(i), o.Call, o.Return
		switch {
		case x.does == model.Insert:
			x.value = int32(o.Arg)
		case o.Unknown:
			x.value = model.Anything
		case o.Result == history.Nil:
			x.value = model.Nothing
		default:
			x.value = int32(o.Result)
		}
		ops[i] = x
	}
	if b.Partition.HasInitial {
		list, _ := b.Partition.History.Values.AsList(b.Partition.Initial)
		for _, v := range list {
			initial = append(initial, int32(v))
		}
	}
	return ops, initial, true
}
