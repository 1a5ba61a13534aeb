package pending

// What: a register of many values, with operations that never returned or without, decided from
// both sides: by a partition that has fewer linearizations, and by one that has more.
//
// Source: ours.
//
// Both leave out what never returned and can only leave values for which nothing tests, and then
// what never returned and tested only for what those leave, and so on. In the first one nothing is
// put in its place, so what it has is a linearization. The second one lets operations that demand
// another value than some v, and keep or leave v, happen at v as well, and what never returned as
// often as one likes, so that no failure depends on how often it did. There, what is left out
// helped nothing: leave it out of a linearization, and up to the next operation that writes
// whatever it finds, every state is replaced by one in which as much is legal, because a state that
// no Is accepts allows no more than any other. So if the second one has no linearization, neither
// has the partition.
//
// Where a value has one origin, and a completed operation must find it, the origin takes effect
// before that one returns. So it returns by then, in both.
//
// For the same reason completed writes of values for which nothing tests take effect along with the
// next write, in both (untested_writes.go).
//
// Invariants: what the first one accepts is a linearization, and what has one is accepted by the
// second.
//
// Cost: two searches at most, each within Plan.Approximate failed nodes.

import (
	"slices"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/layout"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/wgl"
)

// Approximated decides by one of the two, or not at all. The one that has more comes first:
// what it accepts mostly is a linearization of the partition, too, and then the other one is not
// needed.
func Approximated(r *wgl.Run, p Plan) (d wgl.Decision) {
	d.Outcome = wgl.Undecided
	t, ok := r.Instance.Axiomatic().(*model.RegisterTheory)
	if !ok || len(t.Init) != 1 || t.Values <= p.FewValues && t.Values*p.valueShare <= len(r.Ops) ||
		len(r.Instance.Partition.Edges) > 0 || model.Derived(t) {
		return d
	}
	fewer := withoutUntested(r.Instance, t)
	if lenientSuffices(fewer, t) {
		more := *fewer
		more.NewMachine = func() model.Machine { return &lenient{r.Instance.NewMachine(), t} }
		outcome, order := approximate(r, &more, t, true, p, &d)
		switch {
		case outcome == wgl.Failed:
			d.Outcome, d.Approximate = wgl.Failed, true
			return d
		case outcome == wgl.Found && r.Legal(order):
			d.Outcome, d.Witness = wgl.Found, order
			return d
		case outcome != wgl.Found:
			return d
		}
	}
	if outcome, order := approximate(r, fewer, t, false, p, &d); outcome == wgl.Found {
		d.Outcome, d.Witness = wgl.Found, order
	}
	return d
}

// approximate searches another instance of the partition, and returns the order that it found.
func approximate(r *wgl.Run, b *model.Instance, t *model.RegisterTheory, unlimited bool, p Plan,
	d *wgl.Decision) (wgl.Outcome, []history.OpID) {
	account := engine.Account{Ctx: r.Ctx, Budget: r.Budget, Limit: r.Limit - r.Steps - d.Steps, Uncounted: r.Uncounted,
		MostBytes: r.MostBytes}
	x := NewRun(layout.New(b, len(r.Ops)), account)
	x.MayForget(r.Budget, 1)
	defer x.Close()
	x.ConflictLimit, x.Unlimited = p.Approximate, unlimited
	holdValues(x)
	writes := listWrites(x.Layout, t, testsOf(b, t))
	x.Before = func(v history.OpID) { takeUntested(x, writes, v) }
	o := x.Search()
	d.Steps += x.Steps
	if o != wgl.Found {
		return o, nil
	}
	return o, x.Linearization()
}

// lenient is a machine of a register in which demands for another value than v are met at v, where
// that leaves v.
type lenient struct {
	model.Machine
	theory *model.RegisterTheory
}

// Step implements model.Machine.
func (m *lenient) Step(s model.State, op history.OpID, dst []model.State) []model.State {
	from := len(dst)
	dst = m.Machine.Step(s, op, dst)
	if modes := m.theory.Of(op); len(dst) == from && len(modes) == 1 && modes[0].Test == model.Not &&
		(modes[0].Leaves == model.Keep || modes[0].Leaves == modes[0].V) {
		dst = append(dst, s)
	}
	return dst
}

// withoutUntested returns the instance without the pending operations that can be left out, and
// with returns of those that take effect.
func withoutUntested(b *model.Instance, t *model.RegisterTheory) *model.Instance {
	p := b.Partition
	out := *b
	part := *p
	part.Ops = append([]history.Op(nil), p.Ops...)
	out.Partition, out.ReadOnly = &part, append([]bool(nil), b.ReadOnly...)
	origin := origins(t)
	for i := range p.Ops {
		if modes := t.Of(history.OpID(i)); !p.Ops[i].Pending() && len(modes) == 1 && modes[0].Test == model.Is {
			returnBy(part.Ops, t, origin, modes[0].V, p.Ops[i].Return)
		}
	}
	tests := testsOf(&out, t)
	each := func(i history.OpID, by int32) {
		for _, m := range t.Of(i) {
			if m.Test == model.Is {
				tests[m.V] += by
			}
		}
	}
	for again := true; again; {
		again = false
		for i := range history.OpID(len(part.Ops)) {
			if out.ReadOnly[i] || !part.Ops[i].Pending() {
				continue
			}
			each(i, -1)
			if tested(t, tests, i) {
				each(i, 1)
				continue
			}
			out.ReadOnly[i], again = true, true // so it is left out
		}
	}
	return &out
}

// testsOf counts, by value, the modes that test for it, of operations that are not left out.
func testsOf(b *model.Instance, t *model.RegisterTheory) []int32 {
	tests := make([]int32, t.Values)
	for i := range b.Partition.Ops {
		if b.ReadOnly[i] && b.Partition.Ops[i].Pending() {
			continue
		}
		for _, m := range t.Of(history.OpID(i)) {
			if m.Test == model.Is {
				tests[m.V]++
			}
		}
	}
	return tests
}

// lenientSuffices reports whether a lenient machine allows, from every state, as much as from one
// that no Is accepts. A demand for another value than some must be its operation's only mode, and
// lenient; or the operation has other modes for all that it excludes, and this one leaves a state
// that no Is accepts.
func lenientSuffices(b *model.Instance, t *model.RegisterTheory) bool {
	tests := testsOf(b, t)
	for i := range b.Partition.Ops {
		modes := t.Of(history.OpID(i))
		for _, m := range modes {
			switch {
			case m.Test != model.Not || b.ReadOnly[i] && b.Partition.Ops[i].Pending():
			case len(modes) == 1:
				if m.Leaves != model.Keep && (m.Leaves != m.V || len(m.Others) > 0) {
					return false
				}
			case m.Leaves != model.Keep && tests[m.Leaves] > 0:
				return false
			default:
				for _, v := range append([]int32{m.V}, m.Others...) {
					if !slices.ContainsFunc(modes, func(x model.Mode) bool {
						return x.Test == model.Is && x.V == v || x.Test == model.Any
					}) {
						return false
					}
				}
			}
		}
	}
	return true
}

// tested reports whether operation i can leave a value for which there are tests.
func tested(t *model.RegisterTheory, tests []int32, i history.OpID) bool {
	for _, m := range t.Of(i) {
		if m.Leaves != model.Keep && tests[m.Leaves] > 0 {
			return true
		}
	}
	return false
}

// returnBy lets the origin of a value that is found before a rank return by then, if it never
// returned; and, where it finds one value only before it leaves this one, the origin of that.
func returnBy(ops []history.Op, t *model.RegisterTheory, origin []history.OpID, v int32, by history.Rank) {
	for v >= 0 && origin[v] >= 0 {
		o := &ops[origin[v]]
		if o.Call > by || o.Return <= by {
			return
		}
		o.Return = by
		found, ways := int32(-1), 0
		for _, m := range t.Of(origin[v]) {
			if m.Leaves == v {
				ways++
				if m.Test == model.Is {
					found = m.V
				}
			}
		}
		if ways != 1 {
			return
		}
		v = found
	}
}
