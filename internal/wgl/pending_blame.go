package wgl

// What: which missing pending operations are to blame when a node fails.
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

import "github.com/linsat/linsat/internal/model"

// coveredByBlock is covered for blocked steps other than the current one.
func (r *run) coveredByBlock(f *frame, t model.State) bool {
	for k := int(f.blocked); k < len(r.blocked); k++ {
		if b := &r.blocked[k]; b.state == t && r.pays(b.parent, b.class) {
			return true
		}
	}
	return false
}

// explainBlocked adds to the reason of the frame on top, which has failed, what its blocked steps
// contribute. It returns false if the search has to stop.
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

// helps returns taken if state t, reached with r.usage, makes anything possible that the closure
// and blocked steps do not cover.
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
