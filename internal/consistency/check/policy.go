package check

// fewOperations is up to how many operations the engines for a history without time are asked
// before those for transactions: their reasons are minimal, and take long of many.
const fewOperations = 200

// What is told of how far a history is from linearizable: of mostDistant operations at most, each
// pair of which may be an edge, and up to mostViolations violations. More tells it of larger
// histories, in time that grows with the square of the one and exponentially with the other. Orders
// of causes are looked for among mostDistant operations, too, and 64 at most, as sets are masks.
const (
	mostDistant    = 60
	mostViolations = 12
)

// mostTried is in how many steps it is found that something does not matter where causes of an
// operation are looked for: more learns more from each failure, later.
const mostTried = 1 << 9
