package conformance_test

// Claims about what operations find and leave, judged by the states that can be reached.

import (
	"slices"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/claim"
	"github.com/linsat/linsat/internal/model"
)

// given reports whether the history itself puts one operation before another.
func (d *definition) given(a, b history.OpID) bool {
	h := d.b.Partition.History
	if a < 0 || b < 0 {
		return false
	}
	a, b = d.b.Partition.Global(a), d.b.Partition.Global(b)
	if slices.Contains(h.Edges, history.Edge{Before: a, After: b}) {
		return true
	}
	if h.Revisions == nil || h.Revisions[a] == nil || h.Revisions[b] == nil {
		return false
	}
	return h.Revisions[a].Chain == h.Revisions[b].Chain && h.Revisions[a].Number < h.Revisions[b].Number
}

// cell returns the states of the one cell of a partition; false if some operation does nothing in
// any of them, so that they do not tell what it does elsewhere.
func (d *definition) cell() (states []model.State, ok bool) {
	t, ok := d.b.Axiomatic().(*model.RegisterTheory)
	if !ok || len(t.Init) != 1 {
		return nil, false
	}
	states, ok = d.reach([]model.State{d.m.Init()}, any1)
	for i, o := range d.b.Partition.Ops {
		ok = ok && slices.ContainsFunc(states, func(s model.State) bool {
			return slices.ContainsFunc(d.steps(s, history.OpID(i)), func(next model.State) bool {
				return !o.Pending() || next != s
			})
		})
	}
	return states, ok
}

// leavesOrFinds looks at where an operation leads, and where it is allowed.
func (d *definition) leavesOrFinds(c claim.LeavesOrFinds) (holds, known bool) {
	states, ok := d.cell()
	if !ok || d.b.Partition.Ops[c.Finds].Pending() {
		return false, false
	}
	finds := func(s model.State) bool { return d.fits(s, c.Finds) }
	if c.Op < 0 {
		return c.Op == claim.Start && finds(d.m.Init()), true
	}
	leaves, only := false, !d.b.Partition.Ops[c.Op].Pending()
	for _, s := range states {
		only = only && (!d.fits(s, c.Op) || finds(s))
		leaves = leaves || !finds(s) && slices.ContainsFunc(d.steps(s, c.Op), finds)
	}
	return leaves || only, true
}

// fate judges what became of an element by all pairs of operations.
func (d *definition) fate(is claim.FateKind, element int32) bool {
	values := d.b.Partition.History.Values
	text := values.Format(model.As[*model.GrowingTheory](d.b).Values[element])
	initially := d.b.Partition.HasInitial && slices.Contains(d.lists(d.b.Partition.Initial), text)
	var adds, missing, finding, certain []*history.Op
	twice := false
	for i := range d.b.Partition.Ops {
		i := history.OpID(i)
		o := d.op(i)
		found := d.lists(o.Result)
		switch {
		case o.Pending() || o.Unknown && !d.is(i, "add"):
			if d.is(i, "add") && values.Format(o.Arg) == text {
				adds = append(adds, o)
			}
		case d.is(i, "add") && values.Format(o.Arg) == text:
			if certain = append(certain, o); o.Unknown || o.Result != history.False {
				adds = append(adds, o)
			}
		case d.is(i, "contains") && values.Format(o.Arg) == text && o.Result == history.True:
			certain = append(certain, o)
		case !d.is(i, "read", "elements"):
		case slices.Contains(found, text):
			alike := slices.DeleteFunc(slices.Clone(found), func(v string) bool { return v != text })
			slices.Sort(found)
			if twice = twice || len(alike) > 1; len(slices.Compact(found)) == len(d.lists(o.Result)) {
				finding = append(finding, o)
				certain = append(certain, o)
			}
		default:
			slices.Sort(found)
			if len(slices.Compact(found)) == len(d.lists(o.Result)) {
				missing = append(missing, o)
			}
		}
	}
	missed := slices.DeleteFunc(missing, func(r *history.Op) bool {
		return !initially && !slices.ContainsFunc(certain, func(o *history.Op) bool { return o.Return < r.Call })
	})
	later := func(r *history.Op) bool { // than all that find it
		return !slices.ContainsFunc(finding, func(f *history.Op) bool { return f.Call > r.Call })
	}
	switch is {
	case claim.Lost:
		return len(finding) > 0 && slices.ContainsFunc(missed, later)
	case claim.NeverRead:
		return len(finding) == 0 && len(missed) > 0
	case claim.FoundAgain:
		return len(missed) > 0 && !slices.ContainsFunc(missed, later)
	case claim.ReadEarly:
		return !initially && slices.ContainsFunc(finding, func(r *history.Op) bool {
			return !slices.ContainsFunc(adds, func(o *history.Op) bool { return o.Call <= r.Return })
		})
	}
	return twice
}
