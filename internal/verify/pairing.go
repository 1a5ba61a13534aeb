package verify

// Queues in which values repeat: all ways to pair insertions with removals, tried again.
//
// What: the i-th value that leaves a queue is the i-th that came in. The search fills one place of
// that order after the other: an insertion puts a value in, which peeks may see, and a removal
// takes it out. Between two places an empty result may come. What else is in the queue meanwhile
// does not matter. A configuration is a set of insertions, a set of operations at the front, and
// the value in place, if any; one is only in place after a peek, since a value is looked at in the
// step that puts it there.
//
// Why this decides: let u be an insertion, f an operation at the front, both in the orders of the
// places. Together with precedence these orders, and u before the f of its place, have a circle
// only with an edge from some f back to some u that precedence gives, because no operation used
// precedes an earlier one of its own end. Precedence is an interval order: of two such edges in a
// circle one can be skipped. What is left is an f that precedes the u of its own or an earlier
// place, which insert refuses: f is unused when u is used. An empty result adds that what is used
// comes before what is not; the same argument gives the two conditions in empty.
//
// What is left out: an operation k, if another one j of the same end with the same value can be
// used now and does not return later; at the front, where there may be empty results, only if it
// was not called later either. In any solution that uses k now, let j and k change places, or let k
// stay out if j does. While j is used and k is not, the unused operations return no sooner. At the
// place of j, k can be used, since it could be already now, when more was unused. Calls of used
// operations matter for empty results alone, and those look at the calls at the front.
//
// Cost: configurations × operations open at once; at most MaxPairs configurations.

import (
	"context"
	"encoding/binary"
	"slices"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/proof"
	"github.com/linsat/linsat/internal/verify/base"
)

// Paired checks that no pairing explains what the weakening leaves of b's partition, visiting at
// most so many configurations. It returns how many it visited, and an error if there is a
// linearization or the limit is reached. Weakenings may forget the future, responses, results, and
// what Left says.
func Paired(ctx context.Context, b *model.Instance, weakening *proof.Weakening, limit int) (cases int, err error) {
	if err := wholePast(weakening); err != nil {
		return 0, err
	}
	weak, _, err := Left(b, weakening)
	if err != nil {
		return 0, err
	}
	t, ok := weak.Theory.(*model.CollectionTheory)
	if !ok || t.Discipline != model.FIFO || len(t.Initial) != 1 || len(weak.Partition.Edges) > 0 {
		return 0, base.Faultf("", "the partition is not one queue without explicit order")
	}
	ops := weak.Partition.Ops
	q := &pairing{theory: t}
	q.in = base.NewEnd(ops, t.Value, func(op history.OpID) bool { return t.Does[op] == model.Insert })
	q.out = base.NewEnd(ops, t.Value, func(op history.OpID) bool {
		// A peek that never returns changes nothing.
		return t.Does[op] == model.Remove || t.Does[op] == model.Peek && !ops[op].Pending()
	})
	for _, v := range q.out.Value[:q.out.Completed] {
		q.empties = q.empties || v == model.Nothing || v == model.Anything
	}
	return q.exhaust(ctx, limit)
}

func pairingProof(ctx context.Context, b *model.Instance, p *proof.Pairing) error {
	switch {
	case p.Weakening == nil:
		return base.ErrNoWeakening
	case p.Cases <= 0:
		return base.Faultf("", "no case was tried (%d)", p.Cases)
	}
	cases, err := Paired(ctx, b, p.Weakening, min(p.Cases, MaxPairs))
	return base.After(cases, err)
}

// pairing is the search.
type pairing struct {
	theory  *model.CollectionTheory
	in, out *base.End
	empties bool       // a completed operation at the front may have found nothing
	filled  []pairCase // room for next
}

// pairCase is a configuration. value is the one in place, vacant if there is none.
type pairCase struct {
	in, out  base.EndSet
	value    int32
	required int // completed operations at the front that are not used
	start    int // values of the start that are used
}

const vacant int32 = -3

// exhaust visits all configurations that can be reached.
func (q *pairing) exhaust(ctx context.Context, limit int) (cases int, err error) {
	cases, met, err := base.Visit(ctx, pairCase{value: vacant, required: q.out.Completed}, limit,
		func(c pairCase) bool {
			return c.required == 0
		}, func(name []byte, c pairCase) []byte { return c.key(name) }, q.next)
	if met {
		err = ErrLinearizable
	}
	return cases, err
}

// key appends the name of a configuration.
func (c pairCase) key(name []byte) []byte {
	name = binary.AppendUvarint(binary.AppendVarint(name, int64(c.value)), uint64(c.start))
	return c.out.Key(c.in.Key(name))
}

// next appends the configurations that follow from c.
func (q *pairing) next(out []pairCase, c pairCase) []pairCase {
	if c.value != vacant {
		return q.look(out, c)
	}
	q.filled = q.insert(q.filled[:0], c)
	for _, d := range q.filled {
		out = q.look(out, d)
	}
	return q.empty(out, c)
}

// look uses an operation at the front that finds the value in place.
func (q *pairing) look(out []pairCase, c pairCase) []pairCase {
	free, _, _ := q.out.Free(c.out)
	see := func(k int) bool { return q.theory.Does[q.out.Member[k]] == model.Peek }
	for _, k := range q.out.Best(free, see, q.empties) {
		if v := q.out.Value[k]; v != c.value && v != model.Anything {
			continue
		}
		d := c
		d.out = q.out.With(c.out, k)
		if !q.out.Pending(k) {
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
func (q *pairing) insert(out []pairCase, c pairCase) []pairCase {
	if start := q.theory.Initial[0]; c.start < len(start) {
		c.value = start[c.start]
		c.start++
		return append(out, c)
	}
	_, returned, _ := q.out.Free(c.out)
	free, _, _ := q.in.Free(c.in)
	free = slices.DeleteFunc(free, func(k int) bool { return returned < q.in.Op(k).Call })
	for _, k := range q.in.Best(free, func(int) bool { return false }, false) {
		d := c
		d.in, d.value = q.in.With(c.in, k), q.in.Value[k]
		out = append(out, d)
	}
	return out
}

// empty uses a result that found nothing, with everything used before it and all else after it.
func (q *pairing) empty(out []pairCase, c pairCase) []pairCase {
	if c.start < len(q.theory.Initial[0]) {
		return out
	}
	_, inserted, _ := q.in.Free(c.in)
	free, _, called := q.out.Free(c.out)
	for _, k := range free {
		v := q.out.Value[k]
		if q.out.Pending(k) || v != model.Nothing && v != model.Anything || inserted < max(called, q.out.Op(k).Call) {
			continue
		}
		d := c
		d.out = q.out.With(c.out, k)
		d.required--
		out = append(out, d)
	}
	return out
}
