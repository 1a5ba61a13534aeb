package spec

import "time"

// Bounds on looking whether operations without results return something: so many calls of the
// history are tried in so many states that they lead to, unless steps are slow.
const (
	triedCalls  = 12
	triedStates = 40
	triedTime   = 200 * time.Millisecond
)
