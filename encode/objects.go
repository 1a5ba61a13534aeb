package encode

// Several objects (registers, collections or counters) are decided one by one.
//
// What: a partition with several objects and no explicit edges is linearizable iff every object is
// by itself. (Herlihy & Wing, TOPLAS 1990, section 3.2, locality.) So operations of different
// objects, many of which are concurrent, need no order literals. The orders are merged by moments:
// in the order of its object, an operation may take effect at the latest call among those up to it,
// which lies within its interval; all operations are sorted by that.
//
// Explicit edges tie objects together; such partitions are encoded as a whole.

import (
	"context"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/model"
)

// objects returns the positions of the operations on each object, or nil if the partition is
// encoded as a whole.
func objects(b *model.Instance) [][]history.OpID {
	var of []model.CellID
	n := 0
	switch t := b.Axiomatic().(type) {
	case *model.RegisterTheory:
		of, n = t.Object, len(t.Init)
	case *model.CollectionTheory:
		of, n = t.Object, len(t.Initial)
	case *model.CountingTheory:
		of, n = t.Object, len(t.Init)
	}
	if n < 2 || len(b.Partition.Edges) > 0 {
		return nil
	}
	count := make([]int, n)
	for _, k := range of {
		count[k]++
	}
	all := make([][]history.OpID, n)
	for k := range all {
		all[k] = make([]history.OpID, 0, count[k])
	}
	for i, k := range of {
		all[k] = append(all[k], history.OpID(i))
	}
	return slices.DeleteFunc(all, func(positions []history.OpID) bool { return len(positions) == 0 })
}

// pick returns the elements at some positions.
func pick[T any, I ~int32](all []T, positions []I) []T {
	if all == nil {
		return nil
	}
	some := make([]T, len(positions))
	for k, i := range positions {
		some[k] = all[i]
	}
	return some
}

// alone returns the question about the operations at the positions, all of one object.
func alone(b *model.Instance, positions []history.OpID) *model.Instance {
	own := &model.Instance{Spec: b.Spec, Partition: b.Partition.Select(positions, b.Partition.Name),
		EquivID: pick(b.EquivID, positions)}
	zero := make([]model.CellID, len(positions))
	switch t := b.Axiomatic().(type) {
	case *model.RegisterTheory:
		s := &model.RegisterTheory{Object: zero, Init: pick(t.Init, t.Object[positions[0]:][:1]), Values: t.Values,
			First: []int32{0}}
		for _, i := range positions {
			s.Modes = append(s.Modes, t.Of(i)...)
			s.First = append(s.First, int32(len(s.Modes)))
		}
		own.Theory = s
	case *model.CollectionTheory:
		own.Theory = &model.CollectionTheory{Discipline: t.Discipline, Object: zero, Does: pick(t.Does, positions),
			Value: pick(t.Value, positions),
			Rank:  t.Rank, Initial: pick(t.Initial, t.Object[positions[0]:][:1]), Values: t.Values}
	case *model.CountingTheory:
		own.Theory = &model.CountingTheory{Object: zero, Delta: pick(t.Delta, positions),
			Observes: pick(t.Observes, positions),
			Observed: pick(t.Observed, positions), Init: pick(t.Init, t.Object[positions[0]:][:1])}
	}
	return own
}

// oneByOne decides the objects, several at a time.
func (e *sat) oneByOne(ctx context.Context, b *model.Instance, objects [][]history.OpID,
	m *engine.Budget) (engine.Answer, error) {
	answers, errs := make([]engine.Answer, len(objects)), make([]error, len(objects))
	var next atomic.Int32
	var over atomic.Bool // some object was refused, or failed
	var all sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(objects)) {
		all.Go(func() {
			for k := next.Add(1) - 1; int(k) < len(objects) && !over.Load(); k = next.Add(1) - 1 {
				answers[k], errs[k] = e.decide(ctx, alone(b, objects[k]), m)
				if errs[k] != nil || answers[k].Verdict != engine.Linearizable {
					over.Store(true)
				}
			}
		})
	}
	all.Wait()
	var effort engine.Effort
	decided := engine.Answer{Verdict: engine.Linearizable}
	for k := range objects {
		if errs[k] != nil {
			return engine.Answer{}, errs[k]
		}
		a := &answers[k]
		effort = effort.Add(a.Effort)
		if a.Verdict == engine.NotLinearizable && decided.Verdict != engine.NotLinearizable ||
			a.Verdict == engine.Unknown && a.Cause != engine.NoCause && decided.Verdict == engine.Linearizable {
			decided = engine.Answer{Verdict: a.Verdict, Cause: a.Cause, Detail: a.Detail}
		}
	}
	if decided.Verdict == engine.Linearizable {
		decided.Witness = together(b.Partition, objects, answers)
	}
	decided.Effort = effort
	return decided, nil
}

// together merges the orders of the objects.
func together(p *model.Partition, objects [][]history.OpID, answers []engine.Answer) []history.OpID {
	var w []history.OpID
	at := make([]history.Rank, p.Len()) // the moment of each operation
	for k := range answers {
		latest := history.Rank(-1)
		for _, i := range answers[k].Witness {
			whole := objects[k][i]
			latest = max(latest, p.Ops[whole].Call)
			at[whole] = latest
			w = append(w, whole)
		}
	}
	slices.SortStableFunc(w, func(x, y history.OpID) int { return int(at[x]) - int(at[y]) })
	return w
}
