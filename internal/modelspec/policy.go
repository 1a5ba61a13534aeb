package modelspec

// sparseKinds is how many times as many kinds as a partition has operations are numbered by a
// slice, and not by a map: more is faster for small parts of a history, and clears more.
const sparseKinds = 8

// piecesTried is how many operations of a history are tried in pairs, to test what the model says
// of pieces: more finds more of what is said wrongly.
const piecesTried = 64

// What is tried of a model that is said to be another specification (as_trial.go): so many
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
