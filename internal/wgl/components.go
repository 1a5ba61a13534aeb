package wgl

// What: partitions with independent components (keys of a map, several objects), where nobody has split the
// history by them.
//
// Just in time, by component: when the next return is of an operation on one component, only operations on
// that component may come next. Source: locality (Herlihy and Wing, TOPLAS 1990): operations on
// different components can be exchanged in a legal sequence, so all others can wait until the return
// that needs them; they are open still, since this return is the next. It is a persistent set in
// the sense of Godefroid.
//
// Jumping back. A node changes one component only, that of its return. A failed node is said to fail
// for a component: what is left of that component alone cannot be linearized. A node all of whose children
// fail for its own component fails for it. If a child fails for another component, the node fails for that
// at once, whatever its other children are: none of them changes that component, and what is forced
// (read-only operations, returns that can be passed) is the same for it below all of them. Without this,
// the choices of one component would all be tried again for each choice of another.
//
// Invariant: what a failed node is said to fail for cannot be linearized alone from there, from any
// usage at least as high as the reason says. anyPiece claims nothing.

const anyComponent = -1

// component is the component that the current node changes.
func (r *run) component() int32 {
	if r.Component == nil || r.final() {
		return anyComponent
	}
	return r.Component[r.Returns[r.depth]]
}

// otherComponent reports whether operation v is on a component that need not be touched now.
func (r *run) otherComponent(v int32) bool {
	return r.Component != nil && r.atEnd == nil && !r.final() && r.Component[v] != r.Component[r.Returns[r.depth]]
}

// blameComponent takes in for what the last child of the frame failed, and reports whether that decides the
// frame.
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
