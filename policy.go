package linsat

import "time"

// mostConfigurations and mostOfCore are how many configurations and operations the Explanation of
// an OpsResult shows: more says all that is known, in more lines than a test's output should have.
// The Result has them all.
const (
	mostConfigurations = 8
	mostOfCore         = 20
)

// againSteps is how many steps, besides twice those that were taken, there are to confirm a
// violation with states apart that only the model's Equal takes for one: more confirms more of
// them, and takes longer.
const againSteps = 1 << 18

// manyPending is from how many pending operations on an Unknown of a model says what helps: fewer
// say it where it does not.
const manyPending = 8

// stackRoom is how many bytes of stack a check has from the start: more leaves less to move when
// the stack grows, and takes more.
const stackRoom = 12 << 10

// quickTimeout is the least time for a check that tries the history on the goroutine of the caller
// first: what is shorter is enforced by a timer from the beginning.
const quickTimeout = 50 * time.Millisecond

// sparseKinds is how many times as many kinds as a partition has operations are numbered by a
// slice, and not by a map: more is faster for small parts of a history, and clears more.
const sparseKinds = 8

// piecesTried is how many operations of a history are tried in pairs, to test what the model says
// of pieces: more finds more of what is said wrongly.
const piecesTried = 64

// What is tried of a model that is said to be another specification (modelas_trial.go): so many
// operations from the beginning of the history, in so many orders of all of them, and as many short
// ones after each, with so many operations; at most so many steps; and no longer where so many
// states are possible at once. More finds more of what is said wrongly, and takes longer.
const (
	trialOperations = 1000
	trialRuns       = 4
	trialShorts     = 16
	trialShort      = 12
	trialSteps      = 10_000
	trialStates     = 32
)
