package wgl

import "github.com/linsat/linsat/history"

// What: partitions with independent components (keys of a map, several objects), if the history was
// not split by them.
//
// Source: locality (Herlihy and Wing, TOPLAS 1990) and persistent sets (Godefroid, LNCS 1032).
//
// Just in time, by component: when the next return is of an operation on one component, only
// operations on that component may come next. Operations on different components can be exchanged
// in a legal sequence, so all others can wait until the return that needs them. They are still
// open, because this return is the next.
//
// Jumping back: a node changes one component only, that of its return. A failed node fails for a
// component, if what is left of that component alone cannot be linearized. A node whose children
// all fail for its own component fails for it. If a child fails for another component, the node
// fails for that one at once, whatever its other children do: none of them changes that component,
// and what is forced (read-only operations, returns that can be passed) is the same for it below
// all of them. Without this, the choices of one component would all be tried again for each choice
// of another.
//
// Invariant: the component that a failed node fails for cannot be linearized alone from there, from
// any usage at least as high as the reason says. anyComponent claims nothing.
//
// Cost: O(1) for each node.

const anyComponent = -1

// component returns the component that the current node changes.
func (r *run) component() int32 {
	if r.Component == nil || r.final() {
		return anyComponent
	}
	return r.Component[r.Returns[r.depth]]
}

// otherComponent reports whether operation v is on a component that need not be touched now.
func (r *run) otherComponent(v history.OpID) bool {
	return r.Component != nil && r.atEnd == nil && !r.final() && r.Component[v] != r.Component[r.Returns[r.depth]]
}

// blameComponent records the component that the last child of the frame failed for, and reports
// whether that decides the frame.
func (r *run) blameComponent(f *frame) (decides bool) {
	if r.Component == nil || r.atEnd != nil {
		return false
	}
	switch r.blame {
	case r.component():
		return false
	case anyComponent:
		f.blame = anyComponent
		return false
	}
	f.blame = r.blame
	r.jumps++
	return true
}
