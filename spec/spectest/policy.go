package spectest

// What is tuned, and what each number trades: how much of a specification its laws are tested on,
// for time. maxStates states are visited from one initial state, and maxPairs pairs of states
// compared; theory and machine are compared on sequences of sequence operations, and states that
// stand for several by looking symbolicDepth operations ahead. After maxErrors errors no more are
// noted.
const (
	maxStates     = 2_000
	maxPairs      = 4_000
	sequence      = 6
	symbolicDepth = 3
	maxErrors     = 20
)
