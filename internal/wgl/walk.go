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
	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/layout"
	"github.com/linsat/linsat/internal/model"
)

// move is an operation that took effect, or a return that was passed (op < 0).
type move struct {
	op    history.OpID
	state model.State // before
}

// walk is the current configuration.
type walk struct {
	*layout.Layout
	depth      int32 // the layer
	state      model.State
	mask       []uint64       // open completed operations that have taken effect, by their bits
	used       []int32        // by class
	avail      []int32        // by class: members called so far
	active     int32          // classes below this one have a member that is called
	next, prev []history.OpID // open completed operations by return; len(Ops) is the head
	trail      []move
	deepest    int32 // the greatest layer seen
}

// newWalk returns the walk at the first layer, where nothing is open yet.
func newWalk(l *layout.Layout, start model.State) walk {
	n := history.OpID(len(l.Ops))
	w := walk{Layout: l, state: start, mask: make([]uint64, l.Words), used: make([]int32, l.Classes), avail: make([]int32, l.Classes),
		next: make([]history.OpID, n+1), prev: make([]history.OpID, n+1)}
	w.next[n], w.prev[n] = n, n
	return w
}

// final reports whether everything has returned.
func (w *walk) final() bool { return int(w.depth) == len(w.Returns) }

// in reports whether an open completed operation has taken effect.
func (w *walk) in(v history.OpID) bool {
	k := w.Bit[v]
	return w.mask[k>>6]>>(k&63)&1 == 1
}

// flip lets an open completed operation take effect, or undoes that.
func (w *walk) flip(v history.OpID) {
	k := w.Bit[v]
	w.mask[k>>6] ^= 1 << (k & 63)
}

// done reports whether a completed operation has taken effect.
func (w *walk) done(v history.OpID) bool {
	return w.Layer[v] < w.depth || w.From[v] <= w.depth && w.in(v)
}

// ready reports whether all completed operations that must precede v have taken effect.
func (w *walk) ready(v history.OpID) bool {
	if !w.HasEdge[v] {
		return true
	}
	for _, u := range w.Needs.Of(v) {
		if !w.done(u) {
			return false
		}
	}
	return true
}

// take lets operation v take effect and leave state s.
func (w *walk) take(v history.OpID, s model.State) {
	w.trail = append(w.trail, move{v, w.state})
	if w.Completed(v) {
		w.flip(v)
	} else {
		w.used[w.Class[v]]++
	}
	w.state = s
}

// advance passes the return that ends the layer.
func (w *walk) advance() {
	v, n := w.Returns[w.depth], history.OpID(len(w.Ops))
	w.flip(v)
	w.next[n] = w.next[v]
	w.prev[w.next[v]] = n
	w.trail = append(w.trail, move{-1, w.state})
	w.depth++
	w.deepest = max(w.deepest, w.depth)
	w.open()
}

// open makes what is called in the layer available.
func (w *walk) open() {
	for _, v := range w.Opened.Of(w.depth) {
		if !w.Completed(v) {
			c := w.Class[v]
			w.avail[c]++
			w.active = max(w.active, c+1)
			continue
		}
		p := w.After[v]
		s := w.next[p]
		w.next[p], w.prev[v], w.next[v], w.prev[s] = v, p, s, v
	}
}

// undo reverts moves until the trail has the given length.
func (w *walk) undo(mark int) {
	for len(w.trail) > mark {
		m := w.trail[len(w.trail)-1]
		w.trail = w.trail[:len(w.trail)-1]
		w.state = m.state
		switch {
		case m.op < 0:
			w.retreat()
		case w.Completed(m.op):
			w.flip(m.op)
		default:
			w.used[w.Class[m.op]]--
		}
	}
}

// retreat undoes advance.
func (w *walk) retreat() {
	opened, n := w.Opened.Of(w.depth), history.OpID(len(w.Ops))
	for k := len(opened) - 1; k >= 0; k-- {
		v := opened[k]
		if !w.Completed(v) {
			c := w.Class[v]
			if w.avail[c]--; w.avail[c] == 0 {
				w.active = c
			}
			continue
		}
		w.next[w.prev[v]], w.prev[w.next[v]] = w.next[v], w.prev[v]
	}
	w.depth--
	v := w.Returns[w.depth]
	first := w.next[n]
	w.next[n], w.prev[v], w.next[v], w.prev[first] = v, n, first, v
	w.flip(v)
}

// allUsed returns what is used, reusing dst.
func (w *walk) allUsed(dst vector) vector {
	dst = dst[:0]
	for c, n := range w.used {
		if n > 0 {
			dst = append(dst, term{int32(c), n})
		}
	}
	return dst
}

// linearization returns the operations that took effect, in order.
func (w *walk) linearization() []history.OpID {
	out := make([]history.OpID, 0, len(w.Returns))
	for _, m := range w.trail {
		if m.op >= 0 {
			out = append(out, m.op)
		}
	}
	return out
}
