package check

// fewOperations is up to how many operations the engines for a history without time are asked
// before those for transactions: their reasons are minimal, and take long of many.
const fewOperations = 200

// What is told of how far a history is from linearizable: of mostDistant operations at most, each
// pair of which may be an edge, and up to mostViolations violations. More tells it of larger
// histories, in time that grows with the square of the one and exponentially with the other.
const (
	mostDistant    = 60
	mostViolations = 12
)

// An order of causes is looked for among mostCausal operations at most, in mostSteps for each one of
// them, and in mostTried to find what does not matter: more decides more histories, later.
const (
	mostCausal = 30
	mostSteps  = 1 << 18
	mostTried  = 1 << 12
)
