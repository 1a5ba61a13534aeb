// Package wgl is the search of Wing, Gong and Lowe, with learned nogoods. It supports any
// executable specification, deterministic or not, with pending operations, unknown results and
// explicit edges.
//
// textbook.go is that search as printed. What stands here is the same walk over configurations
// (walk.go, dfs.go), which learns from each failure (memo.go, eviction.go): with at least this many
// pending operations used here, the rest fails. Pending operations take effect in the closure of a
// state (closure.go, pending_effects.go), and under a bound (dual_bounds.go). After a refutation,
// failure.go says where and why.
//
// Package pending has the techniques on pending operations, and package search the table of all
// techniques, which is the engine "search". docs/decisions/search.md says what was tried.
package wgl

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/layout"
)

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
// pending operations that were needed but missing (pending_effects.go). Without pending operations
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

// Search runs to the end. It returns undecided at its limits; loop(opened) then continues it.
func (r *Run) Search() Outcome {
	if !r.Settle() {
		return GaveUp
	}
	return r.loop(r.enter())
}

// loop continues from outcome o until the search ends.
func (r *Run) loop(o Outcome) Outcome {
	for o == Opened || o == Failed && len(r.frames) > 0 {
		if r.Pressed && r.Evicts() && !r.relieve() {
			return GaveUp
		}
		if o == Failed {
			if r.learn() {
				o = r.pop()
				continue
			}
			if r.Conflicts++; r.Conflicts >= r.ConflictLimit || r.Steps >= r.StepLimit {
				return Undecided
			}
		}
		o = r.proceed()
	}
	return o
}

// proceed enters the next child of the frame on top, or ends the frame if it has none left.
func (r *Run) proceed() Outcome {
	f := &r.frames[len(r.frames)-1]
	if r.bounds != nil {
		return r.proceedBounded(f)
	}
	for {
		if int(f.current) < len(r.pendingClosure) {
			if o := r.tryState(f); o != Undecided {
				return o
			}
			f.current++
			f.cand, f.succ = -1, 0
			continue
		}
		if f.expanded == f.current {
			break
		}
		if r.Steps >= r.StepLimit {
			return Undecided
		}
		if !r.expand(f) {
			return GaveUp
		}
		f.expanded++
	}
	if r.Final() {
		f.reason = r.allUsed(f.reason)
	} else if !r.explainBlocked(f) {
		return GaveUp
	}
	return r.pop()
}

// tryState enters the next child through the current state of the closure. It returns undecided if
// there is none left.
func (r *Run) tryState(f *frame) Outcome {
	s, own := r.pendingClosure[f.current].state, f.current == f.closure
	if f.cand < 0 {
		f.cand = f.cands
		if r.Final() && !r.atEnd(r.pendingClosure[f.current]) {
			return GaveUp
		}
		if !own {
			switch legal := r.anyReadOnly(f, s); legal {
			case Stopped:
				return GaveUp
			case Taken: // the child is that configuration, settled
				r.pendingClosure[f.current].closed = true
				f.cand = f.readOnly
				return r.child(f, -1, s)
			}
		}
	}
	for ; f.cand < f.readOnly; f.cand, f.succ = f.cand+1, 0 {
		v := r.cands[f.cand]
		if !r.mayTake(s, v) {
			continue
		}
		var code int32
		if f.succ == 0 {
			if code = r.Apply(s, v); code == 0 {
				return GaveUp
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
	return Undecided
}

// allUsed returns what is used, reusing dst.
func (r *Run) allUsed(dst vector) vector {
	dst = dst[:0]
	for c, n := range r.Used {
		if n > 0 {
			dst = append(dst, term{layout.ClassID(c), n})
		}
	}
	return dst
}

// GoOn begins the search, or continues it after its limit.
func (r *Run) GoOn() Outcome {
	if len(r.frames) == 0 {
		return r.Search()
	}
	return r.loop(Opened)
}

// Begin prepares a run that make returns. If memory or time do not suffice, it returns nil and an
// answer that says so.
func Begin(ctx context.Context, p *engine.Problem, m *engine.Budget, make Beginning) (*Run, engine.Answer) {
	b := engine.Account{Ctx: ctx, Budget: m, Limit: math.MaxInt64, MostBytes: m.SearchBytes()}
	if !b.Look() || !b.Grow(layout.Bytes(p.Instance.Partition.Len(), len(p.Instance.Partition.Edges))) {
		b.Close()
		return nil, engine.Answer{Cause: b.Cause}
	}
	l := layout.New(p.Instance, p.Instance.Partition.Len())
	if !b.Look() {
		b.Close()
		return nil, engine.Answer{Cause: b.Cause}
	}
	r := make(l, b)
	r.MayForget(m, 1)
	return r, engine.Answer{}
}

// CheckInvariants recomputes from the trail what the configuration says, for tests.
func (r *Run) CheckInvariants() error {
	n, layer := history.OpID(len(r.Ops)), layout.LayerID(0)
	done, used := make([]bool, n), make([]int32, r.Classes)
	for _, m := range r.Trail {
		switch {
		case m.Op < 0 && !done[r.Returns[layer]]:
			return fmt.Errorf("return %d was passed too early", layer)
		case m.Op < 0:
			layer++
		case done[m.Op]:
			return fmt.Errorf("operation %d is taken twice", m.Op)
		default:
			if done[m.Op] = true; !r.Completed(m.Op) {
				c := r.Class[m.Op]
				if r.Members.Of(c)[used[c]] != m.Op {
					return fmt.Errorf("operation %d is not the next of its class", m.Op)
				}
				used[c]++
			}
		}
	}
	if !r.Final() && done[r.Returns[layer]] {
		return errors.New("the return at hand could be passed")
	}
	var open, listed []history.OpID
	bits, avail := make([]uint64, r.Words), make([]int32, r.Classes)
	for _, v := range r.Returns[layer:] {
		if r.From[v] <= layer {
			if open = append(open, v); done[v] {
				bits[r.Bit[v]>>6] |= 1 << (r.Bit[v] & 63)
			}
		}
	}
	for v := r.NextOpen[n]; v != n; v = r.NextOpen[v] {
		if listed = append(listed, v); r.NextOpen[r.prev[v]] != v {
			return fmt.Errorf("operation %d is not linked both ways", v)
		}
	}
	for v := range n {
		if c := r.Class[v]; c >= 0 && r.From[v] <= layer {
			avail[c]++
		}
	}
	if layer != r.Depth || !slices.Equal(used, r.Used) || !slices.Equal(bits, r.Mask) || !slices.Equal(open, listed) ||
		!slices.Equal(avail, r.Avail) {
		return fmt.Errorf(
			"the trail says layer %d, used %v of %v, open %v with mask %x; the configuration says %d, %v of %v, %v "+
				"with %x",
			layer, used, avail, open, bits, r.Depth, r.Used, r.Avail, listed, r.Mask)
	}
	for c, k := range used {
		if k > avail[c] || r.usage[c] != 0 {
			return fmt.Errorf("class %d: %d used of %d, and %d in the closure", c, k, avail[c], r.usage[c])
		}
	}
	for k := range r.frames {
		if !r.frames[k].reason.atMost(r.Used) {
			return fmt.Errorf("frame %d has a reason that does not hold: %v", k, r.frames[k].reason)
		}
	}
	return nil
}
