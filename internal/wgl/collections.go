package wgl

// What: the phases for collections whose values repeat, and for deques. Queues (fifo.go) and stacks
// (lifo_layers.go, lifo.go) are decided exactly. Stacks and deques are tried by one linearization
// and its repairs (repair_search.go). Where these stop, a part of a stack is searched exactly
// (window_search.go), which decides unless it reaches a limit. A deque is searched exactly as a
// whole (deque_paths.go), and where too much is open for that, a part of it with its contents
// (deque_window_search.go), which finds a linearization or does not decide. Only the latter keeps
// contents as states, of a part, so the size of the collection does not matter.
//
// For long deques all this comes first, because plain search keeps all contents that it reaches.
//
// Source: see the files of the searches.
//
// Cost: the steps of these searches are cheap, since they take no step of a machine: stepsEach of
// them count as one of the limit.

import (
	"math"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/model"
)

// collectionSearch is a search on one collection.
type collectionSearch interface {
	search() outcome
	linearization() []history.OpID
}

// decideFIFO is the phase of one queue.
func (r *run) decideFIFO() (d decision) {
	d.outcome = undecided
	r.runWithin(&d, func(b *engine.Account) collectionSearch {
		return orNil(newFIFO(r.Instance, r.Instance.Theory.(*model.CollectionTheory), b))
	})
	return d
}

// decideByWindows is the phase of one stack.
func (r *run) decideByWindows() (d decision) {
	d.outcome = undecided
	t := r.Instance.Theory.(*model.CollectionTheory)
	var s *windowSearch
	r.runWithin(&d, func(b *engine.Account) collectionSearch {
		s = newWindowSearch(r.Instance, t, b)
		return orNil(s)
	})
	if d.outcome == failed {
		d.evidence, d.reached = s.evidence(t), s.reached
	}
	return d
}

// decideDeque is the phase of one deque. It does not decide other partitions.
func (r *run) decideDeque() (d decision) {
	d.outcome = undecided
	ops, initial, ok := dequeOps(r.Instance)
	if !ok {
		return d
	}
	var s *dequeSearch
	r.runWithin(&d, func(b *engine.Account) collectionSearch {
		s = newDequeSearch(ops, initial, b)
		return orNil(s)
	})
	if d.outcome == failed {
		d.reached = s.reached()
	}
	return d
}

// orNil returns s as an interface, or nil if s is nil.
func orNil[S any, P interface {
	*S
	collectionSearch
}](s P) collectionSearch {
	if s == nil {
		return nil
	}
	return s
}

// runWithin runs a search within the limits that the run has left.
func (r *run) runWithin(d *decision, begin func(b *engine.Account) collectionSearch) {
	limit := r.Limit - r.Steps - r.aside - d.steps
	if limit < math.MaxInt64/stepsEach {
		limit *= stepsEach
	}
	b := engine.Account{Ctx: r.Ctx, Budget: r.Budget, Limit: limit, Uncounted: r.Uncounted, MostBytes: r.MostBytes}
	if n := r.Budget.SoftBytes(); n > 0 {
		b.MostBytes = n
	}
	s := begin(&b)
	if s == nil {
		return
	}
	if d.outcome = s.search(); d.outcome == found {
		d.witness = s.linearization()
	}
	switch {
	case d.outcome == gaveUp && b.Cause == engine.Memory && r.evicts():
		d.outcome = undecided // this search cannot forget, but the depth-first search can
	case d.outcome == gaveUp:
		r.Stop(b.Cause)
	}
	b.Close()
	d.steps += b.Steps
}

// stackOps lists the operations of one stack, without pending peeks.
func stackOps(b *model.Instance, t *model.CollectionTheory) []laneOp {
	ops := make([]laneOp, 0, len(b.Partition.Ops))
	for i := range b.Partition.Ops {
		if o := &b.Partition.Ops[i]; t.Does[i] != model.Peek || !o.Pending() {
			ops = append(ops, laneOp{op: history.OpID(i), call: o.Call, ret: o.Return, does: t.Does[i], value: t.Value[i]})
		}
	}
	return ops
}

// dequeOps lists the operations of one deque, and the initial values from the front.
func dequeOps(b *model.Instance) (ops []laneOp, initial []int32, ok bool) {
	if b.Ends == nil || len(b.Partition.Edges) > 0 {
		return nil, nil, false
	}
	ops = make([]laneOp, len(b.Partition.Ops))
	for i := range ops {
		o := &b.Partition.Ops[i]
		ops[i] = laneOp{op: history.OpID(i), call: o.Call, ret: o.Return, does: b.Ends.Does[i], value: b.Values[i]}
		if b.Ends.Back[i] {
			ops[i].end = 1
		}
	}
	return ops, b.Held, true
}
