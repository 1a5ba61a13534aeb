package wgl

// What: the current configuration and the moves that change it, each of which can be undone.
//
// A configuration is (j, mask, state, used): the layer, which of the open completed operations have
// taken effect, the state, and how many of each class of pending operations have. The trail records
// the moves; undo takes them back to a mark.
//
// Just in time [Lowe, CCPE'17, §4]: a completed operation needs to take effect only when the next
// one to return has not; so a return is passed as soon as it can be. Given a linearization, take
// its operations in its order and pass every return as early as possible: what it puts before the
// returning operation was called before that return, hence is open now. Pending operations are used
// only when something completed follows.
//
// Pure operations at once: one that cannot change the state, whatever the state is, is taken as
// soon as it is legal. In any linearization of the rest it can be moved to the front: what must
// precede it has been taken (needs), and nothing pending wants to precede it (atOnce).
//
// Invariants (checkInvariants in the tests): mask holds only open operations; the list holds
// exactly the open ones, by return; 0 ≤ used ≤ avail; avail counts the members called up to this
// layer.

import (
	"fmt"
	"math"

	"github.com/linsat/linsat/internal/dual"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/layout"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/transition"
)

// move is an operation that took effect, or a return that was passed (op < 0).
type move struct {
	op    int32
	state model.State // before
}

type run struct {
	*layout.Layout
	engine.Account
	transition.Table
	memo memo

	depth      int32
	state      model.State
	mask       []uint64
	used       []int32 // by class
	avail      []int32 // by class: members called so far
	active     int32   // classes below this one have a member that is called
	next, prev []int32 // open completed operations by return; len(ops) is the head
	trail      []move
	deepest    int32 // greatest layer seen
	broken     error // what is wrong with the specification

	frames         []frame
	cands          []int32        // of the frames: operations that may come next
	pendingClosure []closureState // of the frames: states that pending operations bring about
	blocked        []blockedStep  // of the frames: steps that could not be made for want of a pending operation
	usage          []int32        // by class: use of a label, zero between uses
	stamp          []int64        // by signature: the node that has met it
	nodes          int64
	conflicts      int64  // failed nodes
	conflictLimit  int64  // stop at so many of them
	stepLimit      int64  // stop after so many steps
	reasonTerms    int    // terms that the reasons of the frames have room for
	fetched        vector // scratch
	merged         vector // scratch
	reason         vector // why the frame that was popped last failed
	blame          int32  // for which piece of the object, see pieces.go
	jumps          int64  // failures that were passed on for that

	space   *dual.Space   // of a specification with few states; nil before it is needed
	targets []uint64      // of the frames: sets of states
	queue   []model.State // scratch

	bounds   *dual.Bounds // in the last stage
	children []child      // of the frames
	cheapest []int64      // by state: the least cost of a label there

	// atEnd, if it is set, is told every configuration after the last return, the frame's and
	// label's, and says whether to go on; otherwise the search stops at the first.
	atEnd   func(l closureState) bool
	inspect func() // for the tests: called at every node
}

func newRun(l *layout.Layout, b engine.Account) *run {
	return newRunWith(l, b, transition.New(l.Instance.NewMachine(), l.Instance.EquivID))
}

// newRunWith makes a run on a machine with what is known of its transitions.
func newRunWith(l *layout.Layout, b engine.Account, t transition.Table) *run {
	n, m := int32(len(l.Ops)), t.Machine
	r := &run{Layout: l, Account: b, Table: t, conflictLimit: math.MaxInt64, stepLimit: math.MaxInt64,
		memo: memo{words: l.Words, arena: make([]int32, 1, 16)}, state: m.Init(), mask: make([]uint64, l.Words),
		used: make([]int32, l.Classes), avail: make([]int32, l.Classes), usage: make([]int32, l.Classes),
		next: make([]int32, n+1), prev: make([]int32, n+1)}
	r.takeBuffers(int(n) + len(l.Returns))
	r.stamp = make([]int64, r.Kinds)
	r.next[n], r.prev[n] = n, n
	fixed := int64(n)*8 + int64(l.Classes)*12 + int64(r.Kinds)*8
	r.Footprint = func() int64 {
		return fixed + m.Bytes() + r.Table.Bytes() + r.memo.bytes() + int64(cap(r.trail))*8 +
			int64(cap(r.frames))*104 + int64(cap(r.children))*24 + int64(cap(r.cands))*4 + int64(cap(r.pendingClosure))*16 + int64(cap(r.blocked))*24 + int64(r.reasonTerms)*8
	}
	r.open()
	return r
}

func (r *run) in(v int32) bool {
	k := r.Bit[v]
	return r.mask[k>>6]>>(k&63)&1 == 1
}

func (r *run) flip(v int32) {
	k := r.Bit[v]
	r.mask[k>>6] ^= 1 << (k & 63)
}

// done says whether a completed operation has taken effect.
func (r *run) done(v int32) bool {
	return r.Layer[v] < r.depth || r.From[v] <= r.depth && r.in(v)
}

// ready says whether all completed operations that must precede v have taken effect.
func (r *run) ready(v int32) bool {
	if !r.HasEdge[v] {
		return true
	}
	for _, u := range r.Needs.Of(v) {
		if !r.done(u) {
			return false
		}
	}
	return true
}

// take lets operation v take effect and leave state s.
func (r *run) take(v int32, s model.State) {
	r.trail = append(r.trail, move{v, r.state})
	if r.Completed(v) {
		r.flip(v)
	} else {
		r.used[r.Class[v]]++
	}
	r.state = s
}

// advance passes the return that ends the layer.
func (r *run) advance() {
	v, n := r.Returns[r.depth], int32(len(r.Ops))
	r.flip(v)
	r.next[n] = r.next[v]
	r.prev[r.next[v]] = n
	r.trail = append(r.trail, move{-1, r.state})
	r.depth++
	r.deepest = max(r.deepest, r.depth)
	r.open()
}

// open makes what is called in the layer available.
func (r *run) open() {
	for _, v := range r.Opened.Of(r.depth) {
		if !r.Completed(v) {
			c := r.Class[v]
			r.avail[c]++
			r.active = max(r.active, c+1)
			continue
		}
		p := r.After[v]
		s := r.next[p]
		r.next[p], r.prev[v], r.next[v], r.prev[s] = v, p, s, v
	}
}

// undo takes moves back until the trail has the given length.
func (r *run) undo(mark int) {
	for len(r.trail) > mark {
		m := r.trail[len(r.trail)-1]
		r.trail = r.trail[:len(r.trail)-1]
		r.state = m.state
		switch {
		case m.op < 0:
			r.retreat()
		case r.Completed(m.op):
			r.flip(m.op)
		default:
			r.used[r.Class[m.op]]--
		}
	}
}

func (r *run) retreat() {
	opened, n := r.Opened.Of(r.depth), int32(len(r.Ops))
	for k := len(opened) - 1; k >= 0; k-- {
		v := opened[k]
		if !r.Completed(v) {
			c := r.Class[v]
			if r.avail[c]--; r.avail[c] == 0 {
				r.active = c
			}
			continue
		}
		r.next[r.prev[v]], r.prev[r.next[v]] = r.next[v], r.prev[v]
	}
	r.depth--
	v := r.Returns[r.depth]
	first := r.next[n]
	r.next[n], r.prev[v], r.next[v], r.prev[first] = v, n, first, v
	r.flip(v)
}

// settle takes every pure operation that is legal and passes every return that it can,
// until neither is possible. It returns false if the search has to stop.
func (r *run) settle() bool {
	if !r.takeReadOnly() {
		return false
	}
	for int(r.depth) < len(r.Returns) && r.in(r.Returns[r.depth]) {
		r.advance()
		if r.EdgedAtOnce {
			if !r.takeReadOnly() {
				return false
			}
			continue
		}
		for _, v := range r.Opened.Of(r.depth) {
			if r.AtOnce[v] && r.Completed(v) && r.tryReadOnly(v) == stopped {
				return false
			}
		}
	}
	return true
}

func (r *run) takeReadOnly() bool {
	n := int32(len(r.Ops))
	for again := true; again; {
		again = false
		for v := r.next[n]; v != n; v = r.next[v] {
			if !r.AtOnce[v] || r.in(v) || !r.ready(v) {
				continue
			}
			switch r.tryReadOnly(v) {
			case stopped:
				return false
			case taken:
				again = r.EdgedAtOnce
			}
		}
	}
	return true
}

type attempt uint8

const (
	stopped attempt = iota
	refused
	taken
)

// tryReadOnly takes v, which is pure and ready, if it is legal.
func (r *run) tryReadOnly(v int32) attempt {
	switch r.apply(r.state, v) {
	case 0:
		return stopped
	case transition.None:
		return refused
	case transition.Single(r.state):
		r.take(v, r.state)
		return taken
	}
	r.broken = fmt.Errorf("specification %s: operation %s is called pure, but changes state %s",
		r.Instance.Spec.Info().Name, r.Instance.Partition.ID(v), r.Machine.Describe(r.state))
	return stopped
}

// apply returns the code of applying op in state s, and counts a step; 0 means that the search has to
// stop.
func (r *run) apply(s model.State, op int32) int32 {
	if !r.Step() {
		return 0
	}
	return r.Lookup(s, op)
}
