package wgl

// What: at a node, the states to which pending operations can lead before the next completed
// operation: the closure of the node's state. A pending write or compare-and-set takes effect here.
//
// Source: ours; pending operations of equal kind are interchangeable, so what counts is how many of
// each class have been used.
//
// The closure is found breadth first, so states that take few operations come first. An entry is a
// state and the usage that led to it. A state that already has an entry of at most this usage gets
// no second one: whatever it makes possible, the other does for less. So loops, operations without
// effect, and long ways to a state with a short one never become nodes. For the same reason a child
// is skipped if its last operation leads to the same state from the node itself.
//
// A step for which its class has no member left is recorded as blocked (pending_blame.go): all
// called members are used or, for operations with edges, a successor is.
//
// Order among pending operations with edges: if q has an edge to w, it may not follow w. If w is
// completed, the configuration says so once and for all. If w is pending, using it blocks q.
//
// Invariant: usage is zero between two uses of it.
//
// Cost: a node takes closure × (classes + open operations) steps. The closure has at most the
// states that pending operations reach, times the incomparable ways to pay for them; that is
// exponential where every usage leads to another state (queues, counters).

import (
	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/transition"
)

// closure holds the states to which pending operations lead at the nodes.
type closure struct {
	pendingClosure []closureState // of the frames
	blocked        []blockedStep  // of the frames: steps that lacked a pending operation
	usage          []int32        // by class: use of one state of a closure, zero between uses
	targets        []uint64       // of the frames: sets of states, see pending_effects_targeted.go
	queue          []model.State  // scratch
}

// closureState is a state to which pending operations lead at a node.
type closureState struct {
	state  model.State
	parent int32 // the state before, in run.pendingClosure; -1 for the node's own state
	class  int32 // class of the step from there
	closed bool  // it can only be continued by a read-only operation
}

// blockedStep is a step from a state of the closure for which its class had no member left.
type blockedStep struct {
	parent int32 // the state of the closure
	class  int32
	state  model.State // the state that it would have led to
	need   term        // what must have been used at the node for that
}

// addUsage adds sign times the usage of a state of the closure to r.usage.
func (r *run) addUsage(l, sign int32) {
	for ; r.pendingClosure[l].parent >= 0; l = r.pendingClosure[l].parent {
		r.usage[r.pendingClosure[l].class] += sign
	}
}

// takePending applies the pending operations of a state of the closure.
func (r *run) takePending(l int32) {
	e := r.pendingClosure[l]
	if e.parent < 0 {
		return
	}
	r.takePending(e.parent)
	members := r.Members.Of(e.class)
	r.take(members[min(int(r.used[e.class]), len(members)-1)], e.state)
}

// anyReadOnly returns taken if a read-only operation that is open at the node is legal in state s.
func (r *run) anyReadOnly(f *frame, s model.State) attempt {
	for _, v := range r.readOnlyOf(f) {
		switch r.apply(s, v) {
		case 0:
			return stopped
		case transition.None:
		default:
			return taken
		}
	}
	return refused
}

// readOnlyOf returns the read-only candidates of the frame on top.
func (r *run) readOnlyOf(f *frame) []history.OpID { return r.cands[f.readOnly:] }

// expand takes the steps from one more state of the closure. It returns false if the search has to
// stop.
func (r *run) expand(f *frame) bool {
	from := f.expanded
	if r.pendingClosure[from].closed || r.active == 0 || r.holds(r.pendingClosure[from].state, -1) {
		return true
	}
	r.addUsage(from, 1)
	ok := false
	if r.space != nil {
		ok = r.expandToTargets(f, from)
	} else {
		ok = r.expandAll(f, from)
	}
	r.addUsage(from, -1)
	return ok
}

// expandAll tries every class in a state of the closure. It returns false if the search has to
// stop.
func (r *run) expandAll(f *frame, from int32) bool {
	if r.counted != nil && r.atEnd == nil {
		for _, c := range r.mayChange(r.pendingClosure[from].state) {
			if !r.expandClass(f, from, c) {
				return false
			}
		}
		return true
	}
	for c := range r.active {
		if !r.expandClass(f, from, c) {
			return false
		}
	}
	return true
}

// expandClass tries one class in a state of the closure. It returns false if the search has to
// stop.
func (r *run) expandClass(f *frame, from, c int32) bool {
	s, q := r.pendingClosure[from].state, r.Members.Of(c)[0]
	need, open, ever := r.payable(c, q)
	if !ever {
		return true
	}
	code := r.apply(s, q)
	if code == 0 {
		return false
	}
	r.usage[c]++
	for i := int32(0); ; i++ {
		t, ok := r.Table.Next(code, i)
		if !ok {
			break
		}
		if t == s || r.covered(f, t) || !r.mayLead(s, q, t) || r.mustWait(q) || r.takesAnothers(s, q) {
			continue
		}
		if open {
			r.pendingClosure = append(r.pendingClosure, closureState{state: t, parent: from, class: c})
		} else {
			r.blocked = append(r.blocked, blockedStep{parent: from, class: c, state: t, need: need})
		}
	}
	r.usage[c]--
	return r.Toil(int64(len(r.pendingClosure)) - int64(f.closure))
}

// payable returns whether one more of class c, whose first member is q, can be used after what is
// used at the node and r.usage (open). If not, need is what must have been used at the node for
// that; ever is false if q is blocked whatever has been used there.
func (r *run) payable(c int32, q history.OpID) (need term, open, ever bool) {
	if r.otherComponent(q) {
		return need, false, false
	}
	if r.unlimited {
		return need, true, true
	}
	if r.used[c]+r.usage[c] >= r.avail[c] {
		need = term{c, r.avail[c] - r.usage[c]}
		return need, false, need.count > 0
	}
	if !r.HasEdge[q] {
		return need, true, true
	}
	if !r.ready(q) {
		return need, false, false
	}
	open = true
	for _, w := range r.Bars.Of(q) {
		if r.Completed(w) {
			if r.done(w) {
				return need, false, false
			}
			continue
		}
		switch d := r.Class[w]; {
		case r.usage[d] > 0:
			return need, false, false
		case r.used[d] > 0:
			need, open = term{d, 1}, false
		}
	}
	return need, open, true
}

// covered reports whether state t is in the closure with at most the usage in r.usage.
func (r *run) covered(f *frame, t model.State) bool {
	for l := int(f.closure); l < len(r.pendingClosure); l++ {
		if r.pendingClosure[l].state == t && (r.unlimited || r.pays(int32(l), -1)) {
			return true
		}
	}
	return false
}

// pays reports whether r.usage is enough for state l of the closure and, if c ≥ 0, one more of
// class c.
func (r *run) pays(l, c int32) bool {
	enough := true
	if c >= 0 {
		r.usage[c]--
		enough = r.usage[c] >= 0
	}
	k := l
	for ; enough && r.pendingClosure[k].parent >= 0; k = r.pendingClosure[k].parent {
		d := r.pendingClosure[k].class
		r.usage[d]--
		enough = r.usage[d] >= 0
		if !enough {
			k = r.pendingClosure[k].parent
			break
		}
	}
	for i := l; i != k; i = r.pendingClosure[i].parent {
		r.usage[r.pendingClosure[i].class]++
	}
	if c >= 0 {
		r.usage[c]++
	}
	return enough
}
