package wgl

import (
	"math"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/dual"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/layout"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/transition"
)

// run is one search on one partition.
type run struct {
	walk                  // the configuration, over the layout of the partition
	engine.Account        // steps, memory, cancellation
	transition.Table      // what operations do in states
	memo             memo // failed configurations and their nogoods: the young generation
	eviction              // the old generation
	tree                  // the depth-first search
	closure               // the states to which pending operations lead
	learning              // why the last node failed
	limits                // when the next phase is due
	lagrange              // what the dual bound says

	broken error // what is wrong with the specification
	// atEnd, if it is set, is called with every configuration after the last return (that of the
	// frame and a state of its closure), and reports whether to continue. Otherwise the search
	// stops at the first.
	atEnd   func(s closureState) bool
	inspect func() // for the tests: called at every node
	// unlimited says that each pending operation may take effect any number of times
	// (pending_approximated.go)
	unlimited bool
	// by operation, what it writes; nil but in the searches of pending_approximated.go
	writes  []uint8
	held    *heldValues    // values that must not be left yet; nil does not look
	counted *countedStates // nil unless states have a number
	turns   *turns         // insertions that must wait; nil does not look
	ahead   *sumsAhead     // what the next read needs; nil does not look
}

// limits says when the search stops for the next phase.
type limits struct {
	conflicts     int64 // failed nodes
	conflictLimit int64
	stepLimit     int64
	aside         int64 // steps of techniques that did not decide, besides those of the run
}

// lagrange holds the dual problem (package dual).
type lagrange struct {
	space    *dual.Space  // of a specification with few states; nil before it is needed
	bounds   *dual.Bounds // in the last phase
	children []child      // of the frames
	cheapest []int64      // by state: the least cost of reaching it at the node
}

// newRun returns a run on a layout.
func newRun(l *layout.Layout, b engine.Account) *run {
	return newRunWith(l, b, transition.New(l.Instance.NewMachine(), l.Instance.EquivID))
}

// newRunWith returns a run on a machine with known transitions.
func newRunWith(l *layout.Layout, b engine.Account, t transition.Table) *run {
	n, m := int32(len(l.Ops)), t.Machine
	r := &run{walk: newWalk(l, m.Init()), Account: b, Table: t, memo: memo{words: l.Words, arena: make([]int32, 1, 16)},
		limits: limits{conflictLimit: math.MaxInt64, stepLimit: math.MaxInt64}, closure: closure{usage: make([]int32, l.Classes)}}
	r.takeBuffers(int(n) + len(l.Returns))
	r.met = make([]int64, r.Kinds)
	fixed := int64(n)*8 + int64(l.Classes)*12 + int64(r.Kinds)*8
	r.Footprint = func() int64 {
		return fixed + m.Bytes() + r.Table.Bytes() + r.memo.bytes() + r.old.bytes() + int64(cap(r.trail))*8 + int64(cap(r.frames))*104 + int64(cap(r.children))*24 +
			int64(cap(r.cands))*4 + int64(cap(r.pendingClosure))*16 + int64(cap(r.blocked))*24 + int64(r.reasonTerms)*8 + r.held.bytes() + r.counted.bytes() + r.turns.bytes() + r.ahead.bytes()
	}
	r.countStates()
	r.lookAhead()
	r.open()
	return r
}

// apply returns the code of applying op in state s, and counts a step; 0 means that the search has
// to stop.
func (r *run) apply(s model.State, op history.OpID) int32 {
	if !r.Step() {
		return 0
	}
	return r.Lookup(s, op)
}

// attempt is the result of trying an operation.
type attempt uint8

const (
	stopped attempt = iota
	refused
	taken
)
