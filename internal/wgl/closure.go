package wgl

// What: the closure of a node (pending_effects.go): what its states cost, what they cover, and for
// specifications with few states the targets in it, and what the dual bound cuts of it
// (dual_bounds.go).
//
// Targets: for specifications with few states, the states in which pending operations should leave
// the object at a node. It replaces trying every class in every state of the closure: the
// closure then has targets only.
//
// Source: ours. dual.Space.Targets lists the states.
//
// A state is a target if an open operation acts otherwise there than in the node's own state; an
// operation that keeps the state in both does not count, because it can come first. A state is a
// target, too, if a class leads from it to a target that the class does not lead to from the node's
// own state.
//
// A search may change between targets and all classes, even at one node: what is a target is in the
// closure either way, and no other state has to be.
//
// Why that is enough: take a way from the node to success that uses least. If no operation acted
// otherwise after its pending operations than at the node, they could all be left out. If one of
// the classes led to the same state from the node as from a later state, what comes between could
// be left out. So all its states are targets. The proof in pending_effects.go is about such ways.
//
// Invariant: targets of a frame are the same whenever they are requested.
//
// Cost: the states in which an open operation is legal, and the pending steps into targets, for
// each node that is expanded.

import (
	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/dual"
	"github.com/linsat/linsat/internal/layout"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/transition"
)

// addUsage adds sign times the usage of a state of the closure to r.usage.
func (r *Run) addUsage(l closureIndex, sign int32) {
	for ; r.pendingClosure[l].parent >= 0; l = r.pendingClosure[l].parent {
		r.usage[r.pendingClosure[l].class] += sign
	}
}

// takePending applies the pending operations of a state of the closure.
func (r *Run) takePending(l closureIndex) {
	e := r.pendingClosure[l]
	if e.parent < 0 {
		return
	}
	r.takePending(e.parent)
	members := r.Members.Of(e.class)
	r.Take(members[min(int(r.Used[e.class]), len(members)-1)], e.state)
}

// anyReadOnly returns taken if a read-only operation that is open at the node is legal in state s.
func (r *Run) anyReadOnly(f *frame, s model.State) Attempt {
	for _, v := range r.readOnlyOf(f) {
		switch r.Apply(s, v) {
		case 0:
			return Stopped
		case transition.None:
		default:
			return Taken
		}
	}
	return Refused
}

// readOnlyOf returns the read-only candidates of the frame on top.
func (r *Run) readOnlyOf(f *frame) []history.OpID { return r.cands[f.readOnly:] }

// payable returns whether one more of class c, whose first member is q, can be used after what is
// used at the node and r.usage (open). If not, need is what must have been used at the node for
// that; ever is false if q is blocked whatever has been used there.
func (r *Run) payable(c layout.ClassID, q history.OpID) (need term, open, ever bool) {
	if r.otherComponent(q) {
		return need, false, false
	}
	if r.Unlimited {
		return need, true, true
	}
	if r.Used[c]+r.usage[c] >= r.Avail[c] {
		need = term{c, r.Avail[c] - r.usage[c]}
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
			if r.Done(w) {
				return need, false, false
			}
			continue
		}
		switch d := r.Class[w]; {
		case r.usage[d] > 0:
			return need, false, false
		case r.Used[d] > 0:
			need, open = term{d, 1}, false
		}
	}
	return need, open, true
}

// covered reports whether state t is in the closure with at most the usage in r.usage.
func (r *Run) covered(f *frame, t model.State) bool {
	for l := int(f.closure); l < len(r.pendingClosure); l++ {
		if r.pendingClosure[l].state == t && (r.Unlimited || r.pays(closureIndex(l), -1)) {
			return true
		}
	}
	return false
}

// pays reports whether r.usage is enough for state l of the closure and, if c ≥ 0, one more of
// class c.
func (r *Run) pays(l closureIndex, c layout.ClassID) bool {
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

// coveredByBlock is covered for blocked steps other than the current one.
func (r *Run) coveredByBlock(f *frame, t model.State) bool {
	for k := int(f.blocked); k < len(r.blocked); k++ {
		if b := &r.blocked[k]; b.state == t && r.pays(b.parent, b.class) {
			return true
		}
	}
	return false
}

// findTargets lists the targets of the frame on top.
func (r *Run) findTargets(f *frame) {
	f.targets = int32(len(r.targets))
	for range r.Space.SetWords() {
		r.targets = append(r.targets, 0)
	}
	r.queue = r.Space.Targets(r.pendingClosure[f.closure].state, r.cands[f.cands:], r.Active,
		r.targets[f.targets:], r.queue[:0])
}

// isTarget reports whether state t is a target of the frame.
func (r *Run) isTarget(f *frame, t model.State) bool {
	return r.targets[f.targets+int32(t>>6)]>>(t&63)&1 == 1
}

// expandToTargets takes the steps from one more state of the closure that lead to targets. It
// returns false if the search has to stop.
func (r *Run) expandToTargets(f *frame, from closureIndex) bool {
	if f.targets < 0 {
		r.findTargets(f)
	}
	s := r.pendingClosure[from].state
	for _, e := range r.Space.Out[s] {
		c := e.Class
		if c >= r.Active {
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
		if !r.covered(f, e.State) && r.mayLead(s, r.Members.Of(c)[0], e.State) &&
			(r.bounds == nil || !r.dearer(f, from, c, e.State)) {
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
func (r *Run) leadsOn(f *frame, t model.State) Attempt {
	if f.targets < 0 { // the frame was expanded without targets
		r.findTargets(f)
	}
	for _, e := range r.Space.Out[t] {
		c := e.Class
		if c >= r.Active {
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
			return Stopped
		}
		if leads {
			return Taken
		}
	}
	return Refused
}

// costOf returns the cost of the pending operations that lead to a state of the closure.
func (r *Run) costOf(l closureIndex) int64 {
	sum := int64(0)
	for ; r.pendingClosure[l].parent >= 0; l = r.pendingClosure[l].parent {
		sum += r.bounds.Multipliers[r.pendingClosure[l].class]
	}
	return sum
}

// dearer reports whether one more of class c, after state from of the closure, is a way to state t
// that the frame on top cannot afford.
func (r *Run) dearer(f *frame, from closureIndex, c layout.ClassID, t model.State) bool {
	cost := r.costOf(from) + r.bounds.Multipliers[c]
	if r.cheapest[t] == dual.Far || cost <= r.cheapest[t] {
		r.cheapest[t] = cost
		return false
	}
	if excess := cost - r.cheapest[t] - f.spare; excess > 0 {
		r.exclude(f, excess)
		return true
	}
	return false
}

// exclude adds to the reason of the frame on top that missing is lacking: what is used, lowered as
// long as something is lacking.
func (r *Run) exclude(f *frame, missing int64) {
	missing--
	for c, n := range r.Used {
		if n == 0 {
			continue
		}
		w := r.bounds.Multipliers[c]
		keep := n
		for keep > f.reason.of(layout.ClassID(c)) && w <= missing {
			missing -= w
			keep--
		}
		if keep > 0 && keep > f.reason.of(layout.ClassID(c)) {
			f.reason = f.reason.raise(layout.ClassID(c), keep)
		}
	}
}

// HasSpace reports whether the specification has few states, which are known from here on.
func (r *Run) HasSpace() bool {
	if !r.listed && r.Broken == nil {
		r.listed, r.Space = true, dual.NewSpace(r.Layout, &r.Table, &r.Account)
	}
	return r.Space != nil && r.Words == 1
}
