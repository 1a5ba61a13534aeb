package subhistory

// What: the few operations of a violation that contradict each other, as a history of their own.
//
// A violation's core is refuted whatever the other operations did: so the core with any of the
// others is a violation, for the same reason. But where the core forgets the past, what is left may
// look like another violation: a read of a value that nothing wrote. So operations are added that
// say where the values of the core come from, the last ones that name them, or else all that do,
// until one operation is found without which the history is linearizable. Where there is none,
// since the reason is a sum or a count of all operations, the shortest prefix that is a violation
// is kept, without what is pending in it.
//
// Invariant: what Shrink returns is not linearizable, and a part of a history that is not.
//
// Cost: a few checks for each operation of the core, of histories that are hardly larger.

import (
	"slices"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/proof"
	"github.com/linsat/linsat/internal/result"
)

// Shrink returns a history of some operations of h that is not linearizable for the same reason as
// h, of which r is the result; nil if h is linearizable or what its violation rests on is not
// known. decide decides a history under the same question.
func Shrink(h *history.History, r *result.Result, decide func(*history.History) (engine.Verdict, error)) (*history.History, error) {
	if r.Verdict != engine.NotLinearizable {
		return nil, nil
	}
	all, called := until(r)
	core := coreOf(r)
	last := writers(h, called, core, true)
	for _, more := range [][]history.OpID{last, closed(h, called, core, last), writers(h, called, core, false)} {
		if len(core) == 0 {
			break
		}
		ops := append(slices.Clone(core), more...)
		part, err := Of(h, ops)
		if err != nil {
			return nil, err
		}
		v, err := decide(part)
		if err != nil {
			return nil, err
		}
		if v != engine.NotLinearizable {
			continue // explicit order ran through an operation that was left out
		}
		if one, err := breaks(h, ops, core, decide); err != nil || one {
			return part, err
		}
	}
	if len(all) == 0 {
		return nil, nil
	}
	part, err := Of(h, all)
	if err != nil {
		return nil, err
	}
	if v, err := decide(part); err != nil || v != engine.NotLinearizable {
		return nil, err
	}
	return part, nil
}

// coreOf returns the operations that a violation rests on, of the past none, or that its proof
// names; nil if there are none.
func coreOf(r *result.Result) []history.OpID {
	var core []history.OpID
	switch {
	case r.Core == nil && r.Proof != nil && r.Proof.Operations(r.Instance()) != nil:
		for _, i := range r.Proof.Operations(r.Instance()) {
			core = append(core, r.Partition.Global(i))
		}
		return core
	case r.Core == nil:
		return r.RestsOn()
	}
	w := r.Core.Least
	for i := range r.Partition.Ops {
		o, kept := &r.Partition.Ops[i], w.Of(history.OpID(i))
		if w.From <= o.Return && o.Return <= w.Cut && !o.Pending() && (kept == proof.RetainAll || kept == proof.RetainResponse) {
			core = append(core, r.Partition.Global(history.OpID(i)))
		}
	}
	return core
}

// until returns what returned in the shortest prefix that is a violation, or in the whole partition
// if that prefix is not known, and what was called in it.
func until(r *result.Result) (returned, called []history.OpID) {
	cut := history.Never - 1
	if r.Failure != nil {
		cut = r.Failure.Cut
	}
	for i := range r.Partition.Ops {
		o, g := &r.Partition.Ops[i], r.Partition.Global(history.OpID(i))
		if g >= 0 && o.Call <= cut {
			called = append(called, g)
		}
		if o.Return <= cut {
			returned = append(returned, g)
		}
	}
	return returned, called
}

// breaks reports whether some operation of the core is the only one that fails: without it the
// operations are linearizable.
func breaks(h *history.History, ops, core []history.OpID, decide func(*history.History) (engine.Verdict, error)) (bool, error) {
	for k := range min(len(core), mostAlone) {
		x := core[len(core)-1-k] // the last ones first
		others := slices.DeleteFunc(slices.Clone(ops), func(y history.OpID) bool { return y == x })
		if len(others) == 0 {
			return true, nil
		}
		part, err := Of(h, others)
		if err != nil {
			return false, err
		}
		if v, err := decide(part); err != nil || v == engine.Linearizable {
			return err == nil, err
		}
	}
	return false, nil
}

// closed returns what the operations of the core need, what that needs, and so on, as far as few
// operations do.
func closed(h *history.History, all, core, last []history.OpID) []history.OpID {
	ops := last
	for range mostWriters {
		more := append(slices.Clone(ops), writers(h, all, append(slices.Clone(core), ops...), true)...)
		slices.Sort(more)
		if more = slices.Compact(more); len(more) == len(ops) || len(more) > mostWriters {
			break
		}
		ops = more
	}
	return ops
}

// writers returns those operations of the candidates that name, as an argument, a value that an
// operation of the core returned, or, where that is a boolean, its argument; only the last one
// before it returned, or all. One that never returned is the last one if no other names the value.
func writers(h *history.History, candidates, core []history.OpID, last bool) []history.OpID {
	var out []history.OpID
	for _, x := range core {
		values := parts(h.Values, h.Ops[x].Result, nil)
		if len(values) == 0 && h.Ops[x].Result != history.Nil {
			values = parts(h.Values, h.Ops[x].Arg, nil)
		}
		for _, v := range values {
			latest := history.OpID(-1)
			for _, y := range candidates {
				o := &h.Ops[y]
				if y == x || o.Call > h.Ops[x].Return || o.Key != h.Ops[x].Key || !slices.Contains(parts(h.Values, o.Arg, nil), v) {
					continue
				}
				if latest < 0 || h.Ops[latest].Pending() || !o.Pending() {
					latest = y
				}
				if !last {
					out = append(out, y)
				}
			}
			if last && latest >= 0 {
				out = append(out, latest)
			}
		}
	}
	return out
}

// parts appends the plain values that a value consists of, without nil.
func parts(t *history.Values, v history.Value, dst []history.Value) []history.Value {
	if list, ok := t.AsList(v); ok {
		for _, e := range list {
			dst = parts(t, e, dst)
		}
		return dst
	}
	if pairs, ok := t.AsMap(v); ok {
		for i := 1; i < len(pairs); i += 2 {
			dst = parts(t, pairs[i], dst)
		}
		return dst
	}
	if v == history.Nil || v == history.True || v == history.False {
		return dst
	}
	return append(dst, v)
}
