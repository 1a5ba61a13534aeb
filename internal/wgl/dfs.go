package wgl

// What: depth-first search over configurations, with learned nogoods and an explicit stack.
//
// Source: Wing and Gong (JPDC'93) for the search; Lowe (CCPE'17) for memoised configurations;
// conflict analysis as in constraint solving.
//
// What we changed. A node is a configuration in which no read-only operation is legal and the next
// return waits for its operation. For a child, the state is first changed by some pending
// operations, none or more (pending_effects.go). Then follows a completed operation, or a read-only
// one that has become legal. So every child has taken more completed operations than its parent:
// the tree is no deeper than there are completed operations, and no node lies below itself.
//
// Order: no pending operations first, then few; of the completed operations the one that returns
// first. Of open operations of equal kind without edges, only the one that returns first is tried,
// because two such operations can be exchanged in any linearization that has them the other way
// round.
//
// Nogoods: having more pending operations left never hurts, because the linearization of the rest
// remains one. So failure at (layer, mask, state) is upward closed in what has been used. A failed
// node leaves a reason: a vector b such that the node fails whenever at least b is used. It is the
// componentwise maximum of the reasons of the children, each minus what the child used, and of the
// pending operations that were needed but missing (pending_blame.go). Without pending operations
// all reasons are empty, and this is memoised search.
//
// Enumeration (failure.go) visits every configuration after the last return instead of stopping at
// the first. There, failure means that nothing new can be found: a node after the last return fails
// for every usage that is at least its own, and conflict analysis propagates that upwards like any
// other reason.
//
// Invariants: at a node, no nogood of its configuration holds; the reason of a frame is at most
// what is used there; closures, candidates and blocked steps of the frames are stacked on each
// other.
//
// Cost: exponential in the worst case. A node takes the steps of its closure (pending_effects.go)
// times its candidates.

import (
	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
)

// tree is the state of the depth-first search: its frames, and stacks of what belongs to them.
type tree struct {
	frames []frame
	cands  []history.OpID // of the frames: operations that may come next
	met    []int64        // by kind of operation: the last node that has one as a candidate
	nodes  int64
}

// frame is a node whose children are being tried.
type frame struct {
	mark         int   // length of the trail
	cands        int32 // start of the candidates in run.cands
	readOnly     int32 // start of the read-only ones, which are tried only after pending operations
	closure      int32 // start in run.pendingClosure; its first state is the node's own
	blocked      int32 // start in run.blocked
	current      int32 // state of the closure that is tried
	expanded     int32 // the states before this one have been expanded
	cand         int32 // next candidate at that state, -1 before it is looked at
	succ         int32 // next of the states that the candidate may leave
	from         int32 // state through which the child on top was entered
	targets      int32 // start in run.targets, -1 before they are known
	targetsBelow int32 // length of run.targets below
	child        int32 // next in run.children, under bounds
	children     int32 // length of run.children below
	listed       bool  // the children are in run.children
	spare        int64 // what the node can afford beyond the least
	blame        int32 // component that the children failed for (components.go)
	reason       vector
}

// outcome is how a search ended, or goes on.
type outcome uint8

const (
	gaveUp    outcome = iota // see Account.Cause and run.broken
	found                    // the trail is a linearization
	failed                   // there is none (enumeration: everything has been visited)
	opened                   // a frame was pushed
	undecided                // there was no child to enter; of a phase: it did not decide
)

// search runs to the end. It returns undecided at its limits; loop(opened) then continues it.
func (r *run) search() outcome {
	if !r.settle() {
		return gaveUp
	}
	return r.loop(r.enter())
}

// loop continues from outcome o until the search ends.
func (r *run) loop(o outcome) outcome {
	for o == opened || o == failed && len(r.frames) > 0 {
		if r.Pressed && r.evicts() && !r.relieve() {
			return gaveUp
		}
		if o == failed {
			if r.learn() {
				o = r.pop()
				continue
			}
			if r.conflicts++; r.conflicts >= r.conflictLimit || r.Steps >= r.stepLimit {
				return undecided
			}
		}
		o = r.proceed()
	}
	return o
}

// enter visits the current configuration. If that fails, r.reason says why.
func (r *run) enter() outcome {
	if r.atEnd == nil && r.final() {
		return found
	}
	if known, because := r.fails(); known { // this sets blame, too
		r.reason = append(r.reason[:0], because...)
		return failed
	}
	r.nodes++
	if r.inspect != nil {
		r.inspect()
	}
	r.push()
	return opened
}

// push opens a frame for the current configuration.
func (r *run) push() {
	if len(r.frames) < cap(r.frames) {
		r.frames = r.frames[:len(r.frames)+1]
	} else {
		r.frames = append(r.frames, frame{})
	}
	f := &r.frames[len(r.frames)-1]
	kept := f.reason[:0]
	*f = frame{mark: len(r.trail), cands: int32(len(r.cands)), closure: int32(len(r.pendingClosure)), blocked: int32(len(r.blocked)), reason: kept}
	f.current, f.expanded, f.cand, f.targets, f.targetsBelow = f.closure, f.closure, -1, -1, int32(len(r.targets))
	f.blame = r.component()
	f.child, f.children = int32(len(r.children)), int32(len(r.children))
	r.pendingClosure = append(r.pendingClosure, closureState{state: r.state, parent: -1, class: -1})

	n := history.OpID(len(r.Ops))
	stamp := r.nodes
	for v := r.next[n]; v != n; v = r.next[v] {
		if r.in(v) || r.AtOnce[v] || !r.ready(v) || r.otherComponent(v) {
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
	if r.active > 0 {
		for v := r.next[n]; v != n; v = r.next[v] {
			if !r.in(v) && r.AtOnce[v] && r.ready(v) && !r.otherComponent(v) {
				r.cands = append(r.cands, v)
			}
		}
	}
}

// proceed enters the next child of the frame on top, or ends the frame if it has none left.
func (r *run) proceed() outcome {
	f := &r.frames[len(r.frames)-1]
	if r.bounds != nil {
		return r.proceedBounded(f)
	}
	for {
		if int(f.current) < len(r.pendingClosure) {
			if o := r.tryState(f); o != undecided {
				return o
			}
			f.current++
			f.cand, f.succ = -1, 0
			continue
		}
		if f.expanded == f.current {
			break
		}
		if r.Steps >= r.stepLimit {
			return undecided
		}
		if !r.expand(f) {
			return gaveUp
		}
		f.expanded++
	}
	if r.final() {
		f.reason = r.allUsed(f.reason)
	} else if !r.explainBlocked(f) {
		return gaveUp
	}
	return r.pop()
}

// tryState enters the next child through the current state of the closure. It returns undecided if
// there is none left.
func (r *run) tryState(f *frame) outcome {
	s, own := r.pendingClosure[f.current].state, f.current == f.closure
	if f.cand < 0 {
		f.cand = f.cands
		if r.final() && !r.atEnd(r.pendingClosure[f.current]) {
			return gaveUp
		}
		if !own {
			switch legal := r.anyReadOnly(f, s); legal {
			case stopped:
				return gaveUp
			case taken: // the child is that configuration, settled
				r.pendingClosure[f.current].closed = true
				f.cand = f.readOnly
				return r.child(f, -1, s)
			}
		}
	}
	for ; f.cand < f.readOnly; f.cand, f.succ = f.cand+1, 0 {
		v := r.cands[f.cand]
		if r.mustWait(v) {
			continue
		}
		var code int32
		if f.succ == 0 {
			if code = r.apply(s, v); code == 0 {
				return gaveUp
			}
		} else {
			code = r.Lookup(s, v)
		}
		for {
			t, ok := r.Table.Next(code, f.succ)
			if !ok {
				break
			}
			f.succ++
			if !r.mayLead(s, v, t) {
				continue
			}
			// A step that leads to the same state without these pending operations was tried
			// before.
			if own || !r.Leads(r.Lookup(r.pendingClosure[f.closure].state, v), t) {
				return r.child(f, v, t)
			}
		}
	}
	return undecided
}

// child takes the pending operations of the current state of the closure, then v, which leaves
// state t (v negative: nothing), and enters the resulting configuration.
func (r *run) child(f *frame, v history.OpID, t model.State) outcome {
	f.from = f.current
	r.takePending(f.current)
	if v >= 0 {
		r.takeUntested(v)
		r.take(v, t)
	}
	if !r.settle() {
		return gaveUp
	}
	return r.enter()
}

// learn adds the failure of a child to the frame on top and returns to its configuration. It
// reports whether the frame fails as well, for a component that it does not change.
func (r *run) learn() (jump bool) {
	f := &r.frames[len(r.frames)-1]
	r.undo(f.mark)
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
func (r *run) pop() outcome {
	f := &r.frames[len(r.frames)-1]
	if !r.store(f.reason, f.blame) {
		return gaveUp
	}
	r.blame = f.blame
	r.reason, f.reason = f.reason, r.reason
	r.cands, r.pendingClosure, r.blocked, r.targets = r.cands[:f.cands], r.pendingClosure[:f.closure], r.blocked[:f.blocked], r.targets[:f.targetsBelow]
	r.children = r.children[:f.children]
	r.frames = r.frames[:len(r.frames)-1]
	return failed
}
