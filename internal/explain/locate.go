package explain

import (
	"cmp"
	"context"
	"slices"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/inorder"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/proof"
)

// locate finds the shortest violating prefix of a partition that is known not to be linearizable,
// for engines that report a verdict only. Every prefix of a linearizable history is linearizable
// (operations open at the cut are pending, with unknown results), so the cuts at returns are
// bisected with Engines.Decide. If a refutation names operations, the cuts around the return at
// which these alone are refuted are tried first; then one or two questions about the whole
// partition usually suffice. Where an engine says how far it came (Answer.Reached), that is tried
// first, and if it was too early, returns at growing distances behind it: prefixes that are
// linearizable are decided fastest. locate returns nil, and why if that is not for lack of time,
// where it did not finish.
//
// Invariant: the prefix at returns[low-1] is linearizable, that at returns[high] is not.
func (x *explainer) locate(ctx context.Context) (_ *engine.Failure, why string) {
	ctx, stop := context.WithTimeout(ctx, x.Wanted.Locate)
	defer stop()
	b := x.Instance
	l := &locating{Engines: x.Engines, budget: x.budget, spec: x.Spec, part: b.Partition}
	cut, known := l.guessed(ctx, b, x.Violation.Proof, x.Violation.Reached)
	end := history.Never // of what is searched
	if known {
		end = cut
	}
	l.returns = byReturn(b.Partition, end)
	guess := l.place(cut)
	low, high := 0, len(l.returns)-1 // what was called after the last return can be left out
	near := howFar(x.Violation.Proof)
	wrong, stride, tried := 0, 0, -1
	var longest []history.OpID
	for low < high {
		if known && low <= guess && guess <= high {
			if high = guess; low == high {
				break
			}
		}
		at := low + (high-low)/2
		if low <= guess && guess <= high && wrong < maxWrong {
			if at = guess; known || guess == high {
				at--
			}
		}
		if stride > 0 {
			at = min(at, low+stride-1)
		}
		if guess != tried && low < guess && (at == guess || at == guess-1) && worthRecorded(b) {
			tried = guess
			switch order, earlier := l.asRecorded(ctx, b, l.cut(guess-1), l.returns[guess]); {
			case order != nil:
				longest, low = order, guess
				continue
			case earlier >= low && earlier < guess:
				guess, known = earlier, true
				continue
			}
		}
		v, prefix, ok := l.decided(ctx, l.cut(at))
		switch {
		case !ok:
			return nil, l.unbound
		case v.Verdict == engine.Linearizable:
			longest, low = v.Witness, at+1
			if last := l.place(l.last); guess < low && last >= low { // more than these matter
				guess, known = last, false
			}
			if near && at == guess {
				stride = 1
			}
			stride *= 2
		case at == guess:
			high, known, stride = at, true, 0
		default:
			high, stride = at, 0
			near = howFar(v.Proof)
			cut, known = l.guessed(ctx, prefix, v.Proof, v.Reached)
			guess = l.place(cut)
			wrong++
		}
	}
	if high < 0 {
		return nil, ""
	}
	f := &engine.Failure{Op: l.returns[high], Cut: l.cut(high), Longest: longest}
	l.frontier(ctx, f)
	return f, ""
}

// LeadsBack reports whether explicit order puts an operation before one that was called earlier,
// without contradicting the times. A prefix may then have an operation without its predecessors,
// so prefixes of a linearizable history need not be linearizable, and none is the shortest.
func LeadsBack(p *model.Partition) bool {
	return slices.ContainsFunc(p.Edges, func(e history.Edge) bool {
		return p.Ops[e.Before].Call > p.Ops[e.After].Call && p.Ops[e.Before].Call < p.Ops[e.After].Return
	})
}

// locating is the search for a failing return.
type locating struct {
	Engines
	budget *engine.Budget
	spec   model.Spec
	part   *model.Partition
	// returns lists operations by return, up to one at which the prefix is known to be refuted.
	returns []history.OpID
	unbound string       // why the specification does not take a prefix
	last    history.Rank // the last return of the operations of the guess
}

func (l *locating) cut(at int) history.Rank { return l.part.Ops[l.returns[at]].Return }

// byReturn lists the operations that return by rank end, by return; those that never do are not
// among them.
func byReturn(p *model.Partition, end history.Rank) []history.OpID {
	ops := p.Ops[:p.Called(end)]
	end = min(end, history.Never-1)
	last, completed := history.Rank(-1), 0
	for i := range ops {
		if o := &ops[i]; o.Return <= end {
			last = max(last, o.Return)
			completed++
		}
	}
	list := make([]history.OpID, 0, completed)
	if int(last) < 8*len(ops) {
		at := make([]history.OpID, last+1) // by rank, the operation plus one
		for i := range ops {
			if o := &ops[i]; o.Return <= end {
				at[o.Return] = history.OpID(i) + 1
			}
		}
		for _, i := range at {
			if i > 0 {
				list = append(list, i-1)
			}
		}
		if len(list) == completed {
			return list
		}
		list = list[:0] // two return at one rank
	}
	for i := range ops {
		if ops[i].Return <= end {
			list = append(list, history.OpID(i))
		}
	}
	slices.SortFunc(list, func(x, y history.OpID) int { return cmp.Compare(ops[x].Return, ops[y].Return) })
	return list
}

// decided decides the prefix at a cut; ok is false if it stays undecided.
func (l *locating) decided(ctx context.Context, cut history.Rank) (v engine.Answer, b *model.Instance, ok bool) {
	b, err := engine.Bind(l.spec, l.part.Prefix(cut))
	if err != nil {
		l.unbound = err.Error()
		return v, b, false
	}
	v, err = l.Decide(ctx, &engine.Task{Instance: b}, l.budget.Share(0))
	return v, b, err == nil && v.Verdict != engine.Unknown
}

// guessed returns the return at which a refutation of b (a partition or a prefix of one) is
// complete, or -1 if nothing can be said: the first one at which the named operations alone are
// refuted. The guess may be wrong, since other operations may change what the named ones can do.
// known reports that they cannot: the prefix there is refuted. (The sum of a counter rests on what
// was called up to the last return that it names. What is open then adds the same, or nothing, with
// a result or without.) Without evidence that names operations, the guess is how far an engine
// came.
func (l *locating) guessed(ctx context.Context, b *model.Instance, evidence proof.Proof,
	reached history.Rank) (cut history.Rank, known bool) {
	switch {
	case howFar(evidence) && reached > 0:
		return reached, false
	case evidence == nil:
		return -1, false
	}
	cut = -1
	named := namedBy(evidence, b)
	switch evidence.Kind() {
	case proof.KindCollectionConflict, proof.KindExhaustion:
		if cut = l.alone(ctx, b, named); cut >= 0 {
			known = l.sure(ctx, b, named, cut)
		}
	case proof.KindRegisterConflict:
		// often a value is found before anything leaves it
		if cut = l.alone(ctx, b, among(b.Partition, named)); cut < 0 {
			cut = latest(b.Partition, named)
		}
		l.last = latest(b.Partition, named)
	case proof.KindLogConflict, proof.KindDependencyCycles:
		cut = latest(b.Partition, named)
	case proof.KindGrowthConflict:
		// What is called later changes nothing. But operations that have not returned yet may add
		// what nothing adds once they have.
		rule := evidence.(*proof.GrowthConflict).Rule
		cut, known = latest(b.Partition, named), rule != proof.GrowthUnadded && rule != proof.GrowthTooEarly
	case proof.KindHoldConflict:
		// Releases that are not called yet leave two owners with the lock. But acquisitions that
		// have not returned yet may be why an attempt was refused.
		cut, known = latest(b.Partition, named), evidence.(*proof.HoldConflict).Rule != proof.HoldNobody
	case proof.KindSumConflict:
		cut = latest(b.Partition, named)
		known = evidence.(*proof.SumConflict).View == 0
	}
	return cut, known && cut >= 0
}

// howFar reports whether all that evidence tells of the failing return is how far an engine came.
func howFar(evidence proof.Proof) bool {
	if e, ok := evidence.(*proof.Exhaustion); ok && e.Weakening.Retain == nil {
		return true
	}
	return evidence == nil || evidence.Kind() == proof.KindSaturation
}

// namedBy returns the operations of b that evidence names.
func namedBy(evidence proof.Proof, b *model.Instance) []history.OpID {
	if e, ok := evidence.(*proof.Exhaustion); ok {
		return retained(e.Weakening)
	}
	return evidence.Operations(b)
}

// retained returns the operations that a weakening keeps, if it names those that it leaves out.
func retained(w *proof.Weakening) (ops []history.OpID) {
	if w == nil {
		return nil
	}
	for i, r := range w.Retain {
		if r != proof.RetainNothing {
			ops = append(ops, history.OpID(i))
		}
	}
	return ops
}

// place returns the index in returns of the first return that is not before a rank, -1 for rank -1.
func (l *locating) place(rank history.Rank) int {
	if rank < 0 {
		return -1
	}
	at, _ := slices.BinarySearchFunc(l.returns, rank, func(i history.OpID, rank history.Rank) int {
		return cmp.Compare(l.part.Ops[i].Return, rank)
	})
	return at
}

// latest returns the last return of these operations.
func latest(p *model.Partition, ops []history.OpID) history.Rank {
	last := history.Rank(-1)
	for _, i := range among(p, ops) {
		if !p.Ops[i].Pending() {
			last = max(last, p.Ops[i].Return)
		}
	}
	return last
}

// among returns the operations of p among these, ascending: names may include Before and After.
func among(p *model.Partition, ops []history.OpID) []history.OpID {
	ops = slices.DeleteFunc(slices.Clone(ops), func(i history.OpID) bool { return i < 0 || int(i) >= p.Len() })
	return inorder.Distinct(ops)
}

// alone returns the first cut at which these operations of b's partition are refuted, or -1.
func (l *locating) alone(ctx context.Context, b *model.Instance, named []history.OpID) history.Rank {
	if len(named) == 0 || len(named) > maxGuessed {
		return -1
	}
	few := b.Partition.Select(named, b.Partition.Name)
	returns := byReturn(few, history.Never)
	low, high := 0, len(returns)-1
	for low < high {
		at := low + (high-low)/2
		bound, err := engine.Bind(l.spec, few.Prefix(few.Ops[returns[at]].Return))
		if err != nil {
			return -1
		}
		v, err := l.Decide(ctx, &engine.Task{Instance: bound}, l.budget.Share(0))
		switch {
		case err != nil || v.Verdict == engine.Unknown:
			return -1
		case v.Verdict == engine.Linearizable:
			low = at + 1
		default:
			high = at
		}
	}
	if high < 0 {
		return -1
	}
	return few.Ops[returns[high]].Return
}

// frontier adds the configurations just before the failing return. Only the search can report them,
// and often does so on the prefix alone if that is not too long.
func (l *locating) frontier(ctx context.Context, f *engine.Failure) {
	// without explicit order a prefix has no demands
	demands := len(l.part.Edges)+len(l.part.Demands) > 0 && len(l.part.Prefix(f.Cut-1).Demands) > 0
	if demands { // what works on the prefix by itself need not fit the order of the whole
		f.Longest = nil
	}
	if l.part.Called(f.Cut) > frontierPrefix {
		return
	}
	p := l.part.Prefix(f.Cut)
	b, err := engine.Bind(l.spec, p)
	if err != nil {
		return
	}
	ctx, stop := context.WithTimeout(ctx, frontierTime)
	defer stop()
	a, err := l.Frontier(ctx, &engine.Problem{Instance: b}, l.budget.Share(frontierSteps))
	switch {
	case err != nil || a.Failure == nil:
	case demands: // an earlier return may be to blame
		*f = *a.Failure
	case a.Failure.Op == f.Op:
		f.Frontier, f.Complete = a.Failure.Frontier, a.Failure.Complete
	}
}
