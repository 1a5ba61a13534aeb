package wgl

import "github.com/linsat/linsat/internal/model"

// What: which states pending operations should bring about at a node, where the specification has
// few states (space.go). It replaces trying every class in every state of the closure: states of the closure are made in wanted
// states only.
//
// A state is a target if an open operation acts otherwise there than in the node's own state; to
// keep either state does not count, for then the operation can come first. Wanted are the targets,
// and the states from which a class leads to a wanted state that it does not lead to from the
// node's own.
//
// Why that is enough: take a way from the node to success that uses least. If no operation acted
// otherwise at the end of its pending operations than at the node, they could all be left out; if
// one of the classes led to the same state from the node as from a later state of the closure, what comes between
// could be left out. So its states of the closure are wanted. The proof in pending_closure.go is about such ways.
//
// Cost: states in which an open operation is legal, and the pending steps into wanted states, per
// node that is expanded.

// findTargets fills in the wanted states of the frame on top.
func (r *run) findTargets(f *frame) {
	f.targets = int32(len(r.targets))
	for range r.space.SetWords() {
		r.targets = append(r.targets, 0)
	}
	r.queue = r.space.Targets(r.pendingClosure[f.closure].state, r.cands[f.cands:], r.active, r.targets[f.targets:], r.queue[:0])
}

func (r *run) isTarget(f *frame, t model.State) bool {
	return r.targets[f.targets+int32(t>>6)]>>(t&63)&1 == 1
}

// expandToTargets makes the steps of one more state of the closure to wanted states.
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
		if !r.covered(f, e.State) && (r.bounds == nil || !r.dearer(f, from, c, e.State)) {
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

// leadsOn reports whether a pending operation leads from state t, reached with what is spent, to a
// wanted one that neither states of the closure nor blocked steps cover.
func (r *run) leadsOn(f *frame, t model.State) attempt {
	if f.targets < 0 { // it was expanded without
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
