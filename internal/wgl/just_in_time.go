package wgl

// What: the forced steps between two choices of the search: returns that can be passed are passed,
// and read-only operations that are legal are taken.
//
// Source: just-in-time linearization (Lowe, CCPE'17, §4). A completed operation needs to take
// effect only when the next one to return has not, so a return is passed as soon as it can be.
// Given a linearization, take its operations in its order and pass every return as early as
// possible: what it puts before the returning operation was called before that return, hence is
// open now. Pending operations are used only when something completed follows.
//
// What we changed: a read-only operation, which cannot change any state, is taken as soon as it is
// legal. In any linearization of the rest it can be moved to the front: what must precede it has
// been taken (Layout.Needs), and no pending operation wants to precede it (Layout.AtOnce).
//
// Cost: one step for each open read-only operation, and again after every change of state.

import (
	"fmt"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/transition"
)

// Settle takes every read-only operation that is legal and passes every return that it can, until
// neither is possible. It returns false if the search has to stop.
func (r *Run) Settle() bool {
	if !r.takeReadOnly() {
		return false
	}
	for int(r.Depth) < len(r.Returns) && r.In(r.Returns[r.Depth]) {
		r.Advance()
		if r.EdgedAtOnce {
			if !r.takeReadOnly() {
				return false
			}
			continue
		}
		for _, v := range r.Opened.Of(r.Depth) {
			if r.AtOnce[v] && r.Completed(v) && r.tryReadOnly(v) == Stopped {
				return false
			}
		}
	}
	return true
}

// takeReadOnly takes every open read-only operation that is legal. It returns false if the search
// has to stop.
func (r *Run) takeReadOnly() bool {
	n := history.OpID(len(r.Ops))
	for again := true; again; {
		again = false
		for v := r.NextOpen[n]; v != n; v = r.NextOpen[v] {
			if !r.AtOnce[v] || r.In(v) || !r.ready(v) {
				continue
			}
			switch r.tryReadOnly(v) {
			case Stopped:
				return false
			case Taken:
				again = r.EdgedAtOnce
			}
		}
	}
	return true
}

// tryReadOnly takes v, which is read-only and ready, if it is legal.
func (r *Run) tryReadOnly(v history.OpID) Attempt {
	switch r.Apply(r.State, v) {
	case 0:
		return Stopped
	case transition.None:
		return Refused
	case transition.Single(r.State):
		r.Take(v, r.State)
		return Taken
	}
	r.Broken = fmt.Errorf("specification %s: operation %s is called read-only, but changes state %s",
		r.Instance.Spec.Info().Name, r.Instance.Partition.ID(v), r.Machine.Describe(r.State))
	return Stopped
}
