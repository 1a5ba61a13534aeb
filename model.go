package linsat

import (
	"fmt"
	"math"
)

// Model is a sequential specification in ordinary Go types: S are its states, I the inputs of its
// operations and O their outputs. Step is needed, or Accept instead. CheckOps takes it.
//
//	register := linsat.Model[int, input, int]{
//		Name: "register",
//		Step: func(s int, in input) []linsat.Outcome[int, int] {
//			if in.write {
//				return linsat.Returns(0, in.value)
//			}
//			return linsat.Returns(s, s)
//		},
//	}
//
// All functions must be pure: their results depend only on their arguments, and they change
// nothing, in particular not the state that they are given. Many goroutines may call them. linsat
// repeats some calls to check this. If a function panics, or is found to be impure, CheckOps fails
// with a *spec.Fault, which names the function, the operation and the state.
//
// States are compared with reflect.DeepEqual, which for plain values is ==, so slices, maps and
// pointers work. Equal and Hash are for states with an equality of their own, and for speed.
type Model[S, I, O any] struct {
	Name string // "model" if it is empty
	Init S      // the initial state, of every key

	// Step computes what an operation may do when it takes effect in state s: each Outcome is an
	// output with the state that follows. No outcome means that the operation cannot take effect
	// there; several, that the specification allows each. Step does not see the observed output:
	// linsat compares it, so a pending operation needs no special case.
	Step func(s S, in I) []Outcome[S, O]

	// Accept replaces Step if the outputs cannot be listed (a fresh identifier): it returns the
	// states that may follow when the operation takes effect in s and returns out, none if it
	// cannot. Open complements it: it returns the states that may follow when the output is not
	// known. Without Open, an operation with an unknown output is an error.
	Accept func(s S, in I, out O) []S
	Open   func(s S, in I) []S

	// Key returns the key of the object that an operation is on, for a model whose state is that of
	// one object among many (one key of a map): a value that == compares, and not nil. The
	// operations of each key are decided separately, each from Init.
	Key func(in I) any
	// Pieces returns the pieces of the state that an operation with that input reads or writes, as
	// values that == compares, and none for all of it: the accounts of a transfer, the keys of a
	// transaction. Operations without a common piece must not influence each other: each is allowed
	// after the other if it is allowed before, and both orders leave the same state. What has no
	// connection, not even through others, is decided separately, each from Init, and elsewhere
	// only what is connected at a time is tried in all orders. A sample of this is tested.
	Pieces func(in I) []any
	// ReadOnly reports whether an operation with that input never changes a state. It makes
	// searches faster.
	ReadOnly func(in I) bool

	// Classes names the classes of operations for quasi-linearizability, and Class returns the
	// class of an operation with that input: its position in Classes, or -1 if it has none and
	// keeps its place. The option Quasi needs them; its Factor has one bound for each of Classes.
	Classes []string
	Class   func(in I) int

	// As says that the model is a shipped specification in other words. Histories are then decided
	// and explained by what linsat knows of that, which refutes where steps alone do not. A sample
	// of this is tested, in some thousand steps.
	As *As[I, O]

	// EqualOut reports whether an output that Step computed is the one that was observed; without
	// it reflect.DeepEqual does, which tells a nil slice from an empty one.
	EqualOut func(computed, observed O) bool
	// Equal reports whether two states are equal, and Hash returns the same number for equal
	// states. With Equal and no Hash every new state is compared with all others.
	Equal func(a, b S) bool
	Hash  func(s S) uint64

	// DescribeInput, DescribeOutput and DescribeState write operations and states for messages;
	// without them fmt does.
	DescribeInput  func(in I) string
	DescribeOutput func(out O) string
	DescribeState  func(s S) string
}

// Outcome is one thing that an operation may do: return Output and leave the state Next.
type Outcome[S, O any] struct {
	Output O
	Next   S
	// AnyOutput says that any output goes with Next: the one that was observed is not looked at.
	AnyOutput bool
}

// Returns is the answer of a Step with one outcome: the operation returns output and leaves next.
func Returns[S, O any](output O, next S) []Outcome[S, O] {
	return []Outcome[S, O]{{Output: output, Next: next}}
}

// Leaves is the answer of a Step with one outcome whose output says nothing: the operation leaves
// next, whatever it returned.
func Leaves[O, S any](next S) []Outcome[S, O] { return []Outcome[S, O]{{Next: next, AnyOutput: true}} }

// Op is one operation of a history, as CheckOps takes it. Operations that are known not to have
// taken effect are left out.
type Op[I, O any] struct {
	// Client is the caller: a client waits for an operation to return before it calls the next one,
	// but may continue after a pending operation. It is NoClient if the client is not known.
	Client int
	Input  I
	// Call and Return are times on one clock. An operation precedes another if it returned before
	// that was called; at equal times they are concurrent.
	Call   int64
	Output O
	Return int64
	// Pending says that the operation never returned: it may have taken effect at any time after
	// its call, with any output, or not at all. Output and Return are ignored.
	Pending bool
	// Revision, unless it is nil, is the place of the operation in a known order (a revision, an
	// offset), and Chain the name of that order: of the operations of one chain that take effect,
	// those with smaller revisions come first.
	Revision *int64
	Chain    string
	// Unknown says that the operation returned, but that its output is not known. Output is
	// ignored.
	Unknown bool
}

// NoClient is the Client of an operation whose client is not known.
const NoClient = -1

// defaultName is that of a model without a name.
const defaultName = "model"

// refuse reports what is wrong with a model, nil if nothing is.
func (m *Model[S, I, O]) refuse() error {
	if m.Name == "" {
		m.Name = defaultName
	}
	bad := func(what string) error { return &kinded{ErrModel, fmt.Errorf("linsat: model %s %s", m.Name, what)} }
	switch {
	case m.Step == nil && m.Accept == nil:
		return bad("has no Step: it says what an operation does in a state")
	case m.Step != nil && (m.Accept != nil || m.Open != nil):
		return bad("has both Step and Accept or Open: Step says all that they say")
	case m.Hash != nil && m.Equal == nil:
		return bad("has Hash without Equal, which says what states are equal to those of the same hash")
	case (m.Class == nil) != (len(m.Classes) == 0):
		return bad("has only one of Class and Classes")
	case m.As != nil && m.As.refuse() != "":
		return bad(m.As.refuse())
	case m.As != nil && len(m.Classes) > 0:
		return bad("has both As and Classes: the classes are those of the specification")
	case len(m.Classes) > math.MaxInt8:
		return bad(fmt.Sprintf("has %d classes of operations; there can be %d", len(m.Classes), math.MaxInt8))
	}
	return nil
}

var errNoOps = missing("there are no operations to check")
