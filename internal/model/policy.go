package model

// What is tuned, and what each number trades.

// The limits of a derived theory. derivedStates trades how many specifications have a theory for
// what the theory is worth: an operation that moves every state to another one, as an increment
// does, has as many modes as there are states, and the clauses of a test grow with the modes. It is
// at most 64, the bits of a stateSet. With 16 in place of 64, violations of tables of 17 to 40
// states, 500 and 1,000 operations of 32 processes, 5 % pending, were undecided after 3 s, seven of
// nine; SAT refutes all of them. It decides nothing else there that the search does not decide
// sooner.
// derivedSteps and derivedOperations (operations that differ in call or result) bound the work of
// the machine when binding: a millisecond or so, and almost nothing if all arguments differ.
// derivedModes bounds the memory of the modes, some 40 bytes each. derivedReach is how many steps
// from the initial state are explored at least, whatever the partition's length: more finds more
// states, which may be too many.
const (
	derivedStates     = 64
	derivedSteps      = 1 << 12
	derivedOperations = 1 << 8
	derivedModes      = 1 << 21
	derivedReach      = 8
)

// ForgetFrom is how many states, or elements of states, a machine has before it drops any while an
// order is replayed. More copies the retained ones less often, less fits the processor's cache.
// Dropping states took the replay of a million operations of a queue from 375 to 225 ms. It
// is a variable for the tests.
var ForgetFrom = 4096

// BesideFrom is the number of operations from which on a set is bound, or an order verified, in two
// goroutines; with fewer the second one costs more than it gains.
const BesideFrom = 1 << 16

// fewNumbers numbers for the values and operations of a small history are on the stack while it is
// split: more spares more histories an allocation, and takes and clears more stack.
const fewNumbers = 1 << 10

// nameBytes is how much room on the stack there is for the names of partitions: more spares more
// histories some allocations.
const nameBytes = 256
