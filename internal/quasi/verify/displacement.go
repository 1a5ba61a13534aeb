package verify

// Checking refutations of relaxed FIFO queues against the raw intervals.
//
// What: step by step, a proof.Displacement states that the slot of a content or the place of a
// removal cannot be before or after some position, until no position is left. Each step follows by
// counting from the intervals and from earlier steps: c operations that must all come before y and
// cannot come before position p keep y from positions before p+c. The step names y, p and the
// result; the verifier itself finds which operations count.
//
// Why that is enough (distinct values, insertions in order, removals at most Bound away from their
// places): in ρ″ the s-th removal takes the content of slot s. Slots extend the order of the
// insertions, places the order of the removals. Slot and place of one removal differ by at most
// Bound. Items that stay come after all removals, or within Bound of them if they are drained. If
// the places of ρ″ are those of ρ′ (slots), a removal that returned before an insertion was called
// has its place before that insertion's slot; and at the slot of an empty result, everything
// inserted before any removal up to there has left.
//
// Cost: O(n log n) to read the history, then what the steps count.

import (
	"context"
	"fmt"
	"slices"
	"sort"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/proof"
	"github.com/linsat/linsat/internal/verify/base"
	"github.com/linsat/linsat/quasi"
)

// Displacement checks that the displacement proves that b is not quasi-linearizable under r. It
// returns nil, what is wrong with the proof, or the cause if ctx ended the check. Causality makes
// no difference: it only forbids more.
func Displacement(ctx context.Context, b *model.Instance, r *quasi.Question, refutation *proof.Displacement) error {
	return checkSteps(ctx, b, r, refutation, nil)
}

// checkSteps is Displacement; unless trace is nil, it tightens the steps, and records them there
// and what they rest on.
func checkSteps(ctx context.Context, b *model.Instance, r *quasi.Question, refutation *proof.Displacement,
	trace *trace) error {
	c, ok := b.Theory.(*model.CollectionTheory)
	if !ok || c.Discipline != model.FIFO || len(c.Initial) != 1 || len(b.Partition.Edges) > 0 {
		return base.Faultf("", "the partition is not one FIFO queue without explicit order")
	}
	j := &displacementChecker{ctx: ctx, part: b.Partition, ops: b.Partition.Ops, c: c, r: r, bound: refutation.Bound,
		n: len(b.Partition.Ops), trace: trace}
	if err := j.identify(); err != nil {
		return err
	}
	if len(refutation.Steps) == 0 {
		return base.Faultf("", "it has no steps")
	}
	if len(refutation.Steps) == 1 {
		if s := refutation.Steps[0]; s.Rule == proof.RuleNeverInserted || s.Rule == proof.RuleRemovedTwice {
			return j.flaw(s)
		}
	}
	if err := j.read(b); err != nil {
		return err
	}
	last := len(refutation.Steps) - 1
	for i, s := range refutation.Steps {
		ends := s.Rule == proof.RuleInverted || s.Rule == proof.RuleOverfull
		if ends != (i == last) {
			return base.Under(s.Rule.String(),
				base.Faultf(stepOf(i), "the last step must be the contradiction, and no other step may be one"))
		}
		if err := context.Cause(ctx); err != nil {
			return err
		}
		trace.begin(s)
		if err := j.step(s); err != nil {
			return base.Under(s.Rule.String(), base.Faultf(stepOf(i), "%w", err))
		}
		if s := trace.tight(s); trace != nil && !ends && j.emptied(s) {
			s = proof.DisplacementStep{Rule: proof.RuleInverted, Op: s.Op, Place: s.Place}
			trace.begin(s)
			return j.step(s)
		}
	}
	return nil
}

// displacementChecker checks one displacement. Operations have numbers: positions in the partition,
// and from n on the initial values. There are separate windows for slots (of insertions and empty
// results) and for places (of removals).
type displacementChecker struct {
	ctx   context.Context
	part  *model.Partition
	ops   []history.Op
	c     *model.CollectionTheory
	r     *quasi.Question
	bound int32
	n     int

	insertion  []history.OpID // by value: its insertion, or -1
	taker      []history.OpID // by value: the completed removal that returned it, or -1
	insertions []history.OpID // those that certainly take effect, by call
	removals   []history.OpID // completed ones, by call
	insByRet   []history.OpID
	remByRet   []history.OpID
	empties    []history.OpID // removals that found nothing
	m, drains  int32

	slot, place   [2][]int32 // by operation: the two ends of the window
	contents, rem []nearby

	trace *trace
}

// nearby is a variable at the position that counting alone gives it.
type nearby struct {
	at int32
	op history.OpID
}

// number returns the number of an operation that a step names.
func (j *displacementChecker) number(op history.OpID) (history.OpID, error) {
	if op < 0 {
		op = history.OpID(j.n) - 1 - op
	}
	if op < 0 || int(op) >= j.n+len(j.c.Initial[0]) {
		return 0, base.Faultf(j.of(op), "there is no such operation")
	}
	return op, nil
}

// of names an operation, an initial value or the drains; positions and stepOf name these.
func (j *displacementChecker) of(op history.OpID) string {
	switch k := int(op) - j.n; {
	case op == proof.Draining:
		return "drains"
	case op < 0:
		return fmt.Sprintf("initial value %d", -1-op)
	case k >= 0 && k < len(j.c.Initial[0]):
		return fmt.Sprintf("initial value %d", k)
	}
	return base.Op(j.part, op)
}

func positions(from, to int32) string { return fmt.Sprintf("positions %d to %d", from, to) }

func stepOf(i int) string { return fmt.Sprintf("step %d", i) }

func (j *displacementChecker) initial(op history.OpID) bool { return int(op) >= j.n }

// call and ret return the interval of an operation. Initial values come one after the other before
// everything else.
func (j *displacementChecker) call(op history.OpID) int64 {
	if j.initial(op) {
		return 2 * (int64(op) - int64(j.n) - int64(len(j.c.Initial[0])))
	}
	return int64(j.ops[op].Call)
}

func (j *displacementChecker) ret(op history.OpID) int64 {
	if j.initial(op) {
		return j.call(op) + 1
	}
	return int64(j.ops[op].Return)
}

func (j *displacementChecker) removal(op history.OpID) bool {
	return !j.initial(op) && j.c.Does[op] == model.Remove && !j.ops[op].Pending()
}

func (j *displacementChecker) empty(op history.OpID) bool {
	return j.removal(op) && j.c.Value[op] == model.Nothing
}

// identify finds the insertion of each value and checks that values are distinct.
func (j *displacementChecker) identify() error {
	values := j.c.Values
	for _, v := range j.c.Initial[0] {
		values = max(values, int(v)+1)
	}
	j.insertion, j.taker = make([]history.OpID, values), make([]history.OpID, values)
	for v := range values {
		j.insertion[v], j.taker[v] = -1, -1
	}
	for i, v := range j.c.Initial[0] {
		if j.insertion[v] >= 0 {
			return base.Faultf(base.Value(j.part, j.c, v), "the initial state holds it twice")
		}
		j.insertion[v] = history.OpID(j.n + i)
	}
	for i := range j.ops {
		if j.c.Does[i] != model.Insert {
			continue
		}
		if v := j.c.Value[i]; v < 0 || j.insertion[v] >= 0 {
			return base.Faultf(base.Op(j.part, history.OpID(i)), "its value is inserted twice")
		} else {
			j.insertion[v] = history.OpID(i)
		}
	}
	return nil
}

// flaw checks a refutation that holds under every bound.
func (j *displacementChecker) flaw(s proof.DisplacementStep) error {
	if s.Op < 0 || int(s.Op) >= j.n || !j.removal(s.Op) || j.c.Value[s.Op] < 0 {
		return base.Faultf(j.of(s.Op), "it is no completed removal of a value")
	}
	v := j.c.Value[s.Op]
	if s.Rule == proof.RuleNeverInserted {
		if j.insertion[v] >= 0 {
			return base.Faultf(j.of(s.Op), "its value is inserted by %s", j.of(j.insertion[v]))
		}
		return nil
	}
	if s.By < 0 || int(s.By) >= j.n || s.By == s.Op || !j.removal(s.By) || j.c.Value[s.By] != v {
		return base.Faultf(j.of(s.Op), "%s does not remove the same value", j.of(s.By))
	}
	return nil
}

// read finds the operations that certainly take effect and computes the first windows.
func (j *displacementChecker) read(b *model.Instance) error {
	left := int32(len(j.c.Initial[0]))
	for i := range j.ops {
		switch {
		case j.c.Does[i] == model.Remove && j.ops[i].Pending():
			return base.Faultf(j.of(history.OpID(i)), "pending removals are not supported")
		case j.c.Does[i] == model.Peek && !j.ops[i].Pending():
			return base.Faultf(j.of(history.OpID(i)), "completed peeks are not supported")
		case j.c.Does[i] != model.Remove:
			if cl := b.Class[i]; cl >= 0 && j.c.Does[i] == model.Insert && (int(cl) >= len(j.r.Factor) ||
				j.r.Factor[cl] != 0) {
				return base.Faultf(j.of(history.OpID(i)), "insertions that may move are not supported")
			}
			continue
		}
		if cl := b.Class[i]; cl < 0 || int(cl) >= len(j.r.Factor) {
			return base.Faultf(j.of(history.OpID(i)), "it has no bound")
		}
		switch v := j.c.Value[i]; {
		case v == model.Nothing:
			j.empties = append(j.empties, history.OpID(i))
		case v < 0:
			return base.Faultf(j.of(history.OpID(i)), "removals of unknown results are not supported")
		case j.taker[v] >= 0 || j.insertion[v] < 0:
			return base.Faultf(j.of(history.OpID(i)), "its value is removed twice or never inserted")
		default:
			j.taker[v] = history.OpID(i)
			left--
		}
		j.removals = append(j.removals, history.OpID(i))
	}
	for i := range j.c.Initial[0] {
		j.insertions = append(j.insertions, history.OpID(j.n+i))
	}
	for i := range j.ops {
		if j.c.Does[i] != model.Insert {
			continue
		}
		if j.ops[i].Pending() && j.taker[j.c.Value[i]] < 0 {
			if j.r.Drain {
				return base.Faultf(j.of(history.OpID(i)), "a pending insertion that may be drained is not supported")
			}
			continue // it would only stay in the queue
		}
		j.insertions = append(j.insertions, history.OpID(i))
		left++
	}
	j.m = int32(len(j.insertions) + len(j.empties))
	if j.r.Drain {
		j.drains = left
	}
	if j.bound < 0 {
		return base.Faultf("bound", "it is negative: %d", j.bound)
	}
	j.bound = min(j.bound, j.m) // larger bounds change nothing
	for _, i := range j.removals {
		if f := j.r.Factor[b.Class[i]]; f > j.bound && j.bound < j.m {
			return base.Faultf(j.of(i), "the refutation is for bound %d, but the factor allows %d", j.bound, f)
		}
	}
	byRet := func(ops []history.OpID) []history.OpID {
		s := slices.Clone(ops)
		sort.Slice(s, func(a, b int) bool { return j.ret(s[a]) < j.ret(s[b]) })
		return s
	}
	j.insByRet, j.remByRet = byRet(j.insertions), byRet(j.removals)
	j.count()
	return nil
}

// earlier and later count the operations of a list that return before, or are called after, a time.
func (j *displacementChecker) earlier(byRet []history.OpID, call int64) int32 {
	return int32(sort.Search(len(byRet), func(i int) bool { return j.ret(byRet[i]) >= call }))
}

func (j *displacementChecker) later(byCall []history.OpID, ret int64) int32 {
	return int32(len(byCall) - sort.Search(len(byCall), func(i int) bool { return j.call(byCall[i]) > ret }))
}

// count computes the first windows.
func (j *displacementChecker) count() {
	all := j.n + len(j.c.Initial[0])
	for e := range 2 {
		j.slot[e], j.place[e] = make([]int32, all), make([]int32, all)
	}
	removals := int32(len(j.removals))
	keep := j.r.Meaning == quasi.Slots
	for _, i := range j.insertions {
		lo, hi := 1+j.earlier(j.insByRet, j.call(i)), j.m-j.later(j.insertions, j.ret(i))
		if keep {
			lo = max(lo, 1+j.earlier(j.remByRet, j.call(i)))
		}
		switch taken := j.taker[j.value(i)] >= 0; {
		case taken && !j.r.Drain:
			hi = min(hi, removals)
		case !taken && j.r.Drain:
			lo = max(lo, removals+1-j.bound)
		case !taken:
			lo = max(lo, removals+1)
		}
		j.slot[0][i], j.slot[1][i] = lo, hi
	}
	for _, r := range j.removals {
		lo, hi := 1+j.earlier(j.remByRet, j.call(r)), removals-j.later(j.removals, j.ret(r))
		if keep {
			hi = min(hi, j.m-j.later(j.insertions, j.ret(r)))
		}
		j.place[0][r], j.place[1][r] = lo, hi
		if j.empty(r) {
			j.slot[0][r], j.slot[1][r] = 1, j.m
			if !keep {
				j.slot[0][r] += int32(len(j.c.Initial[0]))
			}
			if !j.r.Drain {
				j.slot[1][r] = removals
			}
		}
	}
}

func (j *displacementChecker) value(op history.OpID) int32 {
	if j.initial(op) {
		return j.c.Initial[0][int(op)-j.n]
	}
	return j.c.Value[op]
}

// step checks one step and records the bound that it establishes.
func (j *displacementChecker) step(s proof.DisplacementStep) error {
	if far := j.m + 2; max(s.Value, s.Edge) > far || min(s.Value, s.Edge) < -far {
		return base.Faultf(j.of(s.Op), "value %d or edge %d is out of range: there are %d positions",
			s.Value, s.Edge, j.m)
	}
	switch s.Rule {
	case proof.RuleOverfull:
		if j.fits(s.Place, -1, s.Edge, s.Value, s.Value-s.Edge+2) {
			j.trace.hull()
			return nil
		}
		return base.Faultf(positions(s.Edge, s.Value), "not enough windows lie between them")
	}
	op, err := j.number(s.Op)
	if err != nil {
		return err
	}
	window := &j.slot
	switch {
	case s.Place:
		window = &j.place
		if !j.removal(op) {
			return base.Faultf(j.of(op), "it is no completed removal, so it has no place")
		}
	case !j.empty(op) && !j.counts(op):
		return base.Faultf(j.of(op), "it has no slot")
	}
	if s.Rule == proof.RuleInverted {
		if window[0][op] <= window[1][op] {
			return base.Faultf(j.of(op), "its window is not empty: %d to %d", window[0][op], window[1][op])
		}
		j.uses(op, window, false)
		j.uses(op, window, true)
		return nil
	}
	if err := j.follows(s, op, window); err != nil {
		return err
	}
	s = j.trace.tight(s)
	if s.Upper && s.Value < window[1][op] || !s.Upper && s.Value > window[0][op] {
		j.trace.narrows(op, s.Place, s.Upper)
	}
	if s.Upper {
		window[1][op] = min(window[1][op], s.Value)
	} else {
		window[0][op] = max(window[0][op], s.Value)
	}
	return nil
}

// emptied reports whether the window that a step narrows is empty.
func (j *displacementChecker) emptied(s proof.DisplacementStep) bool {
	op, _ := j.number(s.Op)
	window := &j.slot
	if s.Place {
		window = &j.place
	}
	return window[0][op] > window[1][op]
}
