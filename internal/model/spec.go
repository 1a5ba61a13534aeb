package model

import (
	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/spec/meta"
)

// Spec is an executable sequential specification. Specs are values without state
// of their own: they may be shared and used by many goroutines.
type Spec interface {
	Public
	// Footprint appends to dst the names of the independent pieces of the object that
	// operation i of h touches, nil-safe: two operations that share no piece, not even
	// through others, can be decided separately. An operation that concerns the whole
	// object appends Everything. The object itself (Op.Key, where the specification uses keys
	// to name objects) is not among them: Split separates objects by itself.
	Footprint(h *history.History, i history.OpID, dst []history.Value) []history.Value
	// Bind resolves names and values of a partition once. It refuses unknown operations and
	// arguments, results or initial states of a wrong type with a *history.Error.
	Bind(p *Partition) (*Instance, error)
}

// Remembering is a Spec that keeps what its code answered. What it keeps belongs to one check.
type Remembering interface {
	Spec
	// Fresh returns the same specification, for a check with that limit of memory, 0 for none. It
	// has nothing to remember yet.
	Fresh(memory int64) Spec
}

// Fresh returns s for a new check.
func Fresh(s Spec, memory int64) Spec {
	if r, ok := s.(Remembering); ok {
		return r.Fresh(memory)
	}
	return s
}

// What users see of a Spec.
type (
	Public    = meta.Spec
	Info      = meta.Info
	Operation = meta.Operation
	Class     = meta.Class
	Fault     = meta.Fault
)

// Full returns the whole of a specification; nil for nil, and for what no function of package spec
// or linsat made.
func Full(s Public) Spec {
	full, _ := s.(Spec)
	return full
}

// Everything is the footprint of an operation on the whole object.
const Everything history.Value = -2

// ClassID numbers the classes of a specification: an index into Info.Classes, or NoClass.
type ClassID int8

// NoClass is the class of an operation that belongs to none.
const NoClass ClassID = -1

// State is a state of one Machine: equal states have equal numbers.
type State int32

// Machine executes a specification on one partition. Its states are interned and numbered; it
// belongs to one goroutine.
type Machine interface {
	// Init returns the initial state.
	Init() State
	// Step appends to dst every state in which operation op of the partition may leave the object
	// when it is applied in s, given its arguments and its result; none when it is not allowed
	// there. An operation whose result is unknown may give any result. It is a pure function of (s,
	// op) and appends no state twice.
	Step(s State, op history.OpID, dst []State) []State
	// Describe returns a readable text of a state.
	Describe(s State) string
	// Bytes estimates the memory that the machine's states take.
	Bytes() int64
}

// Forgetter is a Machine that can drop states which are no longer needed, so that a run along one
// order takes no more memory than the current states.
type Forgetter interface {
	Machine
	// Forget may drop all states except s, and returns the new number of s. All other numbers
	// returned before, that of Init included, become invalid. On average it costs no more than the
	// steps since the last time, so it may be called often.
	Forget(s State) State
}

// Collector is a Machine that can drop states in the middle of a search.
type Collector interface {
	Machine
	// Collect drops all states but those in keep, and replaces each of these by its new number. All
	// other numbers returned before, that of Init included, become invalid.
	Collect(keep []State)
}

// Runner is a Machine whose states take long to intern: it can run along one order without
// interning.
type Runner interface {
	Machine
	// Run applies operations one after the other, from the initial state, and returns how many are
	// allowed until one is not. It may stop earlier where going on takes more than one state, or
	// more than a simple step; then Step goes on.
	Run(order []history.OpID) int
}

// Instance is a specification bound to a partition: what does not depend on the state.
// It is immutable and may be shared.
type Instance struct {
	Spec      Spec
	Partition *Partition
	// NewMachine returns a fresh machine. NewJudge, unless it is nil, returns one for the verifier:
	// what it answers was never asked for by a machine of NewMachine.
	NewMachine, NewJudge func() Machine
	// ReadOnly reports for every operation that it cannot change the state, in any state, given its
	// observed result. (A write that finds its own value is not read-only.)
	ReadOnly []bool
	// EquivID gives interchangeable operations equal numbers: same effect and same result
	// in every state. Numbers are 0..max.
	EquivID []int32
	// Class is the class of every operation; nil without classes.
	Class []ClassID
	// Touches lists the keys that every operation reads or writes, as numbers from 0 on, nil for
	// everything. Two operations without a common key commute: in every state, each is allowed
	// after the other exactly if it is allowed before, and both orders leave the same states. It is
	// nil unless some operations touch several keys.
	Touches [][]int32
	// Seen, unless it is nil, returns what the operations were seen to touch, as in Touches, and
	// which were seen to be ReadOnly, on some states. It may be wrong, so it serves to find
	// linearizations and not to refute. Both are nil where nothing was seen, and when more, which
	// is asked before each step, says no.
	Seen func(more func() bool) (touches [][]int32, readOnly []bool)
	// Transactions says what the operations of named registers do where some touch several; nil for
	// other objects.
	Transactions *Transactions
	// Tallies, unless it is nil, describes the partition by numbers to which operations add; it
	// returns nil where that does not tell everything.
	Tallies func() *Tallies
	// Items says which operations insert and remove items.
	Items Items
	// Theory says what the operations do in the vocabulary of one kind of object; nil if there is
	// none for this partition.
	Theory Theory
	// TheoryLeft says that Bind made no theory because the partition asked for none (TheoryLater);
	// bound again without that, it may have one.
	TheoryLeft bool
	// View returns a view of the partition by its number, from 1 on, or nil if there is none of
	// that number; Views lists the numbers of those that say most about an operation. Numbers mean
	// the same after forgetting results or responses. Both are nil for specifications without
	// views. Those of Views have a start.
	View  func(number int32) *View
	Views func(op history.OpID) []int32
	// Refusal says in the specification's own words why op, applied in a state that Describe
	// shows as s, is not allowed ("the front is 3, not 5"); it may be nil.
	Refusal func(m Machine, s State, op history.OpID) string
	// Waits reports whether op may wait in s although Step has an outcome for it; it may be nil.
	Waits func(m Machine, s State, op history.OpID) bool
}

// Judge returns a fresh machine for the verifier.
func (b *Instance) Judge() Machine {
	if b.NewJudge != nil {
		return b.NewJudge()
	}
	return b.NewMachine()
}

// Items says how many items an object stores.
type Items struct {
	// Delta says of every operation whether it inserts its argument (+1), removes an item, its
	// result (-1; also if the result is unknown), or does neither or found nothing (0). It is nil
	// if the specification stores no items.
	Delta  []int8
	Stored int // the initial items of every object
	// Bulk lists the operations that may remove several items at once. Delta does not count them,
	// so a history with such operations is not decided under a quasi factor.
	Bulk []history.OpID
}

// Preparer is implemented by specifications of which binding a partition takes long after all that
// may be wrong with it is known.
type Preparer interface {
	// Prepare returns the errors that Bind would, and what finishes binding.
	Prepare(p *Partition) (Prepared, error)
	// PrepareAll is Prepare for all partitions of a history of few operations, one by one.
	PrepareAll(parts []*Partition, prepared []Prepared) error
}

// Prepared is a partition of which all that may be wrong is known. Bind is called once.
type Prepared interface{ Bind() *Instance }

// Outlined is a Prepared of which monitors need no more than what is known before it is bound.
type Outlined interface {
	Prepared
	// Outline returns an Instance that has only Spec, Partition and Theory; nil without a Theory.
	Outline() *Instance
}

// Bind implements Prepared for a partition that is bound.
func (b *Instance) Bind() *Instance { return b }
