package wgl

// What: one search on one partition: what it holds, and what prunes it.
//
// The stacks are used again for the next partition. A history may have many partitions,
// and growing a stack costs more than the search on a small one.
//
// What we changed: only runs without pending operations return their stacks, because their frames
// hold no reasons; and only stacks up to a size. A run under a memory limit of the caller takes
// none, because the memory of a partition must not depend on earlier ones.

import (
	"math"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/dual"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/layout"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/proof"
	"github.com/linsat/linsat/internal/spare"
	"github.com/linsat/linsat/internal/transition"
)

// Run is one search on one partition.
type Run struct {
	Walk                  // the configuration, over the layout of the partition
	engine.Account        // steps, memory, cancellation
	transition.Table      // what operations do in states
	memo             memo // failed configurations and their nogoods: the young generation
	eviction              // the old generation
	tree                  // the depth-first search
	closure               // the states to which pending operations lead
	learning              // why the last node failed
	limits                // when others are due
	lagrange              // what the dual bound says

	Broken error // what is wrong with the specification
	// atEnd, if it is set, is called with every configuration after the last return (that of the
	// frame and a state of its closure), and reports whether to continue. Otherwise the search
	// stops at the first.
	atEnd   func(s closureState) bool
	Inspect func() // for the tests: called at every node
	// Unlimited says that each pending operation may take effect any number of times
	// (pending/approximated.go)
	Unlimited bool
	rules     []Rule                // what is pruned
	Before    func(op history.OpID) // takes what may take effect right before op; nil for nothing
}

// Rule prunes the search. What it excludes has no linearization, whatever has been used; so nogoods
// of nodes without these children are as before. Nil fields exclude nothing.
type Rule struct {
	// MayTake reports whether an operation may come next in state s; it is asked before the step.
	MayTake func(s model.State, op history.OpID) bool
	// MayLead reports whether an operation may lead from state s to state t.
	MayLead func(s model.State, by history.OpID, t model.State) bool
	// Holds reports whether state s must not be left by any pending operation.
	Holds func(s model.State) bool
	// Classes lists the classes of pending operations that may come next in state s, ascending.
	// Enumerations do not ask.
	Classes func(s model.State) []layout.ClassID
	// Bytes says what the rule takes.
	Bytes func() int64
	// Renumber is called when states get new numbers, and all others are forgotten. If it is nil,
	// the rule knows states by their numbers if it has fixed set, and states keep theirs.
	Renumber func(states []*model.State, numbers []model.State)
	Fixed    bool
}

// Prune adds a rule.
func (r *Run) Prune(x Rule) { r.rules = append(r.rules, x) }

// Enumerates reports whether the search lists configurations, which need not lead on.
func (r *Run) Enumerates() bool { return r.atEnd != nil }

// MayTake reports whether no rule excludes an operation in state s.
func (r *Run) mayTake(s model.State, op history.OpID) bool {
	for i := range r.rules {
		if f := r.rules[i].MayTake; f != nil && !f(s, op) {
			return false
		}
	}
	return true
}

// MayLead reports whether no rule excludes that an operation leads from state s to state t.
func (r *Run) mayLead(s model.State, by history.OpID, t model.State) bool {
	for i := range r.rules {
		if f := r.rules[i].MayLead; f != nil && !f(s, by, t) {
			return false
		}
	}
	return true
}

// held reports whether a rule holds state s.
func (r *Run) held(s model.State) bool {
	for i := range r.rules {
		if f := r.rules[i].Holds; f != nil && f(s) {
			return true
		}
	}
	return false
}

// classesNext lists the classes that may come next in state s; ok is false if no rule says.
func (r *Run) classesNext(s model.State) (classes []layout.ClassID, ok bool) {
	for i := range r.rules {
		if f := r.rules[i].Classes; f != nil && r.atEnd == nil {
			return f(s), true
		}
	}
	return nil, false
}

// rulesBytes says what the rules take.
func (r *Run) rulesBytes() (n int64) {
	for i := range r.rules {
		n += r.rules[i].Bytes()
	}
	return n
}

// limits says when the search stops for another technique.
type limits struct {
	Conflicts     int64 // failed nodes
	ConflictLimit int64
	StepLimit     int64
	Aside         int64 // steps of techniques that did not decide, besides those of the run
}

// lagrange holds the dual problem (package dual).
type lagrange struct {
	Space    *dual.Space  // of a specification with few states; nil before it is needed
	listed   bool         // Space is what it will be
	Targets  bool         // pending operations are only used to reach targets
	bounds   *dual.Bounds // nil if the dual problem left none
	children []child      // of the frames
	cheapest []int64      // by state: the least cost of reaching it at the node
}

// Beginning is how a run begins: NewRun, or with rules.
type Beginning func(l *layout.Layout, b engine.Account) *Run

// NewRun returns a run on a layout.
func NewRun(l *layout.Layout, b engine.Account) *Run {
	return NewRunWith(l, b, transition.New(l.Instance.NewMachine(), l.Instance.EquivID))
}

// NewRunWith returns a run on a machine with known transitions.
func NewRunWith(l *layout.Layout, b engine.Account, t transition.Table) *Run {
	n, m := int32(len(l.Ops)), t.Machine
	r := &Run{Walk: NewWalk(l, m.Init()), Account: b, Table: t, memo: memo{words: l.Words, arena: make([]int32, 1, 16)},
		limits:  limits{ConflictLimit: math.MaxInt64, StepLimit: math.MaxInt64},
		closure: closure{usage: make([]int32, l.Classes)}}
	r.takeBuffers(int(n) + len(l.Returns))
	r.met = make([]int64, r.Kinds)
	fixed := int64(n)*8 + int64(l.Classes)*12 + int64(r.Kinds)*8
	r.Footprint = func() int64 {
		return fixed + m.Bytes() + r.Table.Bytes() + r.memo.bytes() + r.old.bytes() + int64(cap(r.Trail))*8 +
			int64(cap(r.frames))*104 + int64(cap(r.children))*24 +
			int64(cap(r.cands))*4 + int64(cap(r.pendingClosure))*16 + int64(cap(r.blocked))*24 +
			int64(r.reasonTerms)*8 + r.rulesBytes()
	}
	r.Open()
	return r
}

// Apply returns the code of applying op in state s, and counts a step; 0 means that the search has
// to stop.
func (r *Run) Apply(s model.State, op history.OpID) int32 {
	if !r.Step() {
		return 0
	}
	return r.Lookup(s, op)
}

// Attempt is the result of trying an operation.
type Attempt uint8

const (
	Stopped Attempt = iota
	Refused
	Taken
)

// learning holds why nodes failed.
type learning struct {
	reason      vector // of the frame that was popped last
	blame       int32  // the component that it failed for, see tree.go
	Jumps       int64  // failures passed on to another component
	reasonTerms int    // total capacity of the reasons of the frames
	fetched     vector // scratch
	merged      vector // scratch
}

// eviction is what a run forgets, and when.
type eviction struct {
	generation int32 // entries of a generation, 0 for any number
	single     bool  // there is no old generation: the limit is one entry
	old        *memo // nil if there is none
	Evicted    int64 // entries
	collected  int64 // states
}

const anyComponent = -1

// component returns the component that the current node changes.
func (r *Run) component() int32 {
	if r.Component == nil || r.Final() {
		return anyComponent
	}
	return r.Component[r.Returns[r.Depth]]
}

// otherComponent reports whether operation v is on a component that need not be touched now.
func (r *Run) otherComponent(v history.OpID) bool {
	return r.Component != nil && r.atEnd == nil && !r.Final() && r.Component[v] != r.Component[r.Returns[r.Depth]]
}

// tree is the state of the depth-first search: its frames, and stacks of what belongs to them.
type tree struct {
	frames []frame
	cands  []history.OpID // of the frames: operations that may come next
	met    []int64        // by kind of operation: the last node that has one as a candidate
	Nodes  int64
}

// frame is a node whose children are being tried.
type frame struct {
	mark         int          // length of the trail
	cands        int32        // start of the candidates in run.cands
	readOnly     int32        // start of the read-only ones, tried only after pending operations
	closure      closureIndex // start in run.pendingClosure; its first state is the node's own
	blocked      int32        // start in run.blocked
	current      closureIndex // state of the closure that is tried
	expanded     closureIndex // the states before this one have been expanded
	cand         int32        // next candidate at that state, -1 before it is looked at
	succ         int32        // next of the states that the candidate may leave
	from         closureIndex // state through which the child on top was entered
	targets      int32        // start in run.targets, -1 before they are known
	targetsBelow int32        // length of run.targets below
	child        int32        // next in run.children, under bounds
	children     int32        // length of run.children below
	listed       bool         // the children are in run.children
	spare        int64        // what the node can afford beyond the least
	blame        int32        // component that the children failed for (tree.go)
	reason       vector
}

// Outcome is how a search ended, or goes on.
type Outcome uint8

const (
	GaveUp    Outcome = iota // see Account.Cause and run.broken
	Found                    // the trail is a linearization
	Failed                   // there is none (enumeration: everything has been visited)
	Opened                   // a frame was pushed
	Undecided                // there was no child to enter; of a phase: it did not decide
)

// closure holds the states to which pending operations lead at the nodes.
type closure struct {
	pendingClosure []closureState // of the frames
	blocked        []blockedStep  // of the frames: steps that lacked a pending operation
	usage          []int32        // by class: use of one state of a closure, zero between uses
	targets        []uint64       // of the frames: sets of states, see closure.go
	queue          []model.State  // scratch
}

// closureIndex is a place in run.pendingClosure.
type closureIndex int32

// closureState is a state to which pending operations lead at a node.
type closureState struct {
	state  model.State
	parent closureIndex   // the state before, in run.pendingClosure; -1 for the node's own state
	class  layout.ClassID // class of the step from there
	closed bool           // it can only be continued by a read-only operation
}

// blockedStep is a step from a state of the closure for which its class had no member left.
type blockedStep struct {
	parent closureIndex // the state of the closure
	class  layout.ClassID
	state  model.State // the state that it would have led to
	need   term        // what must have been used at the node for that
}

// child is a possible next step of the frame on top: a state of the closure, then an operation that
// leaves a state. op is -1 if a read-only operation follows.
type child struct {
	through closureIndex
	op      history.OpID
	state   model.State
	cost    int64 // lower bound
}

// buffers are the stacks of a run.
type buffers struct {
	frames  []frame
	cands   []history.OpID
	closure []closureState
	trail   []Move
	rows    []int32 // of the table of transitions
}

var spareBuffers spare.Memory[buffers]

// takeBuffers gives the run its stacks, with room for a trail of moves.
func (r *Run) takeBuffers(moves int) {
	if r.Classes == 0 && r.Budget.ByteLimit() == 0 && moves <= MaxReused {
		s := spareBuffers.Get()
		r.frames, r.cands, r.pendingClosure, r.Trail = s.frames[:0], s.cands[:0], s.closure[:0], s.trail[:0]
		r.TakeRoom(s.rows)
	}
	if cap(r.frames) == 0 {
		r.frames = make([]frame, 0, min(moves, firstFrames))
	}
	if cap(r.Trail) < moves {
		r.Trail = make([]Move, 0, moves)
	}
}

// GiveBuffers returns the stacks once the run is over.
func (r *Run) GiveBuffers() {
	if r.Classes > 0 || max(cap(r.frames), cap(r.cands), cap(r.pendingClosure), cap(r.Trail)) > MaxReused {
		return
	}
	rows := r.GiveRoom()
	if cap(rows) > MaxReused {
		rows = nil
	}
	b := &buffers{r.frames, r.cands, r.pendingClosure, r.Trail, rows}
	spareBuffers.Put(b, b.small())
	r.frames, r.cands, r.pendingClosure, r.Trail = nil, nil, nil, nil
}

// small reports whether the buffers are no more than small partitions need, and kept for good.
func (b *buffers) small() bool {
	return max(cap(b.frames), cap(b.cands), cap(b.closure), cap(b.trail), cap(b.rows)) <= MaxKept
}

// Decision is the result of a search.
type Decision struct {
	Outcome  Outcome
	Witness  []history.OpID
	Evidence proof.Proof
	Reached  history.Rank // engine.Answer.Reached
	Steps    int64        // besides those of the run
	By       string       // the technique that decided
	// Approximate says that the run's own search did not fail, so that it tells no frontier:
	// another search did, or another partition, with more linearizations, was refuted
	Approximate bool
}
