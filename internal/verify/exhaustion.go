package verify

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"sort"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/proof"
	"github.com/linsat/linsat/internal/verify/base"
)

// For specifications without axioms, the proof of a violation is the weakened history itself. It is
// decided again by a search that is as simple as possible: it tries all orders, but never twice
// from the same state after the same operations.

// ErrLinearizable is wrapped by errors of Exhausted, Tried and Paired for a partition that is
// linearizable as weakened, so that the weakening proves no violation.
var ErrLinearizable = errors.New("there is a linearization")

// Exhausted checks by exhaustive search that b's partition, weakened, is not linearizable. It
// visits at most limit nodes. It returns how many it visited, and an error if there is a
// linearization or the limit is reached. Weakenings may forget the future, responses, results and
// explicit order, and leave out what Left says.
func Exhausted(b *model.Instance, weakening *proof.Weakening, limit int) (nodes int, err error) {
	nodes, _, err = Tried(context.Background(), b, weakening, limit)
	return nodes, err
}

// Tried is Exhausted until ctx is done, and returns the configurations in which the fewest
// completed operations are left, with why each of these does not come next. Of very many it returns
// some.
func Tried(ctx context.Context, b *model.Instance, weakening *proof.Weakening, limit int) (nodes int,
	furthest []engine.Configuration, err error) {
	if err := wholePast(weakening); err != nil {
		return 0, nil, err
	}
	weak, left, err := Left(b, weakening)
	if err != nil {
		return 0, nil, err
	}
	if !orderable(weak.Partition) || !weakening.SomeGiven && !ascends(weak.Partition) || !numbered(weak) {
		return 1, nil, nil
	}
	if s := newRevisions(ctx, weak, limit); s != nil {
		switch found, err := s.visit(s.machine.Init()); {
		case err != nil && ctx.Err() != nil:
			return s.nodes, nil, err
		case err == nil && !found:
			return s.nodes, nil, nil
		}
	}
	if s := newJumpTrial(ctx, weak); s != nil {
		switch refuted, err := s.refuted(); {
		case err != nil && ctx.Err() != nil:
			return s.passed, nil, err
		case err == nil && refuted:
			return s.passed, nil, nil
		}
	}
	s := newTrial(ctx, weak, limit)
	switch found, err := s.visit(s.machine.Init()); {
	case err != nil:
		return s.nodes, nil, err
	case found:
		return s.nodes, nil, ErrLinearizable
	}
	return s.nodes, s.describe(left), nil
}

// orderable reports whether the completed operations have an order that extends those of time and
// of edges between them. Without any, no specification has a say. Operations are taken one after
// the other, each when nothing that is left comes before it.
func orderable(p *model.Partition) bool {
	if len(p.Edges) == 0 {
		return true
	}
	blocked := make([]int, p.Len()) // edges from completed operations that are left
	after := make([][]history.OpID, p.Len())
	var byCall, byReturn []history.OpID
	for i := range history.OpID(p.Len()) {
		if !p.Ops[i].Pending() {
			byCall, byReturn = append(byCall, i), append(byReturn, i)
		}
	}
	for _, e := range p.Edges {
		if !p.Ops[e.Before].Pending() && !p.Ops[e.After].Pending() {
			after[e.Before] = append(after[e.Before], e.After)
			blocked[e.After]++
		}
	}
	slices.SortFunc(byCall, func(x, y history.OpID) int { return cmp.Compare(p.Ops[x].Call, p.Ops[y].Call) })
	slices.SortFunc(byReturn, func(x, y history.OpID) int { return cmp.Compare(p.Ops[x].Return, p.Ops[y].Return) })
	taken, open := make([]bool, p.Len()), make([]bool, p.Len())
	called, returned := 0, 0 // so many have been opened; of so many by return, all were taken
	var free []history.OpID
	for {
		for returned < len(byReturn) && taken[byReturn[returned]] {
			returned++
		}
		if returned == len(byReturn) {
			return true
		}
		for ; called < len(byCall) && p.Ops[byCall[called]].Call <= p.Ops[byReturn[returned]].Return; called++ {
			i := byCall[called]
			if open[i] = true; blocked[i] == 0 {
				free = append(free, i)
			}
		}
		if len(free) == 0 {
			return false
		}
		i := free[len(free)-1]
		free = free[:len(free)-1]
		taken[i] = true
		for _, j := range after[i] {
			if blocked[j]--; blocked[j] == 0 && open[j] {
				free = append(free, j)
			}
		}
	}
}

// ascends reports whether no completed operation comes, by time or an edge, before one with a
// smaller revision of its chain.
func ascends(p *model.Partition) bool {
	for _, e := range p.Edges {
		x, y := p.Revision(e.Before), p.Revision(e.After)
		if x != nil && y != nil && x.Chain == y.Chain && x.Number > y.Number && !p.Ops[e.Before].Pending() &&
			!p.Ops[e.After].Pending() {
			return false
		}
	}
	type place struct {
		revision *history.Revision
		op       *history.Op
	}
	var all []place
	for i := range p.Ops {
		if r := p.Revision(history.OpID(i)); r != nil && !p.Ops[i].Pending() {
			all = append(all, place{r, &p.Ops[i]})
		}
	}
	sort.Slice(all, func(i, j int) bool {
		x, y := all[i].revision, all[j].revision
		return x.Chain < y.Chain || x.Chain == y.Chain && x.Number < y.Number
	})
	called := history.Rank(-1) // the latest call among smaller revisions of the chain
	for k := 0; k < len(all); {
		if k > 0 && all[k-1].revision.Chain != all[k].revision.Chain {
			called = -1
		}
		same := k
		for ; k < len(all) && *all[k].revision == *all[same].revision; k++ {
			if all[k].op.Return < called {
				return false
			}
		}
		for _, x := range all[same:k] {
			called = max(called, x.op.Call)
		}
	}
	return true
}

// numbered reports whether time orders no completed operation before one with a smaller number, as
// the specification numbers them, and no two have the same one where that cannot be.
func numbered(b *model.Instance) bool {
	lock := model.As[*model.LockTheory](b)
	if lock == nil || lock.Tokens == nil {
		return true
	}
	numbers, ops := lock.Tokens.Numbers, b.Partition.Ops
	var byCall, byReturn []int
	used := map[uint64]bool{}
	for i, n := range numbers {
		if n == 0 || ops[i].Pending() {
			continue
		}
		if lock.Tokens.Distinct && used[n] {
			return false
		}
		used[n] = true
		byCall, byReturn = append(byCall, i), append(byReturn, i)
	}
	sort.Slice(byCall, func(i, j int) bool { return ops[byCall[i]].Call < ops[byCall[j]].Call })
	sort.Slice(byReturn, func(i, j int) bool { return ops[byReturn[i]].Return < ops[byReturn[j]].Return })
	greatest := uint64(0) // of those that returned before the call
	for _, i := range byCall {
		for ; len(byReturn) > 0 && ops[byReturn[0]].Return < ops[i].Call; byReturn = byReturn[1:] {
			greatest = max(greatest, numbers[byReturn[0]])
		}
		if numbers[i] < greatest {
			return false
		}
	}
	return true
}

// wholePast refuses a weakening that forgets more than the future, responses, results and
// operations, for verifiers that start where the partition does.
func wholePast(w *proof.Weakening) error {
	if w.From != 0 || w.AnyStart || w.SomeOrder || w.View != 0 {
		return base.Faultf("",
			"from, start, order, view: this kind of proof forgets neither the past nor the start nor single facts of "+
				"order")
	}
	return nil
}

// Left returns what is left of b's partition once the weakening has forgotten the future,
// responses, results, and some operations altogether, bound anew, and the position in b's partition
// of each operation.
//
// Operations may be left out that cannot change any state, given what was recorded of them, or that
// count values (Instance.CountsValues), and, where the specification says so
// (Instance.Contents), all operations on a value once none of the latter is left; or, where it
// says what operations touch, those that touch nothing that one of the others touches (apart). A
// legal sequence stays legal without them. Explicit order may run through an operation, so where
// there is any, all operations are kept.
func Left(b *model.Instance, weakening *proof.Weakening) (weak *model.Instance, left []history.OpID, err error) {
	p, err := base.WeakenedPartition(b, weakening)
	if err != nil {
		return nil, nil, err
	}
	// what is left out only with its value
	valued := &proof.Weakening{Cut: weakening.Cut, Retain: make([]proof.Retained, b.Partition.Len())}
	out, values, counted := false, false, false
	var gone history.OpID // one that is left out
	about := func(i history.OpID) string { return base.Op(b.Partition, i) }
	for i := range valued.Retain {
		if weakening.Of(history.OpID(i)) == proof.RetainNothing {
			out, gone = true, history.OpID(i)
			if !b.ReadOnly[i] && !b.CountsValues(history.OpID(i)) {
				valued.Retain[i] = proof.RetainNothing
				values = true
			}
		} else if b.CountsValues(history.OpID(i)) && b.Partition.Ops[i].Call <= weakening.Cut {
			counted = true
		}
	}
	switch {
	case out && len(b.Partition.Edges) > 0:
		return nil, nil, base.Faultf(about(gone), "left out, though there is explicit order")
	case values && b.Contents() == nil:
		if !apart(b, weakening) {
			return nil, nil,
				base.Faultf(about(gone),
					"left out, though it may change the state, and what others touch, and the specification has no "+
						"values to leave out")
		}
	case values && counted:
		return nil, nil,
			base.Faultf(about(gone), "its value is left out, though a completed operation counts the values")
	case values:
		items, err := forgettable(b.Contents(), b.Partition, mixed(weakening, valued, b))
		switch {
		case err != nil:
			return nil, nil, err
		case slices.Contains(slices.Concat(items...), true):
			return nil, nil, base.Faultf(about(gone), "a value that is there at the start is left out")
		}
	}
	for i := range p.Ops {
		if weakening.Of(history.OpID(i)) != proof.RetainNothing {
			left = append(left, history.OpID(i))
		}
	}
	if out {
		p = p.Select(left, b.Partition.Name)
	}
	weak, err = base.Rebound(b, p)
	return weak, left, err
}

// apart reports whether the operations that are left out and may change a state touch nothing that
// one of the others, up to the cut, touches. They commute with these, so in a legal sequence they
// can all come last.
func apart(b *model.Instance, weakening *proof.Weakening) bool {
	touches := model.TouchesOf(b.Spec, b.Partition)
	if touches == nil {
		return false
	}
	out := map[int32]bool{}
	for i, keys := range touches {
		if weakening.Of(history.OpID(i)) != proof.RetainNothing || b.ReadOnly[i] {
			continue
		}
		if keys == nil {
			return false
		}
		for _, key := range keys {
			out[key] = true
		}
	}
	for i, keys := range touches {
		if weakening.Of(history.OpID(i)) == proof.RetainNothing || b.Partition.Ops[i].Call > weakening.Cut {
			continue
		}
		if keys == nil || slices.ContainsFunc(keys, func(key int32) bool { return out[key] }) {
			return false
		}
	}
	return true
}

// mixed is valued, with what the weakening leaves out because it changes nothing left out as well
// where its value is.
func mixed(weakening, valued *proof.Weakening, b *model.Instance) *proof.Weakening {
	least, most := int32(0), int32(0) // Nothing and Anything are negative
	moves := b.Contents().Value
	for _, v := range moves {
		least, most = min(least, v), max(most, v)
	}
	gone := make([]bool, int(most)-int(least)+1)
	for i, k := range valued.Retain {
		if k == proof.RetainNothing {
			gone[moves[i]-least] = true
		}
	}
	for i := range valued.Retain {
		if weakening.Of(history.OpID(i)) == proof.RetainNothing && gone[moves[i]-least] {
			valued.Retain[i] = proof.RetainNothing
		}
	}
	return valued
}
