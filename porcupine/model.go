package porcupine

import (
	"context"

	"github.com/linsat/linsat/spec"
)

// Operation is one operation of a history: from Call to Return, which are times on one clock. Two
// operations where one returns at the time of the other's call are concurrent.
type Operation struct {
	ClientId int //nolint:staticcheck // Porcupine's name; for pictures
	Input    any
	Call     int64
	Output   any
	Return   int64
	Metadata any // for pictures
	_        struct{}
}

// EventKind tells a call from a return.
type EventKind bool

// The kinds of an Event.
const (
	CallEvent   EventKind = false
	ReturnEvent EventKind = true
)

// Event is the call or the return of the operation Id. Its Value is the input or the output. A call
// without a return is an operation of unknown outcome, for which Step is asked with output nil.
type Event struct {
	ClientId int //nolint:staticcheck // Porcupine's name; for pictures
	Kind     EventKind
	Value    any
	Id       int //nolint:staticcheck // Porcupine's name
	Metadata any // for pictures; that of the return goes before that of the call
	_        struct{}
}

// Model is a sequential specification. Init and one of Step and StepContext are needed. All
// functions must be pure; several goroutines may call them.
type Model struct {
	// Partition splits a history into parts that are linearizable if and only if it is, each from
	// the initial state; PartitionEvent does so for events. Without them there is one part.
	Partition      func(history []Operation) [][]Operation
	PartitionEvent func(history []Event) [][]Event
	// Init returns the initial state.
	Init func() any
	// Step reports whether an operation with that input can return that output in a state, and
	// returns the state that follows. It must not change the state that it is given.
	Step func(state, input, output any) (bool, any)
	// StepContext replaces Step. Its context is cancelled when the check ends.
	StepContext func(ctx context.Context, state, input, output any) (bool, any)
	// Equal reports whether two states are equal. Without it their contents are compared, which is
	// == where that is defined.
	Equal func(state1, state2 any) bool
	// Hash returns the same number for equal states.
	Hash func(state any) uint64
	// DescribeOperation, DescribeState and DescribeOperationMetadata write what messages and
	// pictures show.
	DescribeOperation         func(input, output any) string
	DescribeState             func(state any) string
	DescribeOperationMetadata func(info any) string

	// Quasi, unless it is nil, asks for quasi-linearizability instead of linearizability. Porcupine
	// has nothing like it.
	Quasi *Quasi

	// Revision returns the place of an operation among those of its partition, where its input or
	// output tells it: the revision of a store, the tail of a log, what a counter shows that only
	// rises. Operations take effect in ascending order of their revisions, and under Quasi it is ρ′
	// that ascends. known is false where nothing is told. It is not asked about operations of
	// unknown outcome. Porcupine has nothing like it.
	Revision func(input, output any) (revision int64, known bool)

	// ReadOnly reports whether an operation with that input never changes a state, which makes
	// searches faster. A sample of this is tested. Porcupine has nothing like it.
	ReadOnly func(input any) bool
	// Pieces returns the pieces of the state that an operation with that input reads or writes, as
	// values that == compares, and none for all of it: the accounts of a transfer, the keys of a
	// transaction. Operations without a common piece must not influence each other: each is allowed
	// after the other if it is allowed before, and both orders leave the same state. A sample of
	// this is tested. Operations on several pieces leave no way to write a Partition; with Pieces
	// only what is connected at a time is tried in all orders. Porcupine has nothing like it.
	Pieces func(input any) []any
	// As says that the model is one of linsat's specifications in other words. Histories are then
	// decided and explained by what linsat knows of that, which refutes where steps alone do not. A
	// sample of this is tested, in some thousand steps. Under Quasi it is not used. Porcupine has
	// nothing like it.
	As *As

	nondeterministic *powerSet // of a model made by ToModel
}

// As is a specification of linsat that a model is said to be: both allow the same sequences of
// operations, from their initial states on. An operation of unknown outcome may have any result. A
// difference that is seen is a *meta.Fault, with which the check panics.
type As struct {
	Spec spec.Spec // spec.MustLookup finds one by its name
	// Initial is the initial state as the specification takes it, if it is not its default.
	Initial any
	// Operation returns the operation with that input in the words of the specification: its
	// name, the key and the argument, nil for none. Result returns the result of one that returned
	// output, nil for none.
	Operation func(input any) (f string, key, arg any)
	Result    func(input, output any) any
}

// CheckResult is a verdict.
type CheckResult string

// The verdicts. Unknown means that time or memory ran out.
const (
	Unknown CheckResult = "Unknown"
	Ok      CheckResult = "Ok"
	Illegal CheckResult = "Illegal"
)

// complete returns the model with what it leaves out, and panics if it lacks what it needs.
func (m Model) complete() Model {
	step, stepContext := m.Step, m.StepContext
	switch {
	case m.Init == nil:
		panic("porcupine: the model has no Init")
	case step == nil && stepContext == nil:
		panic("porcupine: the model has neither Step nor StepContext")
	case stepContext == nil:
		m.StepContext = func(_ context.Context, state, input, output any) (bool, any) {
			return step(state, input, output)
		}
	case step == nil:
		m.Step = func(state, input, output any) (bool, any) {
			return stepContext(context.Background(), state, input, output)
		}
	}
	if m.Quasi != nil {
		m.Quasi.refuse()
	}
	if m.Partition == nil {
		m.Partition = func(history []Operation) [][]Operation { return [][]Operation{history} }
	}
	if m.PartitionEvent == nil {
		m.PartitionEvent = func(history []Event) [][]Event { return [][]Event{history} }
	}
	return m
}
