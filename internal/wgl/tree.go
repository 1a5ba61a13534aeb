package wgl

// What: the nodes of the depth-first search (dfs.go): entering one, its candidates, its children,
// what it learns from their failures, and how it ends.
//
// Components: partitions with independent components (keys of a map, several objects), if the
// history was not split by them.
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

import (
	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
)

// enter visits the current configuration. If that fails, r.reason says why.
func (r *Run) enter() Outcome {
	if r.atEnd == nil && r.Final() {
		return Found
	}
	if known, because := r.fails(); known { // this sets blame, too
		r.reason = append(r.reason[:0], because...)
		return Failed
	}
	r.Nodes++
	if r.Inspect != nil {
		r.Inspect()
	}
	r.push()
	return Opened
}

// push opens a frame for the current configuration.
func (r *Run) push() {
	if len(r.frames) < cap(r.frames) {
		r.frames = r.frames[:len(r.frames)+1]
	} else {
		r.frames = append(r.frames, frame{})
	}
	f := &r.frames[len(r.frames)-1]
	kept := f.reason[:0]
	*f = frame{mark: len(r.Trail), cands: int32(len(r.cands)), closure: closureIndex(len(r.pendingClosure)),
		blocked: int32(len(r.blocked)), reason: kept}
	f.current, f.expanded, f.cand, f.targets, f.targetsBelow = f.closure, f.closure, -1, -1, int32(len(r.targets))
	f.blame = r.component()
	f.child, f.children = int32(len(r.children)), int32(len(r.children))
	r.pendingClosure = append(r.pendingClosure, closureState{state: r.State, parent: -1, class: -1})

	n := history.OpID(len(r.Ops))
	stamp := r.Nodes
	for v := r.NextOpen[n]; v != n; v = r.NextOpen[v] {
		if r.In(v) || r.AtOnce[v] || !r.ready(v) || r.otherComponent(v) {
			continue
		}
		if !r.HasEdge[v] {
			if r.met[r.Kind[v]] == stamp {
				continue
			}
			r.met[r.Kind[v]] = stamp
		}
		r.cands = append(r.cands, v)
	}
	f.readOnly = int32(len(r.cands))
	if r.Active > 0 {
		for v := r.NextOpen[n]; v != n; v = r.NextOpen[v] {
			if !r.In(v) && r.AtOnce[v] && r.ready(v) && !r.otherComponent(v) {
				r.cands = append(r.cands, v)
			}
		}
	}
}

// child takes the pending operations of the current state of the closure, then v, which leaves
// state t (v negative: nothing), and enters the resulting configuration.
func (r *Run) child(f *frame, v history.OpID, t model.State) Outcome {
	f.from = f.current
	r.takePending(f.current)
	if v >= 0 {
		if r.Before != nil {
			r.Before(v)
		}
		r.Take(v, t)
	}
	if !r.Settle() {
		return GaveUp
	}
	return r.enter()
}

// learn adds the failure of a child to the frame on top and returns to its configuration. It
// reports whether the frame fails as well, for a component that it does not change.
func (r *Run) learn() (jump bool) {
	f := &r.frames[len(r.frames)-1]
	r.Undo(f.mark)
	jump = r.blameComponent(f)
	if len(r.reason) == 0 {
		return jump
	}
	r.addUsage(f.from, 1)
	size := cap(r.merged)
	r.merged = mergeMax(r.merged[:0], f.reason, r.reason, r.usage)
	r.reasonTerms += cap(r.merged) - size
	r.addUsage(f.from, -1)
	f.reason, r.merged = r.merged, f.reason
	return jump
}

// pop ends the frame on top: nothing is left to try there.
func (r *Run) pop() Outcome {
	f := &r.frames[len(r.frames)-1]
	if !r.store(f.reason, f.blame) {
		return GaveUp
	}
	r.blame = f.blame
	r.reason, f.reason = f.reason, r.reason
	r.cands, r.pendingClosure, r.blocked, r.targets = r.cands[:f.cands], r.pendingClosure[:f.closure],
		r.blocked[:f.blocked], r.targets[:f.targetsBelow]
	r.children = r.children[:f.children]
	r.frames = r.frames[:len(r.frames)-1]
	return Failed
}

// blameComponent records the component that the last child of the frame failed for, and reports
// whether that decides the frame.
func (r *Run) blameComponent(f *frame) (decides bool) {
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
	r.Jumps++
	return true
}
