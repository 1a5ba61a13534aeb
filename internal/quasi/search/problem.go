package search

// What: a partition under a factor in the form that the search uses; built once, then immutable.
//
// Source: ours.
//
// Contents. The operations of the partition are followed by operations that belong to no history:
// one drain for every object that can have an item left over and, where causality counts, one
// removal for every unknown removal and value that it may have taken. All are bound together, so
// that one machine runs them. Contents of equal EquivID, class and object are of one kind and
// interchangeable. A drain is a kind of its own, because it must remove something.
//
// Groups. A group is a class of one object: its operations share places. The operations without a
// class form a group of bound 0.
//
// Pending operations that are interchangeable and have no explicit edges form a class of pending
// operations. They are used in the order of their calls: they never return, so the one that was
// called first can stand wherever another can. A pending operation of bound 0 that is read-only and
// moves no item is dropped: leaving it out never hurts.
//
// Invariant: of the operations from n on, only drains are linearized in ρ′.
//
// Cost: O(n log n + edges), and with causality the unknown removals times the values.

import (
	"slices"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/inorder"
	"github.com/linsat/linsat/internal/layout"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/quasi"
)

// groupID numbers the groups of operations that share places, and pendingClassID the classes of
// pending operations that do the same.
type (
	groupID        int32
	pendingClassID int32
)

// problem is a partition under a factor.
type problem struct {
	question *quasi.Question
	n        history.OpID    // operations of the partition
	bound    *model.Instance // the partition with drains and candidates behind it
	ops      []history.Op    // of the extended partition

	kind   []int32        // op → its content
	sample []history.OpID // kind → an operation with that content
	group  []groupID      // op → its group
	groups []placeGroup
	object []model.ObjectID // op → its object
	drains []history.OpID   // object → its drain, -1 without one

	hasEdge []bool
	needs   layout.Lists[history.OpID, history.OpID] // op → completed ones that must precede it
	bars    layout.Lists[history.OpID, history.OpID] // pending op → those it may not follow
	atOnce  []bool                                   // completed op that can be taken when legal
	// insertion → return of the removal of its value, history.Never without one
	remover []history.Rank

	pendingClass []pendingClassID                           // pending op → its class, or -1
	members      layout.Lists[pendingClassID, history.OpID] // class → its operations, in call order

	// Where causality counts:
	value   []int32         // op → what it puts in or takes out, -1 if nothing or unknown
	start   []int32         // value → how many copies there are at first
	guesses map[int32]guess // kind of an unknown removal → the operations that it may be
}

// placeGroup is a class of one object.
type placeGroup struct {
	object         model.ObjectID
	bound          int32
	most           int32            // upper bound on its places
	pendingClasses []pendingClassID // of pending operations
	unknown        []int32          // where causality counts: kinds of its unknown removals
}

// guess lists the operations that an unknown removal may be; the one that finds nothing is last.
type guess struct {
	candidates []history.OpID
	// the same, by what leaves next at that moment (see collection.front); -1: nothing
	byFront map[int32][]history.OpID
}

// problemBytes estimates what newProblem and newRun allocate for n operations.
func problemBytes(n, edges int) int64 { return int64(n)*260 + int64(edges)*16 }

// newProblem builds the problem of a question. An error is one of the specification.
func newProblem(b *model.Instance, relax *quasi.Question) (*problem, error) {
	l := &problem{question: relax, n: history.OpID(b.Partition.Len())}
	if err := l.extend(b); err != nil {
		return nil, err
	}
	l.takeEdges(b.Partition.Edges)
	l.groupPending()
	if l.bound.Items.Delta != nil {
		l.matchRemovers()
	}
	return l, nil
}

// completed reports whether i is a completed operation of the partition.
func (l *problem) completed(i history.OpID) bool { return i < l.n && !l.ops[i].Pending() }

// initialItems returns the elements of the initial state, if it is a list.
func initialItems(p *model.Partition) []history.Value {
	if !p.HasInitial {
		return nil
	}
	list, _ := p.History.Values.AsList(p.Initial)
	return list
}

// extend binds the partition with drains and guesses appended.
func (l *problem) extend(b *model.Instance) error {
	_, keys := b.Objects()
	p := *b.Partition
	p.Ops = slices.Clone(p.Ops)
	l.drains = make([]history.OpID, len(keys))
	for k := range keys {
		l.drains[k] = -1
	}
	end := p.End()
	if l.question.Drain && b.Items.Delta != nil && b.Spec.Info().Drain != "" {
		for k, key := range keys {
			l.drains[k] = history.OpID(len(p.Ops))
			p.Ops = append(p.Ops, history.Op{F: model.DrainName, Key: key, Unknown: true, Call: end, Return: end + 1})
		}
	}
	bySig := map[int32]guess{}
	if l.question.Causal {
		bySig = appendGuesses(b, &p, end)
	}
	p.Drains = len(p.Ops) - int(l.n)
	if p.Drains == 0 {
		l.bound = b
	} else {
		var err error
		if l.bound, err = b.Spec.Bind(&p); err != nil {
			return err
		}
	}
	l.ops = l.bound.Partition.Ops
	l.object, _ = l.bound.Objects()
	l.number()
	if l.question.Causal {
		l.guesses = map[int32]guess{}
		for i := range l.n {
			g, ok := bySig[b.EquivID[i]]
			if _, known := l.guesses[l.kind[i]]; ok && !known {
				l.guesses[l.kind[i]] = g
				in := &l.groups[l.group[i]]
				in.unknown = append(in.unknown, l.kind[i])
			}
		}
		l.numberValues()
	}
	return nil
}

// appendGuesses appends to p, for each signature of unknown removals, a removal of every value that
// can be in its object, and one that finds nothing. They are contents only: no order contains them
// as operations of their own.
func appendGuesses(b *model.Instance, p *model.Partition, end history.Rank) map[int32]guess {
	object, keys := b.Objects()
	inserted := make([][]history.Value, len(keys))
	for k := range keys {
		inserted[k] = initialItems(p)
	}
	for i := range object {
		if b.Items.Delta[i] > 0 {
			inserted[object[i]] = append(slices.Clip(inserted[object[i]]), p.Ops[i].Arg)
		}
	}
	for k := range inserted {
		inserted[k] = slices.Clone(inserted[k])
		inserted[k] = inorder.Distinct(inserted[k])
	}
	bySig := map[int32]guess{}
	for i := range object {
		if _, known := bySig[b.EquivID[i]]; known || b.Items.Delta[i] >= 0 || !p.Ops[i].Unknown {
			continue
		}
		var g guess
		for _, v := range append(slices.Clip(inserted[object[i]]), history.Nil) {
			o := p.Ops[i]
			o.Result, o.Unknown, o.Call, o.Return = v, false, end, end+1
			g.candidates = append(g.candidates, history.OpID(len(p.Ops)))
			p.Ops = append(p.Ops, o)
		}
		bySig[b.EquivID[i]] = g
	}
	return bySig
}

// number numbers groups and kinds.
func (l *problem) number() {
	b, n := l.bound, len(l.ops)
	l.kind, l.group = make([]int32, n), make([]groupID, n)
	type groupKey struct {
		class  model.ClassID
		object model.ObjectID
	}
	type kindKey struct {
		sig   int32
		group groupID
		drain bool
	}
	groups, kinds := map[groupKey]groupID{}, map[kindKey]int32{}
	for i := range l.ops {
		key := groupKey{-1, l.object[i]}
		if b.Class != nil {
			key.class = b.Class[i]
		}
		g, ok := groups[key]
		if !ok {
			g = groupID(len(l.groups))
			groups[key] = g
			bound := int32(0)
			if key.class >= 0 && int(key.class) < len(l.question.Factor) {
				bound = l.question.Factor[key.class]
			}
			l.groups = append(l.groups, placeGroup{object: key.object, bound: bound})
		}
		l.group[i] = g
		kk := kindKey{b.EquivID[i], g, slices.Contains(l.drains, history.OpID(i))}
		k, ok := kinds[kk]
		if !ok {
			k = int32(len(l.sample))
			kinds[kk] = k
			l.sample = append(l.sample, history.OpID(i))
		}
		l.kind[i] = k
		if history.OpID(i) < l.n {
			l.groups[g].most++
		}
	}
	for i := range l.n {
		if d := l.drains[l.object[i]]; d >= 0 && b.Items.Delta[i] > 0 {
			l.groups[l.group[d]].most++
		}
	}
	for _, d := range l.drains {
		if d >= 0 {
			l.groups[l.group[d]].most += int32(b.Items.Stored)
		}
	}
}

// numberValues numbers the values of all objects.
func (l *problem) numberValues() {
	type item struct {
		object model.ObjectID
		value  history.Value
	}
	numbers := map[item]int32{}
	of := func(object model.ObjectID, v history.Value) int32 {
		k, ok := numbers[item{object, v}]
		if !ok {
			k = int32(len(numbers))
			numbers[item{object, v}] = k
			l.start = append(l.start, 0)
		}
		return k
	}
	for o := range l.drains {
		for _, v := range initialItems(l.bound.Partition) {
			l.start[of(model.ObjectID(o), v)]++
		}
	}
	l.value = make([]int32, len(l.ops))
	for i := range l.ops {
		l.value[i] = -1
		switch o := &l.ops[i]; {
		case l.bound.Items.Delta[i] > 0:
			l.value[i] = of(l.object[i], o.Arg)
		case l.bound.Items.Delta[i] < 0 && !o.Unknown:
			l.value[i] = of(l.object[i], o.Result)
		}
	}
}

// takeEdges reads the explicit edges and finds the operations that can be linearized at once.
func (l *problem) takeEdges(edges []history.Edge) {
	l.hasEdge = make([]bool, l.n)
	l.atOnce = make([]bool, l.n)
	for i := range l.n {
		l.atOnce[i] = l.bound.ReadOnly[i] && l.groups[l.group[i]].bound == 0 && (l.bound.Items.Delta == nil ||
			l.bound.Items.Delta[i] == 0)
	}
	for _, e := range edges {
		l.hasEdge[e.Before], l.hasEdge[e.After] = true, true
	}
	l.needs = layout.NewLists(l.n, len(edges), func(k int) (history.OpID, history.OpID) {
		if e := edges[k]; l.completed(e.Before) {
			return e.After, e.Before
		}
		return -1, 0
	})
	l.bars = layout.NewLists(l.n, len(edges), func(k int) (history.OpID, history.OpID) {
		if e := edges[k]; !l.completed(e.Before) {
			return e.Before, e.After
		}
		return -1, 0
	})
}

// groupPending divides the pending operations into classes. An operation that a pending one may not
// follow is not linearized at once.
func (l *problem) groupPending() {
	l.pendingClass = make([]pendingClassID, l.n)
	byKind := map[int32]pendingClassID{}
	classes := pendingClassID(0)
	for i := range l.n {
		l.pendingClass[i] = -1
		if l.completed(i) || l.atOnce[i] {
			continue
		}
		f, ok := byKind[l.kind[i]]
		if !ok || l.hasEdge[i] {
			f = classes
			classes++
			g := &l.groups[l.group[i]]
			g.pendingClasses = append(g.pendingClasses, f)
			if !l.hasEdge[i] {
				byKind[l.kind[i]] = f
			}
		}
		l.pendingClass[i] = f
	}
	l.members = layout.NewLists(classes, int(l.n), func(i int) (pendingClassID, history.OpID) {
		return l.pendingClass[i], history.OpID(i)
	})
	for i := range l.n {
		if l.pendingClass[i] >= 0 {
			for _, after := range l.bars.Of(i) {
				l.atOnce[after] = false
			}
		}
	}
}

// matchRemovers pairs the insertions of every value, by call, with its removals, by return.
func (l *problem) matchRemovers() {
	type item struct {
		object model.ObjectID
		value  history.Value
	}
	removals := map[item][]history.Rank{}
	for i := range l.n {
		if o := &l.ops[i]; l.bound.Items.Delta[i] < 0 && l.completed(i) && !o.Unknown {
			k := item{l.object[i], o.Result}
			removals[k] = append(removals[k], o.Return)
		}
	}
	for _, returns := range removals {
		slices.Sort(returns)
	}
	l.remover = make([]history.Rank, l.n)
	for i := range l.n {
		l.remover[i] = history.Never
		if l.bound.Items.Delta[i] <= 0 {
			continue
		}
		k := item{l.object[i], l.ops[i].Arg}
		if returns := removals[k]; len(returns) > 0 {
			l.remover[i], removals[k] = returns[0], returns[1:]
		}
	}
}
