package pending

// What: values of a register that must not be left yet, and must not come too early.
//
// Source: the zones of Gibbons & Korach (SICOMP 26(4), 1997), as rules for pruning.
//
// If one operation alone leaves a value, the value does not come back. An operation that must find
// it is its finder: it finds that value in its only mode, or in its mode that leaves another value,
// which again only it leaves and which has a finder (it is bound to that mode). Finders considered
// here have returned.
//
//   - While finders have not taken effect, the cell must hold the value, so nothing may leave it
//     but the last of them.
//   - A value must not be left behind while an open operation, which does not keep it, returns
//     before the last finder is called: it could take effect neither before nor after.
//   - An operation that is bound to a mode goes in no other.
//
// Without these rules the search finds out only when one of the finders is the next to return,
// thousands of configurations later.
//
// Invariant: whatever is pruned has no linearization, whatever has been used. So nogoods of nodes
// without these children are as before, and need nothing to have been used on their account.
//
// Cost: for every change of state that is tried, the finders of the value that it ends (one, if
// some are missing, mostly), and the open operations that return before the last finder of the
// value that it begins is called.

import (
	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/layout"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/transition"
	"github.com/linsat/linsat/internal/wgl"
)

// heldValues knows the values of a partition that is one cell.
type heldValues struct {
	r      *wgl.Run
	theory *model.RegisterTheory
	// By value with one origin: its finders, last to return first, and the latest of their calls.
	finders layout.Lists[int32, history.OpID]
	until   []history.Rank
	value   []int32 // by state: its value plus one, 0 where it is not known
	bound   []int32 // by operation: the value that it must find, -1 if it is not bound
}

// holdValues starts pruning, if the partition is one cell.
func holdValues(r *wgl.Run) {
	t, ok := r.Instance.Axiomatic().(*model.RegisterTheory)
	if !ok || len(t.Init) != 1 || model.Derived(t) {
		return
	}
	h := &heldValues{r: r, theory: t, until: make([]history.Rank, t.Values), bound: make([]int32, len(r.Ops))}
	origin := origins(t)
	h.bind(r.Layout, origin)
	last := len(r.Returns) - 1
	h.finders = layout.NewLists(int32(t.Values), len(r.Returns), func(k int) (int32, history.OpID) {
		i := r.Returns[last-k]
		if v := h.bound[i]; v >= 0 && origin[v] >= 0 {
			return v, i
		}
		return -1, 0
	})
	for v := range h.until {
		h.until[v] = -1
		for _, i := range h.finders.Of(int32(v)) {
			h.until[v] = max(h.until[v], r.Ops[i].Call)
		}
	}
	h.know(r.Machine.Init(), t.Init[0])
	r.Prune(wgl.Rule{Bytes: h.bytes, MayLead: h.mayLead, Holds: func(s model.State) bool {
		return h.holds(s, -1)
	}, Fixed: true})
}

// bind finds out which operations must find which values with one origin.
func (h *heldValues) bind(l *layout.Layout, origin []history.OpID) {
	for i := range h.bound {
		h.bound[i] = -1
	}
	for _, i := range l.Returns {
		modes := h.theory.Of(i)
		if len(modes) != 1 || modes[0].Test != model.Is {
			continue
		}
		for v := modes[0].V; h.bound[i] < 0; {
			h.bound[i] = v
			if origin[v] < 0 || !l.Completed(origin[v]) {
				break
			}
			i = origin[v]
			found, ways := int32(-1), 0
			for _, m := range h.theory.Of(i) {
				if m.Leaves == v && (m.Test != model.Is || m.V != v) {
					ways++
					if m.Test == model.Is {
						found = m.V
					}
				}
			}
			if ways != 1 || found < 0 {
				break
			}
			v = found
		}
	}
}

// bytes says what it takes.
func (h *heldValues) bytes() int64 {
	return int64(cap(h.finders.First)+cap(h.finders.Items)+cap(h.until)+cap(h.value)+cap(h.bound)) * 4
}

// know notes the value of a state.
func (h *heldValues) know(s model.State, v int32) {
	for int(s) >= len(h.value) {
		h.value = append(h.value, 0)
	}
	h.value[s] = v + 1
}

// of returns the value of a state, -1 if it is not known.
func (h *heldValues) of(s model.State) int32 {
	if int(s) >= len(h.value) {
		return -1
	}
	return h.value[s] - 1
}

// enter notes the value of state s, to which an operation leads from another one.
func (h *heldValues) enter(from model.State, op history.OpID, s model.State) {
	if h.of(s) >= 0 || from == s {
		return
	}
	found, leaves, ways := h.of(from), model.Keep, 0
	modes := h.theory.Of(op)
	for _, m := range modes {
		if m.Leaves != model.Keep && (len(modes) == 1 || found >= 0 && m.Allows(found)) {
			leaves = m.Leaves
			ways++
		}
	}
	if ways == 1 {
		h.know(s, leaves)
	}
}

// mayLead reports whether an operation may lead from state s to state t: it is not known to fail.
func (h *heldValues) mayLead(s model.State, by history.OpID, t model.State) bool {
	if v := h.bound[by]; v >= 0 && h.of(s) >= 0 && h.of(s) != v {
		return false
	}
	if s == t {
		return true
	}
	if h.holds(s, by) {
		return false
	}
	h.enter(s, by, t)
	return !h.tooEarly(by, t)
}

// holds reports whether state s must not be left by an operation, -1 for any pending one.
func (h *heldValues) holds(s model.State, by history.OpID) bool {
	v := h.of(s)
	if v < 0 {
		return false
	}
	for _, x := range h.finders.Of(v) {
		if x != by && !h.r.Done(x) {
			return true
		}
	}
	return false
}

// tooEarly reports whether state t must not come yet, which an operation leads to: another one that
// is open does not keep t, and returns before the last finder is called.
func (h *heldValues) tooEarly(by history.OpID, t model.State) bool {
	r, v := h.r, h.of(t)
	if v < 0 || h.until[v] < 0 {
		return false
	}
	n := history.OpID(len(r.Ops))
	for x := r.NextOpen[n]; x != n && r.Ops[x].Return < h.until[v]; x = r.NextOpen[x] {
		if x != by && !r.In(x) && r.Lookup(t, x) != transition.Single(t) {
			return true
		}
	}
	return false
}

// Origins of a value besides operations.
const (
	noOrigin    = -1
	manyOrigins = -2
)

// origins returns by value the one operation that leaves it, noOrigin or manyOrigins.
func origins(t *model.RegisterTheory) []history.OpID {
	origin := make([]history.OpID, t.Values)
	for v := range origin {
		origin[v] = noOrigin
	}
	origin[t.Init[0]] = manyOrigins
	for i := range history.OpID(len(t.Object)) {
		for _, m := range t.Of(i) {
			switch {
			case m.Leaves == model.Keep || m.Test == model.Is && m.Leaves == m.V || origin[m.Leaves] == i:
			case origin[m.Leaves] == noOrigin:
				origin[m.Leaves] = i
			default:
				origin[m.Leaves] = manyOrigins
			}
		}
	}
	return origin
}
