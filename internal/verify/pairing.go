package verify

// Queues in which values repeat: all ways to pair insertions with removals, tried again.
//
// What: the i-th value that leaves a queue is the i-th that came in. The search fills one place of
// that order after the other: an insertion puts a value in, which peeks may see, and a removal
// takes it out. Between two places an empty result may come. What else is in the queue meanwhile
// does not matter. A configuration is a set of insertions, a set of operations at the front, and
// the value in place, if any.
//
// Why this decides: let u be an insertion, f an operation at the front, both in the orders of the
// places. Together with precedence these orders, and u before the f of its place, have a circle
// only with an edge from some f back to some u that precedence gives, because no operation used
// precedes an earlier one of its own end. Precedence is an interval order: of two such edges in a
// circle one can be skipped. What is left is an f that precedes the u of its own or an earlier
// place, which insert refuses: f is unused when u is used. An empty result adds that what is used
// comes before what is not; the same argument gives the two conditions in empty.
//
// What is left out: an operation, if another of the same end with the same value can be used now,
// was not called later and does not return later. Exchanging them in any solution gives one, since
// every condition speaks of calls of used operations and of returns of unused ones.
//
// Cost: configurations × operations open at once; at most MaxPairs configurations.

import (
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"slices"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/proof"
	"github.com/linsat/linsat/internal/verify/base"
)

// Paired checks that no pairing explains what the claim leaves of b's part, visiting at most so
// many configurations. It returns how many it visited, and an error if there is a linearization or
// the limit is reached. Claims may forget the future, responses, results, and what Left says.
func Paired(ctx context.Context, b *model.Instance, claim *proof.Weakening, limit int) (cases int, err error) {
	if claim.From != 0 || claim.AnyStart || claim.SomeOrder || claim.View != 0 {
		return 0, errors.New("the past, the start and single facts of order cannot be forgotten here")
	}
	weak, _, err := Left(b, claim)
	if err != nil {
		return 0, err
	}
	t, ok := weak.Theory.(*model.CollectionTheory)
	if !ok || t.Discipline != model.FIFO || len(t.Initial) != 1 || len(weak.Partition.Edges) > 0 {
		return 0, errors.New("pairs are those of one queue without explicit order")
	}
	q := &pairing{ctx: ctx, theory: t, limit: limit, seen: map[string]bool{}}
	q.collect(weak)
	return q.exhaust()
}

func pairingProof(ctx context.Context, b *model.Instance, p *proof.Pairing) error {
	switch {
	case p.Weakening == nil:
		return base.ErrNoWeakening
	case p.Cases <= 0:
		return errors.New("no case was tried")
	}
	_, err := Paired(ctx, b, p.Weakening, min(p.Cases, MaxPairs))
	return err
}

// pairing is the search.
type pairing struct {
	ctx      context.Context
	theory   *model.CollectionTheory
	ops      []history.Op
	in, out  pairEnd
	required int // completed operations at the front
	limit    int
	seen     map[string]bool
}

// pairEnd holds the operations of one end: the completed ones by call, then those that never return
// by call.
type pairEnd struct {
	ops       []history.Op
	member    []int32
	value     []int32 // by place in member
	completed int
}

// pairSet is a set of operations of one end, by place in member: all before low, which is the first
// completed one that is not in it, and those of more.
type pairSet struct {
	low  int
	more []int // ascending
}

// pairCase is a configuration. value is the one in place, vacant if there is none.
type pairCase struct {
	in, out  pairSet
	value    int32
	required int // completed operations at the front that are not used
	start    int // values of the start that are used
}

const vacant int32 = -3

// collect sorts the operations to the ends. Peeks that never return change nothing.
func (q *pairing) collect(b *model.Instance) {
	q.ops = b.Partition.Ops
	q.in.ops, q.out.ops = q.ops, q.ops
	for _, pending := range []bool{false, true} {
		for i := range q.ops {
			end := &q.out
			switch {
			case q.ops[i].Pending() != pending, pending && q.theory.Does[i] == model.Peek:
				continue
			case q.theory.Does[i] == model.Insert:
				end = &q.in
			}
			end.member = append(end.member, int32(i))
			end.value = append(end.value, q.theory.Value[i])
		}
		if !pending {
			q.in.completed, q.out.completed = len(q.in.member), len(q.out.member)
		}
	}
	q.required = q.out.completed
}

// exhaust visits all configurations that can be reached.
func (q *pairing) exhaust() (cases int, err error) {
	stack := []pairCase{{value: vacant, required: q.required}}
	for len(stack) > 0 {
		c := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if c.required == 0 {
			return len(q.seen), errors.New("there is a linearization")
		}
		key := c.key()
		if q.seen[key] {
			continue
		}
		if len(q.seen) >= q.limit {
			return len(q.seen), base.ErrTooLarge
		}
		q.seen[key] = true
		if len(q.seen)%1024 == 0 && q.ctx.Err() != nil {
			return len(q.seen), context.Cause(q.ctx)
		}
		stack = append(stack, q.next(c)...)
	}
	return len(q.seen), nil
}

// key names a configuration.
func (c pairCase) key() string {
	key := binary.AppendVarint(nil, int64(c.value))
	for _, n := range []int{c.start, c.required, c.in.low, c.out.low, len(c.in.more)} {
		key = binary.AppendUvarint(key, uint64(n))
	}
	for _, m := range c.in.more {
		key = binary.AppendUvarint(key, uint64(m-c.in.low))
	}
	for _, m := range c.out.more {
		key = binary.AppendUvarint(key, uint64(m-c.out.low))
	}
	return string(key)
}

// next returns the configurations that follow from c.
func (q *pairing) next(c pairCase) (out []pairCase) {
	if c.value == vacant {
		return append(q.insert(c), q.empty(c)...)
	}
	free, _, _ := q.out.free(c.out)
	see := func(k int) bool { return q.theory.Does[q.out.member[k]] == model.Peek }
	for _, k := range q.out.best(free, see) {
		if v := q.out.value[k]; v != c.value && v != model.Anything {
			continue
		}
		d := c
		d.out = q.out.with(c.out, k)
		if !q.out.pending(k) {
			d.required--
		}
		if !see(k) {
			d.value = vacant
		}
		out = append(out, d)
	}
	return out
}

// insert puts a value in place.
func (q *pairing) insert(c pairCase) (out []pairCase) {
	if start := q.theory.Initial[0]; c.start < len(start) {
		c.value = start[c.start]
		c.start++
		return []pairCase{c}
	}
	_, returned, _ := q.out.free(c.out)
	free, _, _ := q.in.free(c.in)
	free = slices.DeleteFunc(free, func(k int) bool { return returned < q.in.op(k).Call })
	for _, k := range q.in.best(free, func(int) bool { return false }) {
		d := c
		d.in, d.value = q.in.with(c.in, k), q.in.value[k]
		out = append(out, d)
	}
	return out
}

// empty uses a result that found nothing, with everything used before it and all else after it.
func (q *pairing) empty(c pairCase) (out []pairCase) {
	if c.start < len(q.theory.Initial[0]) {
		return nil
	}
	_, inserted, _ := q.in.free(c.in)
	free, _, called := q.out.free(c.out)
	for _, k := range free {
		v := q.out.value[k]
		if q.out.pending(k) || v != model.Nothing && v != model.Anything || inserted < max(called, q.out.op(k).Call) {
			continue
		}
		d := c
		d.out = q.out.with(c.out, k)
		d.required--
		out = append(out, d)
	}
	return out
}

func (e *pairEnd) op(k int) *history.Op { return &e.ops[e.member[k]] }
func (e *pairEnd) pending(k int) bool   { return e.op(k).Pending() }

// free returns the unused operations that no unused one precedes, when the first unused one
// returns, and when the last used one was called (-1 without any).
func (e *pairEnd) free(s pairSet) (free []int, returned, called int32) {
	returned, called = history.Never, -1
	if s.low > 0 {
		called = e.op(s.low - 1).Call
	}
	for _, k := range s.more {
		called = max(called, e.op(k).Call)
	}
	next := 0
	unused := func(k int) bool {
		for next < len(s.more) && s.more[next] < k {
			next++
		}
		return next == len(s.more) || s.more[next] != k
	}
	for k := s.low; k < e.completed && e.op(k).Call < returned; k++ {
		if unused(k) {
			free = append(free, k)
			returned = min(returned, e.op(k).Return)
		}
	}
	for k := e.completed; k < len(e.member) && e.op(k).Call < returned; k++ {
		if unused(k) {
			free = append(free, k)
		}
	}
	free = slices.DeleteFunc(free, func(k int) bool { return e.op(k).Call > returned })
	return free, returned, called
}

// best leaves out of free what another one of the same value and kind is as good as.
func (e *pairEnd) best(free []int, kind func(k int) bool) []int {
	var out []int
	for _, k := range free {
		if !slices.ContainsFunc(out, func(j int) bool {
			return e.value[j] == e.value[k] && kind(j) == kind(k) && e.op(j).Call <= e.op(k).Call && e.op(j).Return <= e.op(k).Return
		}) {
			out = append(out, k)
		}
	}
	// The last one is visited first.
	slices.SortFunc(out, func(a, b int) int { return -cmp.Compare(e.op(a).Return, e.op(b).Return) })
	return out
}

// with returns s and k.
func (e *pairEnd) with(s pairSet, k int) pairSet {
	at, _ := slices.BinarySearch(s.more, k)
	more := slices.Insert(slices.Clone(s.more), at, k)
	for len(more) > 0 && more[0] == s.low && s.low < e.completed {
		more, s.low = more[1:], s.low+1
	}
	s.more = more
	return s
}
