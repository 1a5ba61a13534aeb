package spec

// Bounds on looking whether operations without results return something: so many calls of the
// history are tried in so many states that they lead to.
const (
	triedCalls  = 12
	triedStates = 40
)
