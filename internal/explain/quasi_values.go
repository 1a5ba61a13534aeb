package explain

// Cores of values under a factor: a few values of a queue, stack, priority queue or deque that
// cannot be rearranged, whatever the operations on other values do (clausal.BuildAmong).
//
// What: a refutation in clauses names operations. Their values, and those nearest to them in time,
// are tried: few, then more, until they are refuted, first whatever the other removals do, then
// with those in between counted. Then values are left out, as many as can be, and of what is left
// the value of removals that only count. At last only the order in time is kept that a refutation
// cites, and each piece of that is tried. Where removals are counted, all order is kept.
//
// Decision procedure: the small solver, on the verifier's formula. It decides nearly all of these
// questions in lookInView, and then the core is minimal.
//
// Cost: a few milliseconds for each question about a dozen values.

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"sort"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/proof"
	"github.com/linsat/linsat/internal/solver/cdcl"
	"github.com/linsat/linsat/internal/verify"
	"github.com/linsat/linsat/internal/verify/clausal"
	"github.com/linsat/linsat/quasi"
)

// valueFinder looks for a core of values.
type valueFinder struct {
	*finder
	q        *quasi.Question
	t        *model.CollectionTheory
	counting bool                     // all removals up to the last return are kept
	alone    []history.OpID           // removals that found nothing
	on       map[int32][]history.OpID // operations by value
	wild     [2][]history.OpID        // removals of unknown result, of a deque by end
	proof    *proof.Clausal           // of the last weakening that was refuted
	cited    map[[2]history.OpID]bool // the order that it cites
	whole    []string                 // what is kept as a whole
	named    map[history.OpID]bool    // the operations that it names
}

// FindValues looks for a minimal core of values of b's partition, which is not quasi-linearizable
// under q, near to the operations that are named: whatever the other removals do, or with those in
// between counted. It returns the proof that refutes the core; nil if it finds none.
func FindValues(ctx context.Context, b *model.Instance, q *quasi.Question, named []history.OpID) (*Core,
	*proof.Clausal) {
	f := newValueFinder(ctx, b, q)
	if f == nil {
		return nil, nil
	}
	groups := f.nearest(named)
	for _, f.counting = range []bool{false, true} {
		if weakening := f.first(groups); weakening != nil {
			f.fewer(weakening)
			f.order(weakening)
			return &f.core, f.proof
		}
	}
	return nil, nil
}

// RefuteValues returns a proof that the values of the named operations alone are refuted, whatever
// the other removals do; nil if it finds none.
func RefuteValues(ctx context.Context, b *model.Instance, q *quasi.Question, named []history.OpID) *proof.Clausal {
	f := newValueFinder(ctx, b, q)
	if f == nil {
		return nil
	}
	w := f.nothing()
	for _, op := range named {
		w.Retain[op] = proof.RetainAll
		if v := f.t.Value[op]; v >= 0 {
			for _, other := range f.on[v] {
				w.Retain[other] = proof.RetainAll
			}
		}
	}
	if !f.refutes(w) {
		return nil
	}
	return f.proof
}

// RefuteNear returns a proof that up to most values, those nearest to the named operations, are
// refuted; nil if it finds none. All removals between are counted where each of them returned, and
// else the others may have done anything.
func RefuteNear(ctx context.Context, b *model.Instance, q *quasi.Question, named []history.OpID,
	most int) *proof.Clausal {
	f := newValueFinder(ctx, b, q)
	if f == nil || len(named) == 0 {
		return nil
	}
	f.counting = !slices.ContainsFunc(slices.Concat(f.wild[0], f.wild[1]), func(op history.OpID) bool {
		return b.Partition.Ops[op].Pending()
	})
	groups := f.nearest(named)
	if f.first(groups[:min(most, len(groups))]) == nil {
		return nil
	}
	return f.proof
}

// newValueFinder returns a finder for b, nil if it is of no single collection.
func newValueFinder(ctx context.Context, b *model.Instance, q *quasi.Question) *valueFinder {
	t, back := b.Collection()
	if t == nil || len(t.Initial) != 1 || len(b.Partition.Edges) > 0 {
		return nil
	}
	f := &valueFinder{finder: &finder{ctx: ctx, b: b}, q: q, t: t, on: map[int32][]history.OpID{}}
	f.core.Minimal = true
	f.finder.judge = f.refutes
	for i, v := range t.Value {
		switch op := history.OpID(i); {
		case v >= 0:
			f.on[v] = append(f.on[v], op)
		case v == model.Nothing:
			f.alone = append(f.alone, op)
		case t.Does[i] == model.Remove:
			f.wild[back.Of(op)] = append(f.wild[back.Of(op)], op)
		}
	}
	return f
}

// nothing is a weakening that leaves out all operations.
func (f *valueFinder) nothing() *proof.Weakening {
	return &proof.Weakening{Cut: history.Never, Retain: slices.Repeat([]proof.Retained{proof.RetainNothing},
		len(f.t.Value))}
}

// nearest lists what can be kept, as lists of operations: values, and removals that found nothing.
// First come those that are removed nearest to what the named operations, or others on their
// values, remove.
func (f *valueFinder) nearest(named []history.OpID) (groups [][]history.OpID) {
	var near []history.OpID
	for _, op := range named {
		ops := []history.OpID{op}
		if v := f.t.Value[op]; v >= 0 {
			ops = f.on[v]
		}
		near = append(near, f.removals(ops)...)
	}
	slices.Sort(near)
	away := map[history.OpID]history.OpID{} // by the first operation of a group
	add := func(ops []history.OpID) {
		least := history.OpID(len(f.t.Value))
		for _, op := range f.removals(ops) {
			k, _ := slices.BinarySearch(near, op)
			if k < len(near) {
				least = min(least, near[k]-op)
			}
			if k > 0 {
				least = min(least, op-near[k-1])
			}
		}
		away[ops[0]] = least
		groups = append(groups, ops)
	}
	for _, ops := range f.on {
		add(ops)
	}
	for _, op := range f.alone {
		add([]history.OpID{op})
	}
	sort.Slice(groups, func(i, j int) bool {
		x, y := groups[i][0], groups[j][0]
		return cmp.Or(cmp.Compare(away[x], away[y]), cmp.Compare(x, y)) < 0
	})
	return groups
}

// removals lists those of the operations that are removals, or all if none is.
func (f *valueFinder) removals(ops []history.OpID) []history.OpID {
	some := slices.DeleteFunc(slices.Clone(ops), func(op history.OpID) bool { return f.t.Does[op] != model.Remove })
	if len(some) == 0 {
		return ops
	}
	return some
}

// first returns a weakening that keeps the first few groups and is refuted; nil if there is none.
func (f *valueFinder) first(groups [][]history.OpID) *proof.Weakening {
	most := min(len(groups), lastValues)
	if f.counting {
		most = min(len(groups), lastCounted)
	}
	for n := firstValues; f.ctx.Err() == nil; n += n / 2 {
		if n = min(n, most); n == 0 {
			return nil
		}
		w := f.nothing()
		for _, ops := range groups[:n] {
			for _, op := range ops {
				w.Retain[op] = proof.RetainAll
			}
		}
		start, end := f.span(w)
		for i, kept := range w.Retain {
			if o := &f.b.Partition.Ops[i]; f.counting && kept == proof.RetainNothing && f.counts(history.OpID(i)) &&
				o.Return >= start && o.Call <= end {
				w.Retain[i] = proof.RetainResponse
			}
		}
		if f.refuted(w) {
			return w
		}
		if n == most {
			return nil
		}
	}
	return nil
}

// refutes reports whether a weakening is refuted, after adding the removals of unknown result that
// it needs, and leaving out the order of what it does not retain.
func (f *valueFinder) refutes(w *proof.Weakening) bool {
	f.core.Calls++
	items := len(f.t.Initial[0])
	for i, does := range f.t.Does {
		if does == model.Insert && w.Retain[i] != proof.RetainNothing {
			items++
		}
	}
	_, end := f.span(w)
	for _, wild := range f.wild {
		for k, op := range wild {
			if w.Retain[op] = proof.RetainNothing; k < items || f.counting && f.b.Partition.Ops[op].Call <= end {
				w.Retain[op] = proof.RetainCall
			}
		}
	}
	w.Order = slices.DeleteFunc(slices.Clone(w.Order), func(e [2]history.OpID) bool {
		return w.Retain[e[0]] == proof.RetainNothing || w.Retain[e[1]] == proof.RetainNothing
	})
	formula, err := verify.Clauses(f.b, f.q, w)
	if err != nil {
		if !errors.Is(err, clausal.ErrUnsupported) {
			f.doubt(limited)
		}
		return false
	}
	short, stop := context.WithTimeout(f.ctx, lookInView)
	defer stop()
	status, lemmas, _ := cdcl.Refute(short, formula)
	if status == cdcl.Stopped {
		f.doubt(limited)
	}
	if status != cdcl.Refuted {
		return false
	}
	kept := *w
	kept.Retain, kept.Order = slices.Clone(w.Retain), slices.Clone(w.Order)
	f.proof = &proof.Clausal{Weakening: &kept, Clauses: formula.Len(), Lemmas: lemmas}
	f.named, f.cited = namedIn(formula, lemmas), map[[2]history.OpID]bool{}
	for _, l := range lemmas {
		for _, hint := range l.Hints {
			if int(hint) <= formula.Len() {
				if why, of := formula.States(int(hint) - 1); why == clausal.InTime {
					f.cited[[2]history.OpID{of[0], of[1]}] = true
				}
			}
		}
	}
	return true
}

// fewer leaves out values and removals that found nothing, as many as it can, and of the others
// what a removal removes and its insertion.
func (f *valueFinder) fewer(w *proof.Weakening) {
	var groups [][]history.OpID
	for _, ops := range f.on {
		if w.Retain[ops[0]] != proof.RetainNothing {
			groups = append(groups, ops)
		}
	}
	for _, op := range f.alone {
		if w.Retain[op] != proof.RetainNothing {
			groups = append(groups, []history.OpID{op})
		}
	}
	sort.Slice(groups, func(i, j int) bool { return groups[i][0] < groups[j][0] })
	forget := func(k int) {
		for _, op := range groups[k] {
			if w.Retain[op] = proof.RetainNothing; f.counting && f.counts(op) {
				w.Retain[op] = proof.RetainResponse
			}
		}
	}
	all := slices.Clone(w.Retain)
	for k, ops := range groups {
		if !slices.ContainsFunc(ops, func(op history.OpID) bool { return f.named[op] }) {
			forget(k)
		}
	}
	if !f.refuted(w) {
		w.Retain = all
	}
	some := func(ops []history.OpID) bool {
		return slices.ContainsFunc(ops, func(op history.OpID) bool { return w.Retain[op] == proof.RetainAll })
	}
	groups = slices.DeleteFunc(groups, func(ops []history.OpID) bool { return !some(ops) })
	f.drop(len(groups), forget, w)
	groups = slices.DeleteFunc(groups, func(ops []history.OpID) bool { return !some(ops) })
	if !f.counting {
		f.drop(len(groups), func(k int) {
			for _, op := range groups[k] {
				if w.Retain[op] = proof.RetainNothing; f.counts(op) {
					w.Retain[op] = proof.RetainResponse
				}
			}
		}, w)
	}
	f.fewerResponses(w)
	for _, ops := range groups {
		switch {
		case !some(ops):
		case f.t.Value[ops[0]] == model.Nothing:
			f.keep(EmptyFact, ops[0])
		default:
			f.keep(ValueFact, ops...)
		}
	}
	var responses []history.OpID
	for i, kept := range w.Retain {
		if kept == proof.RetainResponse {
			responses = append(responses, history.OpID(i))
		}
	}
	if f.counting && len(responses) > manyFacts {
		f.whole = append(f.whole, AllResponses)
		return
	}
	for _, op := range responses {
		f.keep(ResponseFact, op)
	}
}

// counts reports whether an operation is a removal that holds a place whatever it removed.
func (f *valueFinder) counts(op history.OpID) bool {
	return f.t.Does[op] == model.Remove && !f.b.Partition.Ops[op].Pending()
}

// span is from the first call of a removal of a value that is kept to the last return on one.
func (f *valueFinder) span(w *proof.Weakening) (start, end history.Rank) {
	start, end = history.Never, -1
	for i, kept := range w.Retain {
		if kept == proof.RetainAll {
			o := &f.b.Partition.Ops[i]
			if end = max(end, o.Return); f.t.Does[i] == model.Remove {
				start = min(start, o.Call)
			}
		}
	}
	return start, end
}

// fewerResponses forgets that removals returned of which only that is kept.
func (f *valueFinder) fewerResponses(w *proof.Weakening) {
	kind := proof.RetainNothing
	if f.counting {
		kind = proof.RetainCall
		start, end := f.span(w)
		all := slices.Clone(w.Retain)
		for i, kept := range w.Retain {
			if o := &f.b.Partition.Ops[i]; kept == proof.RetainResponse && (o.Return < start || o.Call > end) {
				w.Retain[i] = proof.RetainNothing
			}
		}
		if !f.refuted(w) {
			w.Retain = all
		}
	}
	var counted []history.OpID
	for i, kept := range w.Retain {
		if kept == proof.RetainResponse {
			counted = append(counted, history.OpID(i))
		}
	}
	slices.Reverse(counted) // what comes first holds the places of others
	f.drop(len(counted), func(k int) { w.Retain[counted[k]] = kind }, w)
}

// order keeps only the order in time that a refutation cites, as little of it as it can.
func (f *valueFinder) order(w *proof.Weakening) {
	ops := f.b.Partition.Ops
	if f.counting {
		f.rests(w, w, append(f.whole, AllOrder)...)
		return
	}
	w.SomeOrder = true
	var kept []history.OpID
	for i, k := range w.Retain {
		if k != proof.RetainNothing {
			kept = append(kept, history.OpID(i))
		}
	}
	for _, i := range kept {
		for _, j := range kept {
			if w.Retain[i] != proof.RetainCall && ops[i].Return < ops[j].Call {
				w.Order = append(w.Order, [2]history.OpID{i, j})
			}
		}
	}
	if !f.refuted(w) {
		w.SomeOrder, w.Order = false, nil
		f.doubt("the order could not be reduced")
		f.rests(w, w, AllOrder)
		return
	}
	length := func(e [2]history.OpID) history.Rank { return ops[e[1]].Call - ops[e[0]].Return }
	cited := func() (order [][2]history.OpID) {
		for _, e := range w.Order {
			if f.cited[e] {
				order = append(order, e)
			}
		}
		return order
	}
	w.Order = cited()
	sort.SliceStable(w.Order, func(i, j int) bool { return length(w.Order[i]) > length(w.Order[j]) })
	for again := true; again; again = f.superfluous(w) {
		for k := 0; k < len(w.Order); {
			try := *w
			try.Order = slices.Delete(slices.Clone(w.Order), k, k+1)
			if !f.refuted(&try) {
				k++
				continue
			}
			*w = try
			w.Order = cited() // those up to k are among them
		}
	}
	for _, e := range w.Order {
		f.keep(EdgeFact, e[0], e[1])
	}
	f.rests(w, w)
}

// superfluous leaves out facts that are not needed where only some order is kept, and reports
// whether there were any: others may then have any place, and there are other clauses.
func (f *valueFinder) superfluous(w *proof.Weakening) bool {
	n := len(f.core.Facts)
	f.core.Facts = slices.DeleteFunc(f.core.Facts, func(fact Fact) bool {
		try := *w
		try.Retain = slices.Clone(w.Retain)
		for _, op := range fact.Operations {
			try.Retain[op] = proof.RetainNothing
		}
		if !f.refuted(&try) {
			return false
		}
		*w = try
		return true
	})
	return len(f.core.Facts) < n
}
