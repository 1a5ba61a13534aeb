package wgl

// What: the current configuration and the moves that change it, each of which can be undone.
//
// A configuration is (depth, mask, state, used): the layer, which of the open completed operations
// have taken effect, the state, and how many of each class of pending operations have. The trail
// records the moves, and undo takes them back to a mark.
//
// Source: Lowe (CCPE'17, §4) for configurations; the trail is that of constraint solvers.
//
// Invariants (checkInvariants in the tests): mask holds only open operations; the list holds
// exactly the open ones, by return; 0 ≤ used ≤ avail; avail counts the members called up to this
// layer.
//
// Cost: O(1) for a move, except that a return also opens what is called in the next layer.

import (
	"slices"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/inorder"
	"github.com/linsat/linsat/internal/layout"
	"github.com/linsat/linsat/internal/model"
)

// Move is an operation that took effect, or a return that was passed (op < 0).
type Move struct {
	Op    history.OpID
	State model.State // before
}

// Walk is the current configuration.
type Walk struct {
	*layout.Layout
	Depth          layout.LayerID // the layer
	State          model.State
	Mask           []uint64       // open completed operations that have taken effect, by their bits
	Used           []int32        // by class
	Avail          []int32        // by class: members called so far
	Active         layout.ClassID // classes below this one have a member that is called
	NextOpen, prev []history.OpID // open completed operations by return; len(Ops) is the head
	Trail          []Move
	Deepest        layout.LayerID // the greatest layer seen
}

// NewWalk returns the walk at the first layer, where nothing is open yet.
func NewWalk(l *layout.Layout, start model.State) Walk {
	n := history.OpID(len(l.Ops))
	w := Walk{Layout: l, State: start, Mask: make([]uint64, l.Words), Used: make([]int32, l.Classes),
		Avail:    make([]int32, l.Classes),
		NextOpen: make([]history.OpID, n+1), prev: make([]history.OpID, n+1)}
	w.NextOpen[n], w.prev[n] = n, n
	return w
}

// Final reports whether everything has returned.
func (w *Walk) Final() bool { return int(w.Depth) == len(w.Returns) }

// In reports whether an open completed operation has taken effect.
func (w *Walk) In(v history.OpID) bool {
	k := w.Bit[v]
	return w.Mask[k>>6]>>(k&63)&1 == 1
}

// Flip lets an open completed operation take effect, or undoes that.
func (w *Walk) Flip(v history.OpID) {
	k := w.Bit[v]
	w.Mask[k>>6] ^= 1 << (k & 63)
}

// Done reports whether a completed operation has taken effect.
func (w *Walk) Done(v history.OpID) bool {
	return w.Layer[v] < w.Depth || w.From[v] <= w.Depth && w.In(v)
}

// ready reports whether all completed operations that must precede v have taken effect.
func (w *Walk) ready(v history.OpID) bool {
	if !w.HasEdge[v] {
		return true
	}
	for _, u := range w.Needs.Of(v) {
		if !w.Done(u) {
			return false
		}
	}
	return true
}

// Take lets operation v take effect and leave state s.
func (w *Walk) Take(v history.OpID, s model.State) {
	w.Trail = append(w.Trail, Move{v, w.State})
	if w.Completed(v) {
		w.Flip(v)
	} else {
		w.Used[w.Class[v]]++
	}
	w.State = s
}

// Advance passes the return that ends the layer.
func (w *Walk) Advance() {
	v, n := w.Returns[w.Depth], history.OpID(len(w.Ops))
	w.Flip(v)
	w.NextOpen[n] = w.NextOpen[v]
	w.prev[w.NextOpen[v]] = n
	w.Trail = append(w.Trail, Move{-1, w.State})
	w.Depth++
	w.Deepest = max(w.Deepest, w.Depth)
	w.Open()
}

// Open makes what is called in the layer available.
func (w *Walk) Open() {
	for _, v := range w.Opened.Of(w.Depth) {
		if !w.Completed(v) {
			c := w.Class[v]
			w.Avail[c]++
			w.Active = max(w.Active, c+1)
			continue
		}
		p := w.After[v]
		s := w.NextOpen[p]
		w.NextOpen[p], w.prev[v], w.NextOpen[v], w.prev[s] = v, p, s, v
	}
}

// Undo reverts moves until the trail has the given length.
func (w *Walk) Undo(mark int) {
	for len(w.Trail) > mark {
		m := w.Trail[len(w.Trail)-1]
		w.Trail = w.Trail[:len(w.Trail)-1]
		w.State = m.State
		switch {
		case m.Op < 0:
			w.retreat()
		case w.Completed(m.Op):
			w.Flip(m.Op)
		default:
			w.Used[w.Class[m.Op]]--
		}
	}
}

// retreat undoes advance.
func (w *Walk) retreat() {
	opened, n := w.Opened.Of(w.Depth), history.OpID(len(w.Ops))
	for k := len(opened) - 1; k >= 0; k-- {
		v := opened[k]
		if !w.Completed(v) {
			c := w.Class[v]
			if w.Avail[c]--; w.Avail[c] == 0 {
				w.Active = c
			}
			continue
		}
		w.NextOpen[w.prev[v]], w.prev[w.NextOpen[v]] = w.NextOpen[v], w.prev[v]
	}
	w.Depth--
	v := w.Returns[w.Depth]
	first := w.NextOpen[n]
	w.NextOpen[n], w.prev[v], w.NextOpen[v], w.prev[first] = v, n, first, v
	w.Flip(v)
}

// Linearization returns the operations that took effect, in order.
func (w *Walk) Linearization() []history.OpID {
	out := make([]history.OpID, 0, len(w.Returns))
	for _, m := range w.Trail {
		if m.Op >= 0 {
			out = append(out, m.Op)
		}
	}
	return out
}

// Legal reports whether the operations can take effect in that order, each once and in its time.
func (w *Walk) Legal(order []history.OpID) bool {
	if taken := slices.Sorted(slices.Values(order)); len(slices.Compact(taken)) < len(order) {
		return false
	}
	place := make([]int, len(w.Ops))
	for k, i := range order {
		place[i] = k + 1
	}
	for _, e := range w.Instance.Partition.Edges {
		if place[e.After] > 0 && place[e.Before] > place[e.After] {
			return false
		}
	}
	m := w.Instance.NewMachine()
	states := []model.State{m.Init()}
	var next []model.State
	called := history.Rank(-1) // the latest call of what came before
	for _, i := range order {
		if w.Ops[i].Return < called {
			return false
		}
		called = max(called, w.Ops[i].Call)
		next = next[:0]
		for _, s := range states {
			next = m.Step(s, i, next)
		}
		if len(next) == 0 {
			return false
		}
		states, next = append(states[:0], inorder.Distinct(next)...), next[:0]
	}
	return true
}
