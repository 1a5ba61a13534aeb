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
// A step for which its class has no member left is recorded as blocked: all
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
//
// Which missing pending operations are to blame when a node fails:
//
// Source: ours, after the conflict analysis of constraint solvers.
//
// When a node has failed, each blocked step adds to the reason how much must be used for it to be
// blocked, but only if the step could have helped. It could have if it leads to a state outside the
// closure in which one of these holds: a read-only operation is legal; a completed operation acts
// otherwise than at the node; a pending operation leads on to a state that neither the closure nor
// another blocked step covers.
//
// Why that suffices: take a way to success, of least usage, that is open at some usage above the
// reason but not at the node. Follow it to the last state of the closure that covers its beginning.
// Its next step is then a blocked one that added nothing. So its completed operation does not come
// next, or would do as well without any pending operation, and its next pending operation leads to
// a state covered by the closure or by another blocked step of no more usage, from which the rest
// is shorter. By induction on the rest there is no such way.
//
// Invariant: the reason is at most what is used at the node.
//
// Cost: for each blocked step, the steps of one state of the closure.

import (
	"github.com/linsat/linsat/internal/layout"
	"github.com/linsat/linsat/internal/model"
)

// expand takes the steps from one more state of the closure. It returns false if the search has to
// stop.
func (r *Run) expand(f *frame) bool {
	from := f.expanded
	if r.pendingClosure[from].closed || r.Active == 0 || r.held(r.pendingClosure[from].state) {
		return true
	}
	r.addUsage(from, 1)
	ok := false
	if r.Targets {
		ok = r.expandToTargets(f, from)
	} else {
		ok = r.expandAll(f, from)
	}
	r.addUsage(from, -1)
	return ok
}

// expandAll tries every class in a state of the closure. It returns false if the search has to
// stop.
func (r *Run) expandAll(f *frame, from closureIndex) bool {
	if classes, ok := r.classesNext(r.pendingClosure[from].state); ok {
		for _, c := range classes {
			if !r.expandClass(f, from, c) {
				return false
			}
		}
		return true
	}
	for c := range r.Active {
		if !r.expandClass(f, from, c) {
			return false
		}
	}
	return true
}

// expandClass tries one class in a state of the closure. It returns false if the search has to
// stop.
func (r *Run) expandClass(f *frame, from closureIndex, c layout.ClassID) bool {
	s, q := r.pendingClosure[from].state, r.Members.Of(c)[0]
	need, open, ever := r.payable(c, q)
	if !ever {
		return true
	}
	code := r.Apply(s, q)
	if code == 0 {
		return false
	}
	r.usage[c]++
	for i := int32(0); ; i++ {
		t, ok := r.Table.Next(code, i)
		if !ok {
			break
		}
		if t == s || r.covered(f, t) || !r.mayLead(s, q, t) || !r.mayTake(s, q) {
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

// explainBlocked adds to the reason of the frame on top, which has failed, what its blocked steps
// contribute. It returns false if the search has to stop.
func (r *Run) explainBlocked(f *frame) bool {
	for k := int(f.blocked); k < len(r.blocked); k++ {
		b := r.blocked[k]
		if f.reason.of(b.need.class) >= b.need.count {
			continue
		}
		r.addUsage(b.parent, 1)
		r.usage[b.class]++
		helps := Refused
		if !r.covered(f, b.state) {
			helps = r.helps(f, b.state)
		}
		r.usage[b.class]--
		r.addUsage(b.parent, -1)
		switch helps {
		case Stopped:
			return false
		case Taken:
			f.reason = f.reason.raise(b.need.class, b.need.count)
		}
	}
	return true
}

// helps returns taken if state t, reached with r.usage, makes anything possible that the closure
// and blocked steps do not cover.
func (r *Run) helps(f *frame, t model.State) Attempt {
	if a := r.anyReadOnly(f, t); a != Refused {
		return a
	}
	own := r.pendingClosure[f.closure].state
	for _, v := range r.cands[f.cands:f.readOnly] {
		code := r.Apply(t, v)
		if code == 0 {
			return Stopped
		}
		here := r.Lookup(own, v)
		for i := int32(0); ; i++ {
			n, ok := r.Table.Next(code, i)
			if !ok {
				break
			}
			if !r.Leads(here, n) {
				return Taken
			}
		}
	}
	if r.Targets {
		return r.leadsOn(f, t)
	}
	for c := range r.Active {
		q := r.Members.Of(c)[0]
		if _, _, ever := r.payable(c, q); !ever {
			continue
		}
		code := r.Apply(t, q)
		if code == 0 {
			return Stopped
		}
		r.usage[c]++
		leads := Refused
		for i := int32(0); ; i++ {
			n, ok := r.Table.Next(code, i)
			if !ok {
				break
			}
			if n != t && !r.covered(f, n) && !r.coveredByBlock(f, n) {
				leads = Taken
				break
			}
		}
		r.usage[c]--
		if !r.Toil(int64(len(r.pendingClosure)) - int64(f.closure) + int64(len(r.blocked)) - int64(f.blocked)) {
			return Stopped
		}
		if leads == Taken {
			return Taken
		}
	}
	return Refused
}
