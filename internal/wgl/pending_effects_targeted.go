package wgl

// What: for specifications with few states, the states in which pending operations should leave the
// object at a node (targets). It replaces trying every class in every state of the closure: the
// closure then has targets only.
//
// Source: ours. dual.Space.Targets lists the states.
//
// A state is a target if an open operation acts otherwise there than in the node's own state; an
// operation that keeps the state in both does not count, because it can come first. A state is a
// target, too, if a class leads from it to a target that the class does not lead to from the node's
// own state.
//
// Why that is enough: take a way from the node to success that uses least. If no operation acted
// otherwise after its pending operations than at the node, they could all be left out. If one of
// the classes led to the same state from the node as from a later state, what comes between could
// be left out. So all its states are targets. The proof in pending_blame.go is about such ways.
//
// Invariant: targets of a frame are the same whenever they are requested.
//
// Cost: the states in which an open operation is legal, and the pending steps into targets, for
// each node that is expanded.

import "github.com/linsat/linsat/internal/model"

// findTargets lists the targets of the frame on top.
func (r *run) findTargets(f *frame) {
	f.targets = int32(len(r.targets))
	for range r.space.SetWords() {
		r.targets = append(r.targets, 0)
	}
	r.queue = r.space.Targets(r.pendingClosure[f.closure].state, r.cands[f.cands:], r.active, r.targets[f.targets:], r.queue[:0])
}

// isTarget reports whether state t is a target of the frame.
func (r *run) isTarget(f *frame, t model.State) bool {
	return r.targets[f.targets+int32(t>>6)]>>(t&63)&1 == 1
}

// expandToTargets takes the steps from one more state of the closure that lead to targets. It
// returns false if the search has to stop.
func (r *run) expandToTargets(f *frame, from int32) bool {
	if f.targets < 0 {
		r.findTargets(f)
	}
	s := r.pendingClosure[from].state
	for _, e := range r.space.Out[s] {
		c := e.Class
		if c >= r.active {
			break
		}
		if !r.isTarget(f, e.State) {
			continue
		}
		need, open, ever := r.payable(c, r.Members.Of(c)[0])
		if !ever {
			continue
		}
		if !r.Step() {
			return false
		}
		r.usage[c]++
		if !r.covered(f, e.State) && r.mayLead(s, r.Members.Of(c)[0], e.State) && (r.bounds == nil || !r.dearer(f, from, c, e.State)) {
			if open {
				r.pendingClosure = append(r.pendingClosure, closureState{state: e.State, parent: from, class: c})
			} else {
				r.blocked = append(r.blocked, blockedStep{parent: from, class: c, state: e.State, need: need})
			}
		}
		r.usage[c]--
		if !r.Toil(int64(len(r.pendingClosure)) - int64(f.closure)) {
			return false
		}
	}
	return true
}

// leadsOn returns taken if a pending operation leads from state t, reached with r.usage, to a
// target that neither the closure nor blocked steps cover.
func (r *run) leadsOn(f *frame, t model.State) attempt {
	if f.targets < 0 { // the frame was expanded without targets
		r.findTargets(f)
	}
	for _, e := range r.space.Out[t] {
		c := e.Class
		if c >= r.active {
			break
		}
		if !r.isTarget(f, e.State) {
			continue
		}
		if _, _, ever := r.payable(c, r.Members.Of(c)[0]); !ever {
			continue
		}
		r.usage[c]++
		leads := !r.covered(f, e.State) && !r.coveredByBlock(f, e.State)
		r.usage[c]--
		if !r.Toil(int64(len(r.pendingClosure)) - int64(f.closure) + int64(len(r.blocked)) - int64(f.blocked)) {
			return stopped
		}
		if leads {
			return taken
		}
	}
	return refused
}
