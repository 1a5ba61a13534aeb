package verify

import (
	"slices"
	"sort"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/proof"
	"github.com/linsat/linsat/internal/verify/base"
)

// Refutations of collections with distinct values.
//
// What: the verifier takes from a refutation only which values are meant. It finds their
// operations, and all pending removals, in the partition itself, sees to it that every named value
// is inserted once and that nothing completed has an unknown result, and then checks what the rule
// says on the ranks. Only a value that is overdrawn may be inserted more than once: its insertions
// and removals are counted.
//
// Why that is enough: leaving out all operations on a value, or one that found nothing, leaves a
// legal sequence legal. So what no linearization can do with the named values alone, it cannot do
// with all. A pending removal may take any value, or none; the named values that no completed
// operation removes take distinct ones.
//
// Cost: a pass over the partition, and O(k log k) for k named values.

// Collection checks that r refutes b's partition, one queue, stack or priority queue; where values
// are counted, one deque, too. Of a queue of limited capacity it looks at the queue that allows
// more (model.Instance.Taken). It returns nil or what is wrong.
func Collection(b *model.Instance, r *proof.CollectionConflict) error {
	t, ok := b.Theory.(*model.CollectionTheory)
	_, bounded := b.Theory.(*model.BoundedQueueTheory)
	if !ok && r != nil && (bounded || r.Rule == proof.NeverInserted || r.Rule == proof.Overdrawn) {
		t = b.Taken()
	}
	switch {
	case t == nil:
		return base.Faultf("", "the partition is not a queue, stack or priority queue")
	case len(t.Initial) != 1:
		return base.Faultf("", "the partition has %d objects, not one", len(t.Initial))
	case r == nil || len(r.Values) == 0:
		return base.Faultf("", "no value is named")
	}
	j := &collectionChecker{part: b.Partition, theory: t, item: make(map[int32]int, len(r.Values))}
	named := r.Values
	if r.Via >= 0 {
		named = append(slices.Clone(named), r.Via)
	}
	for k, v := range named {
		if _, twice := j.item[v]; twice || v < 0 || int(v) >= t.Values {
			return base.Faultf(base.Value(b.Partition, t, v), "it is named twice, or there is no such value among %d",
				t.Values)
		}
		j.item[v] = k
	}
	j.items = make([]namedValue, len(named))
	if err := j.gather(r); err != nil {
		return err
	}
	switch r.Rule {
	case proof.RemovedTwice, proof.NeverInserted, proof.Disordered:
		return j.alone(r)
	case proof.Covered, proof.Outranked:
		return j.during(r)
	case proof.Blocked:
		return j.blocked()
	case proof.Overtaken:
		return j.overtaken(r)
	case proof.Crossed:
		return j.crossed(r)
	case proof.Overdrawn:
		return j.overdrawn(r)
	}
	return base.Faultf("", "it is unknown")
}

// span is a time: in the gaps between ranks from call to return.
type span struct {
	op        history.OpID
	call, ret int64
}

// namedValue is a named value: its operations, those that completed and a pending insertion.
type namedValue struct {
	value    int32
	inserted int // how often
	insert   span
	peeks    []span
	removals []span
}

type collectionChecker struct {
	part    *model.Partition
	theory  *model.CollectionTheory
	item    map[int32]int
	items   []namedValue
	pending []int64 // calls of pending removals, ascending
}

const forever = int64(history.Never)

// of names a value, ops the operations of spans.
func (j *collectionChecker) of(x *namedValue) string { return base.Value(j.part, j.theory, x.value) }

func (j *collectionChecker) ops(spans []span) string {
	var ops []history.OpID
	for _, s := range spans {
		ops = append(ops, s.op)
	}
	return base.Op(j.part, ops...)
}

// gather finds the operations of the named values.
func (j *collectionChecker) gather(r *proof.CollectionConflict) error {
	t := j.theory
	start := t.Initial[0]
	for k, v := range start {
		if i, ok := j.item[v]; ok {
			x := &j.items[i]
			x.inserted++
			before := int64(len(start) - k) // next to leave was inserted first
			if t.Discipline == model.LIFO {
				before = int64(k + 1)
			}
			x.insert = span{-1, -2 * before, -2*before + 1}
		}
	}
	for v, i := range j.item {
		j.items[i].value = v
	}
	for i := range j.part.Ops {
		if t.Does[i] == model.Aside {
			continue
		}
		o := &j.part.Ops[i]
		s := span{history.OpID(i), int64(o.Call), int64(o.Return)}
		if o.Pending() {
			s.ret = forever
			if t.Does[i] == model.Remove {
				j.pending = append(j.pending, s.call)
				continue
			}
			if t.Does[i] == model.Peek {
				continue
			}
		}
		if t.Value[i] == model.Anything {
			return base.Faultf(base.Op(j.part, history.OpID(i)), "its result is not known, so it may concern any value")
		}
		k, ok := j.item[t.Value[i]]
		if !ok {
			continue
		}
		x := &j.items[k]
		switch t.Does[i] {
		case model.Insert:
			x.inserted++
			x.insert = s
		case model.Peek:
			x.peeks = append(x.peeks, s)
		case model.Remove:
			x.removals = append(x.removals, s)
		}
	}
	slices.Sort(j.pending)
	if r.Rule == proof.RemovedTwice || r.Rule == proof.NeverInserted || r.Rule == proof.Overdrawn {
		return nil
	}
	for i := range j.items {
		x := &j.items[i]
		switch {
		case x.inserted != 1:
			return base.Faultf(j.of(x), "it is inserted %d times, not once", x.inserted)
		case len(x.removals) > 1:
			return base.Faultf(j.of(x), "it is removed %d times (%s)", len(x.removals), j.ops(x.removals))
		case x.insert.ret == forever && len(x.peeks)+len(x.removals) == 0:
			return base.Faultf(j.of(x),
				"its insertion is pending and nothing saw it, so it may never have been inserted")
		}
	}
	return nil
}

// alone checks what operations on one value contradict.
func (j *collectionChecker) alone(r *proof.CollectionConflict) error {
	if len(j.items) != 1 {
		return base.Faultf(j.of(&j.items[0]), "expected exactly one value, got %d", len(j.items))
	}
	x := &j.items[0]
	find := func(spans []span, op history.OpID) bool {
		return slices.ContainsFunc(spans, func(s span) bool { return s.op == op && op >= 0 })
	}
	switch r.Rule {
	case proof.RemovedTwice:
		if x.inserted > 1 || r.Op == r.Other || !find(x.removals, r.Op) || !find(x.removals, r.Other) {
			return base.Faultf(j.of(x), "it is inserted %d times, or not removed by both of %s", x.inserted,
				base.Op(j.part, r.Op, r.Other))
		}
	case proof.NeverInserted:
		if x.inserted > 0 || !find(x.removals, r.Op) && !find(x.peeks, r.Op) {
			return base.Faultf(j.of(x), "it is inserted %d times, or %s does not return it", x.inserted,
				base.Op(j.part, r.Op))
		}
	default:
		all := append(append([]span{x.insert}, x.peeks...), x.removals...)
		if !find(all, r.Op) || !find(all, r.Other) || !j.part.Precedes(r.Op, r.Other) {
			return base.Faultf(base.Op(j.part, r.Op, r.Other),
				"they are not both on %s, or the first did not return before the second was called", j.of(x))
		}
		if r.Other != x.insert.op && !find(x.removals, r.Op) {
			return base.Faultf(base.Op(j.part, r.Op, r.Other),
				"they may come in this order: the first does not remove %s, and the second does not insert it", j.of(x))
		}
	}
	return nil
}

// inside returns from when to when the value is certainly there, if from < to: from the first
// return to the last call. A value without a completed removal stays after that, unless a pending
// one takes it.
func (x *namedValue) inside() (from, to int64) {
	from, to = x.insert.ret, x.insert.call
	for _, s := range append(x.peeks, x.removals...) {
		from, to = min(from, s.ret), max(to, s.call)
	}
	return from, to
}

// cut returns an operation of x in the time that the other ones leave it.
func (x *namedValue) cut(s span) span {
	removal, insertion := len(x.removals) == 1 && s.op == x.removals[0].op, s.op == x.insert.op
	if !insertion {
		s.call = max(s.call, x.insert.call)
	}
	if !removal && len(x.removals) == 1 {
		s.ret = min(s.ret, x.removals[0].ret)
	}
	for _, p := range x.peeks {
		if removal {
			s.call = max(s.call, p.call)
		}
		if insertion {
			s.ret = min(s.ret, p.ret)
		}
	}
	return s
}

// cover says of every time which values are certainly inside: stretches from one rank to the next.
type cover struct {
	at    []int64 // stretch k is from at[k] to at[k+1]
	count []int   // values inside by their own operations
	sum   []int   // of their indices
	// values inserted that no completed operation removes, minus pending removals called
	spare []int
}

func (j *collectionChecker) cover(items []int) *cover {
	type event struct {
		at                int64
		count, sum, spare int
	}
	var events []event
	for _, i := range items {
		x := &j.items[i]
		from, to := x.inside()
		if len(x.removals) == 0 {
			events = append(events, event{at: from, spare: 1})
		}
		if from < to {
			events = append(events, event{at: from, count: 1, sum: i}, event{at: to, count: -1, sum: -i})
		}
	}
	for _, call := range j.pending {
		events = append(events, event{at: call, spare: -1})
	}
	sort.Slice(events, func(a, b int) bool { return events[a].at < events[b].at })
	c := &cover{at: []int64{-forever}, count: []int{0}, sum: []int{0}, spare: []int{0}}
	for _, e := range events {
		k := len(c.at) - 1
		if c.at[k] < e.at {
			c.at, c.count, c.sum, c.spare = append(c.at, e.at), append(c.count, c.count[k]), append(c.sum, c.sum[k]),
				append(c.spare, c.spare[k])
			k++
		}
		c.count[k] += e.count
		c.sum[k] += e.sum
		c.spare[k] += e.spare
	}
	return c
}

// stretches returns the first stretch that meets s and the first that is after it.
func (c *cover) stretches(s span) (from, to int) {
	from, exact := slices.BinarySearch(c.at, s.call)
	if !exact {
		from--
	}
	to, _ = slices.BinarySearch(c.at, s.ret)
	return from, to
}

// overdrawn checks that more removals of a value had returned, by the return of one of them, than
// insertions of it were called.
func (j *collectionChecker) overdrawn(r *proof.CollectionConflict) error {
	v, n := r.Values[0], 0
	at := slices.IndexFunc(j.items[0].removals, func(s span) bool { return s.op == r.Op })
	if len(r.Values) > 1 || at < 0 {
		return base.Faultf(base.Op(j.part, r.Op), "it is no completed removal of the one value that is named (of %d)",
			len(r.Values))
	}
	until := j.items[0].removals[at].ret
	for _, s := range j.items[0].removals {
		if s.ret <= until {
			n--
		}
	}
	for _, x := range j.theory.Initial[0] {
		if x == v {
			n++
		}
	}
	for i := range j.part.Ops {
		if j.theory.Does[i] == model.Insert && j.theory.Value[i] == v && int64(j.part.Ops[i].Call) <= until {
			n++
		}
	}
	if n >= 0 {
		return base.Faultf(base.Op(j.part, r.Op),
			"by its return %s can have been inserted as often as it was removed, or %d times more",
			j.of(&j.items[0]), n)
	}
	return nil
}

// during checks that an operation is open only while some of the values, which it does not allow,
// are inside.
func (j *collectionChecker) during(r *proof.CollectionConflict) error {
	if r.Op < 0 || int(r.Op) >= j.part.Len() || j.part.Ops[r.Op].Pending() || j.theory.Does[r.Op] != model.Remove &&
		j.theory.Does[r.Op] != model.Peek {
		return base.Faultf(base.Op(j.part, r.Op), "it is no completed removal or peek")
	}
	o, v := &j.part.Ops[r.Op], j.theory.Value[r.Op]
	s := span{r.Op, int64(o.Call), int64(o.Return)}
	if r.Rule == proof.Covered {
		if v != model.Nothing {
			return base.Faultf(base.Op(j.part, r.Op), "it did not find the collection empty")
		}
	} else {
		if j.theory.Discipline != model.ByPriority || v < 0 {
			return base.Faultf(base.Op(j.part, r.Op), "it finds no value of a priority queue")
		}
		for i := range j.items {
			if j.theory.Rank[j.items[i].value] >= j.theory.Rank[v] {
				return base.Faultf(base.Op(j.part, r.Op), "%s does not go before what it finds", j.of(&j.items[i]))
			}
		}
		own := &collectionChecker{part: j.part, theory: j.theory, item: map[int32]int{v: 0},
			items: make([]namedValue, 1)}
		if err := own.gather(r); err != nil {
			return err
		}
		s = own.items[0].cut(s)
	}
	c := j.cover(j.all())
	for k, to := c.stretches(s); k < to; k++ {
		if c.count[k] == 0 && c.spare[k] <= 0 {
			return base.Faultf(base.Op(j.part, r.Op),
				"after rank %d none of the values is certainly inside, so it may take effect then",
				max(c.at[k], s.call))
		}
	}
	return nil
}

func (j *collectionChecker) all() []int {
	out := make([]int, len(j.items))
	for i := range out {
		out[i] = i
	}
	return out
}

// blocked checks that every value has an operation that is open only while others are inside.
func (j *collectionChecker) blocked() error {
	if j.theory.Discipline != model.LIFO {
		return base.Faultf("", "the collection is not a stack")
	}
	c := j.cover(j.all())
	n := len(c.at)
	free := make([]int, n+1)  // stretches before, in which nothing is inside
	spare := make([]int, n+1) // those in which one value is, not removed by a completed operation
	only := make([][]int, len(j.items))
	for k := range n {
		free[k+1], spare[k+1] = free[k], spare[k]
		switch {
		case c.count[k] == 0 && c.spare[k] <= 0:
			free[k+1]++
		case c.count[k] == 0 && c.spare[k] == 1:
			spare[k+1]++
		case c.count[k] == 1 && c.spare[k] <= 1-len(j.items[c.sum[k]].removals):
			only[c.sum[k]] = append(only[c.sum[k]], k)
		}
	}
	for i := range j.items {
		x := &j.items[i]
		inside, _ := x.inside()
		fits := func(s span) bool {
			s = x.cut(s)
			from, to := c.stretches(s)
			if from >= to || free[from] < free[to] {
				return true
			}
			if len(x.removals) == 0 {
				since, exact := slices.BinarySearch(c.at, inside)
				if !exact {
					since--
				}
				if since = max(since, from); since < to && spare[since] < spare[to] {
					return true
				}
			}
			k, _ := slices.BinarySearch(only[i], from)
			return k < len(only[i]) && only[i][k] < to
		}
		blocked := !fits(x.insert)
		for _, s := range append(x.peeks, x.removals...) {
			blocked = blocked || !fits(s)
		}
		if !blocked {
			return base.Faultf(j.of(x), "it may have been pushed before all others")
		}
	}
	return nil
}

// atFront returns the first return and the last call of what the value does at the front of a
// queue. If no completed operation removes it, a pending one does, or none.
func (j *collectionChecker) atFront(x *namedValue) (first, last int64) {
	first, last = forever, x.insert.call
	for _, s := range append(x.peeks, x.removals...) {
		first, last = min(first, s.ret), max(last, s.call)
	}
	if len(x.removals) == 0 {
		if len(j.pending) == 0 {
			return first, forever
		}
		last = max(last, j.pending[0])
	}
	return first, last
}

func (j *collectionChecker) overtaken(r *proof.CollectionConflict) error {
	if j.theory.Discipline != model.FIFO || len(r.Values) < 2 {
		return base.Faultf("", "the collection is not a queue, or no value is overtaken (%d are named)", len(r.Values))
	}
	v := &j.items[0]
	first, _ := j.atFront(v)
	if first == forever {
		return base.Faultf(j.of(v), "no completed operation has seen it at the front")
	}
	behind := v.insert.call
	if r.Via >= 0 {
		via := &j.items[len(j.items)-1]
		before, _ := j.atFront(via)
		if _, last := j.atFront(v); before >= last {
			return base.Faultf(j.of(via), "it was not certainly at the front before %s", j.of(v))
		}
		behind = via.insert.call
	}
	still, stay := false, 0
	for i := 1; i < len(r.Values); i++ {
		x := &j.items[i]
		in, _ := x.inside()
		if in >= behind {
			return base.Faultf(j.of(x),
				"its insertion did not return before that of the value that overtakes it was called")
		}
		_, last := j.atFront(x)
		still = still || last > first
		if len(x.removals) == 0 {
			stay++
		}
	}
	called, _ := slices.BinarySearch(j.pending, first)
	if !still && stay <= called {
		return base.Faultf(j.of(v),
			"no value is certainly ahead of it when it is at the front: all of the %d may have left", len(r.Values)-1)
	}
	return nil
}

func (j *collectionChecker) crossed(r *proof.CollectionConflict) error {
	if j.theory.Discipline != model.FIFO || len(r.Values) != 2 || r.Via >= 0 {
		return base.Faultf("", "expected two values of a queue, got %d", len(r.Values))
	}
	first0, last0 := j.atFront(&j.items[0])
	first1, last1 := j.atFront(&j.items[1])
	if first0 >= last1 || first1 >= last0 {
		return base.Faultf(j.of(&j.items[0]), "it may be at the front before or after all of %s", j.of(&j.items[1]))
	}
	return nil
}
