package subhistory

// What: the few operations of a violation that contradict each other, as a history of their own.
//
// A violation's core is refuted whatever the other operations did: so the core with any of the
// others is a violation, for the same reason. But where the core forgets the past, what is left may
// look like another violation: a read of a value that nothing wrote. So operations are added that
// explain the results of the core, as far as they can be explained: the last ones that name its
// values, or else all that do, or else what is left of everything called so far when groups of it
// are left out in turn; until all of it is linearizable without the response that fails.
//
// A core that is not minimal is looked for again in what was kept. What is found there counts only
// if it is refuted with all other operations of the whole history pending, with any result: a core
// of a part says nothing of what was left out of the part.
//
// Invariant: what Shrink returns is not linearizable, and a part of h that is not, with whatever
// other operations of h.
//
// Cost: a few checks for each operation of the core, of histories that are hardly larger; at most
// mostAsked checks where groups are left out.

import (
	"slices"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/inorder"
	"github.com/linsat/linsat/internal/proof"
	"github.com/linsat/linsat/internal/result"
)

// Ask decides a part of a history under the question that the history was decided under, and looks
// for the reasons of a violation if reasons is set.
type Ask func(part *history.History, reasons bool) (*result.Result, error)

// shrinker looks for a part of h.
type shrinker struct {
	h        *history.History
	ask      Ask
	returned []history.OpID // what returned in the shortest prefix that is a violation
	called   []history.OpID // what was called in it
}

// Shrink returns a history of some operations of h that is not linearizable for the same reason as
// h, of which r is the result; nil if h is linearizable or what its violation rests on is not
// known.
func Shrink(h *history.History, r *result.Result, ask Ask) (*history.History, error) {
	if r.Verdict != engine.NotLinearizable {
		return nil, nil
	}
	s := &shrinker{h: h, ask: ask}
	s.returned, s.called = until(r)
	all := make([]history.OpID, len(h.Ops))
	for i := range all {
		all[i] = history.OpID(i)
	}
	core, err := s.coreOf(r, all)
	if err != nil {
		return nil, err
	}
	ops, err := s.keep(core)
	if err != nil || ops == nil {
		return nil, err
	}
	for minimal := r.Core != nil && r.Core.Minimal; !minimal; {
		part, err := Of(h, ops)
		if err != nil {
			return nil, err
		}
		if r, err = ask(part, true); err != nil {
			return nil, err
		}
		if r.Verdict != engine.NotLinearizable {
			break
		}
		minimal = r.Core != nil && r.Core.Minimal
		core, err := s.coreOf(r, ops)
		if err != nil {
			return nil, err
		}
		if refuted, err := s.refutes(core); err != nil {
			return nil, err
		} else if !refuted {
			break
		}
		less, err := s.keep(core)
		if err != nil {
			return nil, err
		}
		if less == nil || len(less) >= len(ops) {
			break
		}
		ops = less
	}
	if ops, err = s.drop(ops); err != nil {
		return nil, err
	}
	return Of(h, ops)
}

// keep returns the core with what explains it, sorted; nil if there is none.
func (s *shrinker) keep(core []history.OpID) ([]history.OpID, error) {
	if len(core) == 0 {
		core = s.returned
	}
	if len(core) == 0 {
		return nil, nil
	}
	valued, last := writers(s.h, s.called, s.valued(core), true), writers(s.h, s.called, core, true)
	candidates := [][]history.OpID{valued, last, closed(s.h, s.called, core, last),
		writers(s.h, s.called, s.valued(core), false)}
	for _, explained := range []func(ops, core []history.OpID) (bool, error){s.explained, s.breaks} {
		for _, more := range candidates {
			ops := union(core, more)
			if ok, err := s.is(engine.NotLinearizable, ops, nil); err != nil {
				return nil, err
			} else if !ok {
				continue // explicit order ran through an operation that was left out
			}
			if ok, err := explained(ops, core); err != nil || ok {
				return ops, err
			}
		}
		if ops, err := s.reduced(core, valued); err != nil || ops != nil {
			return ops, err
		}
	}
	if ok, err := s.is(engine.NotLinearizable, s.returned, nil); err != nil || !ok {
		return nil, err
	}
	return union(s.returned, nil), nil
}

// valued returns the operations of a core whose result is a value, of which one asks where it comes
// from: not a boolean, of which that is the argument.
func (s *shrinker) valued(core []history.OpID) []history.OpID {
	return slices.DeleteFunc(slices.Clone(core), func(x history.OpID) bool {
		return len(parts(s.h.Values, s.h.Ops[x].Result, nil)) == 0
	})
}

// reduced returns the core and the writers of its values with operations that explain it, of all
// that were called: it leaves out halves, and ever smaller groups, as long as the core is
// explained. It is nil if even all do not explain it.
func (s *shrinker) reduced(core, writers []history.OpID) ([]history.OpID, error) {
	fixed := union(core, writers)
	more := slices.DeleteFunc(slices.Clone(s.called), among(fixed))
	if ok, err := s.explained(union(fixed, more), core); err != nil || !ok {
		return nil, err
	}
	asked := 0
	for size := len(more); size > 0; size = min(size, len(more)+1) / 2 {
		for at := 0; at < len(more) && asked < mostAsked; asked++ {
			less := slices.Delete(slices.Clone(more), at, min(at+size, len(more)))
			ok, err := s.explained(union(fixed, less), core)
			switch {
			case err != nil:
				return nil, err
			case ok:
				more = less
			default:
				at += size
			}
		}
	}
	ops := union(fixed, more)
	if ok, err := s.is(engine.NotLinearizable, ops, nil); err != nil || !ok {
		return nil, err
	}
	return ops, nil
}

// explained reports whether the operations are linearizable if the one of the core that returns
// last never did: everything up to the response that fails is explained.
func (s *shrinker) explained(ops, core []history.OpID) (bool, error) {
	last := core[0]
	for _, x := range core {
		if o := &s.h.Ops[x]; s.h.Ops[last].Pending() || !o.Pending() && o.Return > s.h.Ops[last].Return {
			last = x
		}
	}
	return s.is(engine.Linearizable, ops, func(x history.OpID) bool { return x == last })
}

// refutes reports whether the core is refuted whatever the other operations of the history did: if
// they never returned. What is called after the core has returned cannot help.
func (s *shrinker) refutes(core []history.OpID) (bool, error) {
	if len(core) == 0 {
		return false, nil
	}
	end := history.Rank(0)
	for _, x := range core {
		end = max(end, s.h.Ops[x].Return)
	}
	var ops []history.OpID
	for i := range s.h.Ops {
		if s.h.Ops[i].Call < end {
			ops = append(ops, history.OpID(i))
		}
	}
	in := among(core)
	return s.is(engine.NotLinearizable, ops, func(x history.OpID) bool { return !in(x) })
}

// is reports whether the verdict on the given operations is v, where those that are open never
// returned.
func (s *shrinker) is(v engine.Verdict, ops []history.OpID, open func(history.OpID) bool) (bool, error) {
	part, err := Of(s.h, ops)
	if err != nil {
		return false, err
	}
	if open != nil {
		part = pending(part, func(i history.OpID) bool { return open(ops[i]) })
	}
	r, err := s.ask(part, false)
	if err != nil {
		return false, err
	}
	return r.Verdict == v, nil
}

// among returns whether an operation is one of some.
func among(ops []history.OpID) func(history.OpID) bool {
	sorted := union(ops, nil)
	return func(x history.OpID) bool { _, found := slices.BinarySearch(sorted, x); return found }
}

// pending returns h with some operations that never return, and whose explicit order and revision
// are forgotten.
func pending(h *history.History, open func(history.OpID) bool) *history.History {
	out := *h
	out.Ops, out.Revisions = slices.Clone(h.Ops), slices.Clone(h.Revisions)
	var others []history.OpID
	for i := range out.Ops {
		o := &out.Ops[i]
		if !open(history.OpID(i)) {
			others = append(others, history.OpID(i))
			continue
		}
		o.Return, o.Result, o.Unknown, o.NoResult = history.Never, history.Nil, true, false
		if out.Revisions != nil {
			out.Revisions[i] = nil
		}
	}
	out.Edges = composed(h, others)
	return &out
}

// union returns the operations of both, sorted, each once.
func union(x, y []history.OpID) []history.OpID {
	all := slices.Concat(x, y)
	return inorder.Distinct(all)
}

// coreOf returns the operations that a violation of a part of h rests on, which consists of the
// given operations, of the past none; what its proof names is a core if it is refuted whatever the
// others did. It is nil if there are none.
func (s *shrinker) coreOf(r *result.Result, ops []history.OpID) ([]history.OpID, error) {
	var core []history.OpID
	if r.Core != nil {
		w := r.Core.Least
		for i := range r.Partition.Ops {
			o, kept := &r.Partition.Ops[i], w.Of(history.OpID(i))
			if w.From <= o.Return && o.Return <= w.Cut && !o.Pending() && (kept == proof.RetainAll ||
				kept == proof.RetainResponse) {
				core = append(core, ops[r.Partition.Global(history.OpID(i))])
			}
		}
		return core, nil
	}
	if r.Proof != nil {
		for _, i := range r.Proof.Operations(r.Instance()) {
			if g := r.Partition.Global(i); g >= 0 {
				core = append(core, ops[g])
			}
		}
	}
	if refuted, err := s.refutes(core); err != nil || refuted {
		return core, err
	}
	core = nil
	for _, i := range r.RestsOn() {
		core = append(core, ops[i])
	}
	return core, nil
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
func (s *shrinker) breaks(ops, core []history.OpID) (bool, error) {
	for k := range min(len(core), mostAlone) {
		x := core[len(core)-1-k] // the last ones first
		others := slices.DeleteFunc(slices.Clone(ops), func(y history.OpID) bool { return y == x })
		if len(others) == 0 {
			return true, nil
		}
		if ok, err := s.is(engine.Linearizable, others, nil); err != nil || ok {
			return ok, err
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
		if more = inorder.Distinct(more); len(more) == len(ops) || len(more) > mostWriters {
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
				if y == x || o.Call > h.Ops[x].Return || o.Key != h.Ops[x].Key ||
					!slices.Contains(parts(h.Values, o.Arg, nil), v) {
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
