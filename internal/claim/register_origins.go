package claim

import (
	"slices"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
)

// changes reports whether an operation can leave v, having found something else.
func changes(t *model.RegisterTheory, i history.OpID, v int32) bool {
	for _, m := range t.Of(i) {
		if m.Leaves == v && !(m.Test == model.Is && m.V == v) {
			return true
		}
	}
	return false
}

// Impossible claims that Op returned what it can return in no state.
type Impossible struct{ Op history.OpID }

func (c Impossible) holds(w *Whole) bool {
	t, ok := w.registers(c.Op)
	return ok && !w.ops[c.Op].Pending() && len(t.Of(c.Op)) == 0
}

// LeftOnce claims that what Finds finds is left by at most one operation, the start included.
type LeftOnce struct{ Finds history.OpID }

func (c LeftOnce) holds(w *Whole) bool {
	t, ok := w.registers(c.Finds)
	if !ok {
		return false
	}
	object, v, n := t.Object[c.Finds], value(t, c.Finds), 0
	if v == t.Init[object] {
		n++
	}
	return v >= 0 && w.on(object, func(i history.OpID, _ *history.Op) bool {
		if changes(t, i, v) {
			n++
		}
		return n <= 1
	})
}

// TakesAway claims that A and B find one value, and leave another.
type TakesAway struct{ A, B history.OpID }

func (c TakesAway) holds(w *Whole) bool {
	t, ok := w.registers(c.A, c.B)
	if !ok || value(t, c.A) < 0 || value(t, c.A) != value(t, c.B) || c.A == c.B || t.Object[c.A] != t.Object[c.B] {
		return false
	}
	for _, m := range slices.Concat(t.Of(c.A), t.Of(c.B)) {
		if m.Leaves == model.Keep || m.Leaves == m.V {
			return false
		}
	}
	return true
}

// LeavesOrFinds claims that Op (Start: the start) leaves or finds what Finds finds.
type LeavesOrFinds struct{ Op, Finds history.OpID }

func (c LeavesOrFinds) holds(w *Whole) bool {
	t, ok := w.registers(c.Finds)
	if !ok {
		return false
	}
	v := value(t, c.Finds)
	if c.Op == Start {
		return v == t.Init[t.Object[c.Finds]]
	}
	return w.are(c.Op) && v >= 0 && (changes(t, c.Op, v) || value(t, c.Op) == v && !w.ops[c.Op].Pending())
}

// FindsAnother claims that Op does not find what Finds finds, of the same register.
type FindsAnother struct{ Op, Finds history.OpID }

func (c FindsAnother) holds(w *Whole) bool {
	t, ok := w.registers(c.Op, c.Finds)
	if !ok || t.Object[c.Op] != t.Object[c.Finds] || value(t, c.Finds) < 0 || w.ops[c.Op].Pending() {
		return false
	}
	return !slices.ContainsFunc(t.Of(c.Op), func(m model.Mode) bool { return m.Allows(value(t, c.Finds)) })
}

// OnlyThrough claims that what Finds finds is never there without what Op does, which changes the
// register: whatever the order of all other operations, and however often each comes.
type OnlyThrough struct{ Op, Finds history.OpID }

func (c OnlyThrough) holds(w *Whole) bool {
	t, ok := w.registers(c.Op, c.Finds)
	if !ok || !slices.ContainsFunc(t.Of(c.Op), func(m model.Mode) bool {
		return m.Leaves != model.Keep && (m.Test != model.Is || m.Leaves != m.V)
	}) {
		return false
	}
	object := t.Object[c.Finds]
	there := make([]bool, t.Values)
	there[t.Init[object]] = true
	for grown := true; grown && w.work > 0; {
		grown = false
		w.on(object, func(i history.OpID, _ *history.Op) bool {
			for _, m := range t.Of(i) {
				if i == c.Op || m.Leaves == model.Keep || there[m.Leaves] {
					continue
				}
				if m.Test == model.Is && there[m.V] || m.Test == model.Any || m.Test == model.Not &&
					anyAllowed(there, m) {
					there[m.Leaves], grown = true, true
				}
			}
			return true
		})
	}
	return !slices.ContainsFunc(t.Of(c.Finds), func(m model.Mode) bool { return anyAllowed(there, m) })
}

// anyAllowed reports whether a mode allows one of the values.
func anyAllowed(there []bool, m model.Mode) bool {
	for v, is := range there {
		if is && m.Allows(int32(v)) {
			return true
		}
	}
	return false
}
