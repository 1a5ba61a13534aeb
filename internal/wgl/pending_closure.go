package wgl

import (
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/transition"
)

// What: at a node, the states that pending operations can bring about before the next completed
// operation (states of the closure), and which missing pending operations are to blame when the node fails.
//
// The closure are found breadth first, so with few operations first. A state of the closure is a state and the usage
// that led to it; one whose state has a state of the closure of at most its usage is left out: whatever it makes
// possible, the other does for less. So loops, operations without effect, and long ways to a state
// with a short one never become nodes. The same argument allows a child to be skipped when its last
// operation leads to the same state from the node itself.
//
// A step that its class cannot pay for, because all called members are used (or, for operations
// with edges, because a successor is), is remembered as blocked. When the node has failed, each
// blocked step contributes to the reason how much must be used for it to be blocked — but only if
// it could have helped: it leads to a state without state of the closure in which some read-only operation is legal, or
// a completed operation acts otherwise than at the node, or a pending operation leads on to a state
// that neither a state of the closure nor a blocked step covers. Why that suffices: take a way to success, of
// least usage, that is open at some usage above the reason but not at the node. Follow it to the
// last state of the closure that covers its beginning. Its next step is then a blocked one which contributed
// nothing; so its completed operation does not come next, or would do as well without any pending
// operation; and its next pending operation leads to a state covered by a state of the closure or another blocked
// step of no more usage, from which the rest is shorter. By induction on the rest there is no such
// way.
//
// Order among pending operations with edges: q with an edge to w may not follow w. If w is
// completed, the configuration says so once and for all. If w is pending, using it blocks q.
//
// Cost: states of the closure × (classes + open operations) steps a node; states of the closure are at most the states reachable
// by pending operations times the incomparable ways to pay for them, which can be exponential where
// every usage leads to another state (queues, counters).

// closure is what pending operations bring about at the nodes.
type closure struct {
	pendingClosure []closureState // of the frames
	blocked        []blockedStep  // of the frames: steps that lacked a pending operation
	usage          []int32        // by class: use of one state of a closure, zero between uses
	targets        []uint64       // of the frames: sets of states, see pending_targets.go
	queue          []model.State  // scratch
}

// closureState is a state that pending operations bring about at a node.
type closureState struct {
	state  model.State
	parent int32 // the state of the closure before, in run.states of the closure; -1 for the node's own state
	class  int32 // class of the step from there
	closed bool  // its only way on is a read-only operation
}

// blockedStep is a step from a state of the closure that could not be made.
type blockedStep struct {
	parent int32 // the state of the closure
	class  int32
	state  model.State // what it would have led to
	need   term        // what must have been used at the node for that
}

// addUsage adds sign times the usage of a state of the closure to spent.
func (r *run) addUsage(l, sign int32) {
	for ; r.pendingClosure[l].parent >= 0; l = r.pendingClosure[l].parent {
		r.usage[r.pendingClosure[l].class] += sign
	}
}

// takePending lets the pending operations of a state of the closure take effect.
func (r *run) takePending(l int32) {
	e := r.pendingClosure[l]
	if e.parent < 0 {
		return
	}
	r.takePending(e.parent)
	r.take(r.Members.Of(e.class)[r.used[e.class]], e.state)
}

// anyReadOnly reports whether a read-only operation that is open at the node is legal in state s.
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
func (r *run) readOnlyOf(f *frame) []int32 { return r.cands[f.readOnly:] }

// expand makes the steps of one more state of the closure.
func (r *run) expand(f *frame) bool {
	from := f.expanded
	if r.pendingClosure[from].closed || r.active == 0 {
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

func (r *run) expandAll(f *frame, from int32) bool {
	s := r.pendingClosure[from].state
	for c := range r.active {
		q := r.Members.Of(c)[0]
		need, open, ever := r.payable(c, q)
		if !ever {
			continue
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
			if t == s || r.covered(f, t) {
				continue
			}
			if open {
				r.pendingClosure = append(r.pendingClosure, closureState{state: t, parent: from, class: c})
			} else {
				r.blocked = append(r.blocked, blockedStep{parent: from, class: c, state: t, need: need})
			}
		}
		r.usage[c]--
		if !r.Toil(int64(len(r.pendingClosure)) - int64(f.closure)) {
			return false
		}
	}
	return true
}

// payable reports whether one more of class c, whose first member is q, can be used after what is used
// at the node and spent besides. If it is not open, need is what must have been used at the node
// for that; ever is false if it is blocked whatever has been used there.
func (r *run) payable(c, q int32) (need term, open, ever bool) {
	if r.otherComponent(q) {
		return need, false, false
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

// covered reports whether state t has a state of the closure that uses at most what is spent.
func (r *run) covered(f *frame, t model.State) bool {
	for l := int(f.closure); l < len(r.pendingClosure); l++ {
		if r.pendingClosure[l].state == t && r.pays(int32(l), -1) {
			return true
		}
	}
	return false
}

// coveredByBlock is covered for blocked steps other than the one in work.
func (r *run) coveredByBlock(f *frame, t model.State) bool {
	for k := int(f.blocked); k < len(r.blocked); k++ {
		if b := &r.blocked[k]; b.state == t && r.pays(b.parent, b.class) {
			return true
		}
	}
	return false
}

// pays reports whether what is spent is enough for state of the closure l and one more of class c (if c ≥ 0).
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

// explainBlocked adds to the reason of the frame on top, which has failed, what its blocked steps
// contribute.
func (r *run) explainBlocked(f *frame) bool {
	for k := int(f.blocked); k < len(r.blocked); k++ {
		b := r.blocked[k]
		if f.reason.of(b.need.class) >= b.need.count {
			continue
		}
		r.addUsage(b.parent, 1)
		r.usage[b.class]++
		helps := refused
		if !r.covered(f, b.state) {
			helps = r.helps(f, b.state)
		}
		r.usage[b.class]--
		r.addUsage(b.parent, -1)
		switch helps {
		case stopped:
			return false
		case taken:
			f.reason = f.reason.raise(b.need.class, b.need.count)
		}
	}
	return true
}

// helps reports whether state t, reached with what is spent, makes anything possible that
// states of the closure and blocked steps do not cover.
func (r *run) helps(f *frame, t model.State) attempt {
	if a := r.anyReadOnly(f, t); a != refused {
		return a
	}
	own := r.pendingClosure[f.closure].state
	for _, v := range r.cands[f.cands:f.readOnly] {
		code := r.apply(t, v)
		if code == 0 {
			return stopped
		}
		here := r.Lookup(own, v)
		for i := int32(0); ; i++ {
			n, ok := r.Table.Next(code, i)
			if !ok {
				break
			}
			if !r.Leads(here, n) {
				return taken
			}
		}
	}
	if r.space != nil {
		return r.leadsOn(f, t)
	}
	for c := range r.active {
		q := r.Members.Of(c)[0]
		if _, _, ever := r.payable(c, q); !ever {
			continue
		}
		code := r.apply(t, q)
		if code == 0 {
			return stopped
		}
		r.usage[c]++
		leads := refused
		for i := int32(0); ; i++ {
			n, ok := r.Table.Next(code, i)
			if !ok {
				break
			}
			if n != t && !r.covered(f, n) && !r.coveredByBlock(f, n) {
				leads = taken
				break
			}
		}
		r.usage[c]--
		if !r.Toil(int64(len(r.pendingClosure)) - int64(f.closure) + int64(len(r.blocked)) - int64(f.blocked)) {
			return stopped
		}
		if leads == taken {
			return taken
		}
	}
	return refused
}
