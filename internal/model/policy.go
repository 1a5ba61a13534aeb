package model

// What is tuned, and what each number trades.

// The limits of a derived theory. derivedStates trades how many specifications have a theory for
// what it is worth: an operation that moves every state to another one, as an increment does, has
// as many modes as there are states, and the clauses of a test grow with the modes. derivedSteps
// and derivedOperations, which differ in call or result, bound the work of the machine on binding:
// a millisecond or so, and next to nothing where all arguments differ. derivedModes bounds the
// memory of the modes, which take some 40 bytes each. derivedReach is how many steps from the
// initial state are looked at, at least, whatever the partition's length: more finds more states,
// which may be too many.
const (
	derivedStates     = 16
	derivedSteps      = 1 << 12
	derivedOperations = 1 << 8
	derivedModes      = 1 << 21
	derivedReach      = 8
)

// ForgetFrom is how many states, or things that states are made of, a machine has before it forgets
// any while an order is replayed: more copies what is kept less often, less fits the processor's
// cache. Forgetting at all took the replay of a million operations of a queue from 375 to 225 ms
// (docs/decisions/speed.md). It is a variable for the tests.
var ForgetFrom = 4096

// BesideFrom is how many operations a set is bound with, or an order verified with, in two
// goroutines: fewer cost more for the second one than they gain.
const BesideFrom = 1 << 16
