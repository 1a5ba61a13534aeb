package smt

// Queues, stacks and priority queues with integers.
//
// What: q is the place of a removal in ρ′, s its slot in ρ″ (the same without a factor), l the slot
// at which an item leaves, g the number of removals before an insertion or peek. |q - s| ≤ K is the
// factor. Removals that do not take effect have the last places, which are their slots. t is the
// item that a removal takes. The conditions are those of the disciplines: whatever must have left
// before x has left when x leaves.
//
// Windows that follow from time leave out conditions that always hold.

import (
	"fmt"
	"slices"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/quasi"
)

// window is a range of numbers.
type window struct{ lo, hi int }

// stored is an item.
type stored struct {
	op     int // or -1
	age    int // of items at the start, the oldest first
	value  int32
	in     string
	leaves string // its slot
	slot   window
	passed string // removals before it is inserted
	before window
}

// taking is a removal.
type taking struct {
	op          int
	value       int32
	in, takes   string
	place, slot string
	may         window // of its slot
	nothing     string // it takes effect and finds nothing
}

// object is one collection.
type object struct {
	*question
	theory   *model.CollectionTheory
	which    model.CellID    // of them
	factor   *quasi.Question // or nil
	bound    int
	items    []stored
	removals []taking
	total    int // slots
}

// collections adds all collections. It returns why there is no formula, or "".
func (q *question) collections(b *model.Instance, t *model.CollectionTheory, factor *quasi.Question) string {
	bound := 0
	if factor != nil {
		k, why := boundOf(b, t, factor)
		if why != "" {
			return why
		}
		bound = k
	}
	for k := range t.Initial {
		o := &object{question: q, theory: t, which: model.CellID(k), factor: factor, bound: bound}
		o.collect()
		if why := o.supported(); why != "" {
			return why
		}
		o.build()
		if factor != nil {
			q.drain, q.rearrange = o.total-len(o.removals), o.rearranged
		}
		if !q.room() {
			return ""
		}
	}
	return ""
}

// boundOf returns the bound of removals, or why there is no formula.
func boundOf(b *model.Instance, t *model.CollectionTheory, factor *quasi.Question) (bound int, why string) {
	if b.Class == nil || len(t.Initial) != 1 {
		return 0, "a factor is known of one collection"
	}
	info := b.Spec.Info()
	removals := slices.IndexFunc(info.Classes, func(c model.Class) bool {
		return slices.Contains(c.Operations, info.Drain)
	})
	for i, c := range b.Class {
		switch {
		case (int(c) == removals) != (t.Does[i] == model.Remove):
			return 0, "operations of one kind in several classes"
		case t.Does[i] != model.Remove && c >= 0 && int(c) < len(factor.Factor) && factor.Factor[c] != 0:
			return 0, "only removals may move"
		case t.Does[i] == model.Peek && factor.Meaning == quasi.Classes:
			return 0, "no formula for peeks under classes"
		}
	}
	bound = int(factor.Factor[removals])
	if factor.Factor[removals] == quasi.Unbounded {
		bound = len(t.Value) + len(t.Initial[0])
	}
	return bound, ""
}

// collect lists items and removals.
func (o *object) collect() {
	t := o.theory
	for k, v := range t.Initial[o.which] {
		age := k
		if t.Discipline == model.LIFO {
			age = -k
		}
		o.items = append(o.items, stored{op: -1, age: age, value: v, in: yes})
	}
	for i, does := range t.Does {
		switch {
		case t.Object[i] != o.which:
		case does == model.Insert:
			o.items = append(o.items, stored{op: i, value: t.Value[i], in: o.in[i]})
		case does == model.Remove:
			o.removals = append(o.removals, taking{op: i, value: t.Value[i], in: o.in[i], nothing: no})
		}
	}
}

// supported returns why there is no formula, or "".
func (o *object) supported() string {
	if o.factor == nil {
		return ""
	}
	seen := map[int32]bool{}
	for _, x := range o.items {
		if x.in != yes && o.factor.Drain {
			return "no formula for pending operations under a factor with drains"
		}
		if seen[x.value] && o.factor.Causal {
			return "no formula for causality where values repeat"
		}
		seen[x.value] = true
	}
	for _, r := range o.removals {
		if o.factor.Drain && r.value == model.Anything {
			return "no formula for unknown results under a factor with drains"
		}
	}
	return ""
}

func (o *object) drains() bool { return o.factor != nil && o.factor.Drain }

func (o *object) classes() bool { return o.factor != nil && o.factor.Meaning == quasi.Classes }

// build adds the conditions.
func (o *object) build() {
	o.total = len(o.removals)
	if o.drains() {
		left := len(o.items)
		for _, r := range o.removals {
			if r.value != model.Nothing {
				left--
			}
		}
		o.total += max(0, left)
	}
	for _, step := range [...]func(){o.places, o.matches, o.inserted, o.discipline} {
		if step(); !o.room() {
			return
		}
	}
	for i, does := range o.theory.Does {
		if does == model.Peek && o.theory.Object[i] == o.which && o.in[i] == yes {
			if o.peek(i); !o.room() {
				return
			}
		}
	}
}

// around returns how many removals surely come before op, and how many may not come after it.
func (o *object) around(op int) window {
	w := window{0, len(o.removals)}
	for _, r := range o.removals {
		switch o.open(r.op, op) {
		case yes:
			if r.in == yes {
				w.lo++
			}
		case no:
			w.hi--
		}
	}
	return w
}

// places adds the places and slots of removals.
func (o *object) places() {
	for k := range o.removals {
		if !o.room() {
			break
		}
		r := &o.removals[k]
		r.place = o.integer(fmt.Sprintf("q%d", r.op))
		o.assert(and(atLeast(r.place, 1), atMost(r.place, len(o.removals))))
		w := o.around(r.op)
		r.slot, r.may = r.place, window{w.lo + 1, w.hi + 1}
		if r.in != yes {
			r.may = window{1, len(o.removals)}
		}
		if o.bound > 0 {
			r.slot = o.integer(fmt.Sprintf("s%d", r.op))
			r.may = window{max(1, r.may.lo-o.bound), min(o.total, r.may.hi+o.bound)}
			o.assert(and(atLeast(r.slot, 1), atMost(r.slot, o.total)))
			o.imply([]string{r.in}, less(r.slot, -o.bound, r.place))
			o.imply([]string{r.in}, less(r.place, -o.bound, r.slot))
			o.imply([]string{not(r.in)}, "(= "+r.slot+" "+r.place+")")
		}
	}
	for k := range o.removals {
		if !o.room() {
			break
		}
		r := &o.removals[k]
		soonest := history.Never
		for j := k + 1; j < len(o.removals) && o.room(); j++ {
			u := &o.removals[j]
			first := less(r.place, 1, u.place)
			switch o.open(r.op, u.op) {
			case yes:
				if ops := o.part.Ops; ops[u.op].Call < soonest {
					o.assert(first)
					soonest = min(soonest, ops[u.op].Return)
				}
			default:
				o.assert("(= " + o.before(r.op, u.op) + " " + first + ")")
				o.assert(or(first, less(u.place, 1, r.place)))
			}
			o.imply([]string{r.in, not(u.in)}, first)
			o.imply([]string{u.in, not(r.in)}, less(u.place, 1, r.place))
			if o.bound > 0 && r.may.lo <= u.may.hi && u.may.lo <= r.may.hi {
				o.assert(or(less(r.slot, 1, u.slot), less(u.slot, 1, r.slot)))
			}
		}
	}
}

// matches adds what removals take, and when items leave.
func (o *object) matches() {
	byValue := map[int32][]int{}
	takers := map[int32][]int{}
	for k, x := range o.items {
		byValue[x.value] = append(byValue[x.value], k)
	}
	for k, r := range o.removals {
		takers[r.value] = append(takers[r.value], k)
	}
	sure := func(v int32) bool {
		return len(byValue[v]) == 1 && len(takers[v]) == 1 && o.removals[takers[v][0]].in == yes
	}
	all := make([]int, len(o.items))
	for k := range all {
		all[k] = k
	}
	outs := make([][]string, len(o.items))
	for k := range o.items {
		if !o.room() {
			break
		}
		x := &o.items[k]
		if sure(x.value) {
			r := &o.removals[takers[x.value][0]]
			x.leaves, x.slot = r.slot, r.may
			o.assert(x.in)
			continue
		}
		x.leaves, x.slot = o.integer(fmt.Sprintf("l%d_%d", o.which, k)), window{1, o.total + 1}
		o.assert(and(atLeast(x.leaves, 1), atMost(x.leaves, o.total+1)))
	}
	for k := range o.removals {
		if !o.room() {
			break
		}
		r := &o.removals[k]
		candidates := byValue[r.value]
		switch {
		case r.value == model.Nothing:
			r.nothing = r.in
			continue
		case r.value == model.Anything:
			candidates = all
		case sure(r.value):
			continue
		}
		r.takes = o.integer(fmt.Sprintf("t%d", r.op))
		var some []string
		for _, x := range candidates {
			y := &o.items[x]
			if sure(y.value) {
				continue
			}
			this := is(r.takes, x)
			some = append(some, this)
			outs[x] = append(outs[x], this)
			o.imply([]string{this}, r.in)
			o.imply([]string{this}, y.in)
			o.imply([]string{this}, "(= "+y.leaves+" "+r.slot+")")
		}
		if r.value == model.Anything {
			r.nothing = and(r.in, is(r.takes, len(o.items)))
			some = append(some, is(r.takes, len(o.items)))
		}
		o.imply([]string{r.in}, some...)
	}
	for k := range o.items {
		if !o.room() {
			break
		}
		if x := &o.items[k]; !sure(x.value) {
			o.rest(k, outs[k], sure)
		}
	}
}

// rest adds that an item is taken, drained, or stays.
func (o *object) rest(k int, taken []string, sure func(int32) bool) {
	x := &o.items[k]
	if !o.drains() {
		o.imply([]string{x.in}, append(taken, is(x.leaves, o.total+1))...)
		// What nothing takes stays, whatever its slot might say.
		for _, r := range o.removals {
			if r.takes == "" {
				o.differ(x.leaves, r.slot)
				continue
			}
			o.imply([]string{"(= " + x.leaves + " " + r.slot + ")", r.in, x.in}, is(r.takes, k))
		}
		return
	}
	o.assert(atMost(x.leaves, o.total))
	x.slot.hi = o.total
	if len(taken) == 0 {
		x.slot.lo = max(1, len(o.removals)+1-o.bound)
	}
	o.assert(or(append(taken, atLeast(x.leaves, max(1, len(o.removals)+1-o.bound)))...))
	for j := range k {
		if y := &o.items[j]; !sure(y.value) {
			o.differ(x.leaves, y.leaves)
		}
	}
	for _, r := range o.removals {
		if r.takes == "" {
			if x.slot.lo <= r.may.hi {
				o.differ(x.leaves, r.slot)
			}
			continue
		}
		o.imply([]string{"(= " + x.leaves + " " + r.slot + ")"}, is(r.takes, k))
	}
}

func (o *object) differ(x, y string) { o.assert(or(less(x, 1, y), less(y, 1, x))) }

// passing adds the number of removals before operation op in ρ′.
func (o *object) passing(op int, name string) (string, window) {
	g := o.integer(name)
	w := o.around(op)
	o.assert(and(atLeast(g, w.lo), atMost(g, w.hi)))
	for _, r := range o.removals {
		o.assert(fmt.Sprintf("(= %s %s)", and(r.in, o.open(r.op, op)), less(r.place, 0, g)))
	}
	return g, w
}

// inserted adds how many removals come before each insertion.
func (o *object) inserted() {
	for k := range o.items {
		if !o.room() {
			break
		}
		x := &o.items[k]
		switch {
		case x.op < 0:
			x.passed = o.integer(fmt.Sprintf("z%d_%d", o.which, k))
			o.assert(is(x.passed, 0))
		case o.classes():
			x.passed, x.before = o.integer(fmt.Sprintf("lg%d", x.op)), window{0, o.total}
			o.assert(and(atLeast(x.passed, 0), atMost(x.passed, o.total)))
		default:
			x.passed, x.before = o.passing(x.op, fmt.Sprintf("g%d", x.op))
		}
		o.imply([]string{x.in}, less(x.passed, 1, x.leaves))
		if o.factor == nil || !o.factor.Causal || x.op < 0 {
			continue
		}
		for j, r := range o.removals {
			switch {
			case r.takes != "":
				o.imply([]string{is(r.takes, k)}, o.open(x.op, r.op))
			case r.value == x.value && o.items[k].leaves == o.removals[j].slot:
				o.assert(o.open(x.op, r.op))
			}
		}
	}
	if !o.classes() {
		return
	}
	for k := range o.items {
		if !o.room() {
			break
		}
		for j := range o.items {
			if x, y := &o.items[k], &o.items[j]; k != j && x.op >= 0 && y.op >= 0 {
				o.imply([]string{x.in, y.in, o.first(x, y)}, less(x.passed, 0, y.passed))
			}
		}
	}
}

// first says that x is inserted before y.
func (o *object) first(x, y *stored) string {
	switch {
	case x.op < 0 && y.op < 0:
		if x.age < y.age {
			return yes
		}
		return no
	case x.op < 0:
		return yes
	case y.op < 0:
		return no
	}
	return o.open(x.op, y.op)
}

// discipline adds what must have left when an item leaves, or nothing is found.
func (o *object) discipline() {
	for k := range o.items {
		if !o.room() {
			break
		}
		x := &o.items[k]
		leaves := []string{x.in, atMost(x.leaves, o.total)}
		for j := range o.items {
			y := &o.items[j]
			switch t := o.theory; {
			case k == j || !o.room():
			case t.Discipline == model.FIFO:
				if x.slot.hi >= y.slot.lo {
					o.imply([]string{x.in, y.in, atMost(y.leaves, o.total), o.first(x, y)}, less(x.leaves, 1, y.leaves))
				}
			case t.Discipline == model.LIFO:
				o.gone(y, x.leaves, x.slot, append(leaves, o.first(x, y)))
			case t.Rank[y.value] < t.Rank[x.value]:
				o.gone(y, x.leaves, x.slot, leaves)
			}
		}
	}
	for k := range o.removals {
		if !o.room() {
			break
		}
		r := &o.removals[k]
		for j := range o.items {
			if r.nothing != no && o.room() {
				o.gone(&o.items[j], r.slot, r.may, []string{r.nothing})
			}
		}
	}
}

// gone adds, under conditions, that y is inserted after a slot, or leaves before it.
func (o *object) gone(y *stored, at string, may window, conditions []string) {
	if y.slot.hi < may.lo || min(may.hi, o.total) <= y.before.lo {
		return
	}
	o.imply(append(conditions[:len(conditions):len(conditions)], y.in), less(at, 0, y.passed), less(y.leaves, 1, at))
}

// peek adds what a peek saw.
func (o *object) peek(op int) {
	v := o.theory.Value[op]
	if v == model.Anything {
		return
	}
	passed, _ := o.passing(op, fmt.Sprintf("g%d", op))
	there := func(x *stored) string {
		if x.op < 0 {
			return yes
		}
		return o.open(x.op, op)
	}
	hidden := func(y *stored) string { return or(not(y.in), not(there(y)), less(y.leaves, 0, passed)) }
	var some []string
	for k := range o.items {
		if !o.room() {
			break
		}
		x := &o.items[k]
		if v == model.Nothing {
			o.assert(hidden(x))
			continue
		}
		if x.value != v {
			continue
		}
		sees := []string{x.in, there(x), less(passed, 1, x.leaves)}
		for j := range o.items {
			y := &o.items[j]
			switch t := o.theory; {
			case j == k:
			case t.Discipline == model.FIFO:
				sees = append(sees, or(not(o.first(y, x)), hidden(y)))
			case t.Discipline == model.LIFO:
				sees = append(sees, or(not(o.first(x, y)), hidden(y)))
			case t.Rank[y.value] < t.Rank[x.value]:
				sees = append(sees, hidden(y))
			}
		}
		some = append(some, and(sees...))
	}
	if v != model.Nothing {
		o.assert(or(some...))
	}
}

// rearranged reads ρ″: under slots, removals and drains exchange places; under classes, insertions
// come after as many of them as the model says.
func (o *object) rearranged(first []history.OpID, value func(name string) int64) []history.OpID {
	n := history.OpID(len(o.in))
	slot := map[history.OpID]int64{}
	isRemoval := map[history.OpID]bool{}
	passed := map[history.OpID]int64{}
	for _, r := range o.removals {
		isRemoval[history.OpID(r.op)] = true
		if o.bound > 0 {
			slot[history.OpID(r.op)] = value(r.slot)
		}
	}
	used := map[int64]bool{}
	place := int64(0)
	var removals []history.OpID // with drains, in the order of ρ′
	for _, i := range first {
		if i < n && !isRemoval[i] {
			continue
		}
		place++
		removals = append(removals, i)
		if i < n && o.bound == 0 {
			slot[i] = place
		}
		if i < n {
			used[slot[i]] = true
		}
	}
	free := int64(1) // the drains take what is left, in order
	for _, i := range removals {
		if i >= n {
			for used[free] {
				free++
			}
			slot[i], used[free] = free, true
		}
	}
	for _, x := range o.items {
		if x.op >= 0 && o.classes() {
			passed[history.OpID(x.op)] = value(x.passed)
		}
	}
	slices.SortStableFunc(removals, func(x, y history.OpID) int { return int(slot[x] - slot[y]) })
	var second []history.OpID
	next := 0
	for _, i := range first {
		switch {
		case o.classes() && (i >= n || isRemoval[i]):
		case o.classes():
			for next < len(removals) && int64(next) < passed[i] {
				second = append(second, removals[next])
				next++
			}
			second = append(second, i)
		case i >= n || isRemoval[i]:
			second = append(second, removals[next])
			next++
		default:
			second = append(second, i)
		}
	}
	if o.classes() {
		second = append(second, removals[next:]...)
	}
	return second
}
