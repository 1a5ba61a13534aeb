package explore

import "time"

// What is tuned, and what each number trades.

// How far Check looks for a violation with fewer preemptions, which is easier to read: executions
// for each number of them, and time for all. More finds simpler ones, later.
const (
	simplerRuns = 5_000
	simplerTime = 2 * time.Second
)

// Options that are not set. defaultMaxSteps are the steps after which an execution counts as
// endless, defaultHang the time after which an operation between two steps counts as hanging: more
// lets longer programs end, and finds later that one does not. drawnCases is how many tests are
// drawn for an object without any.
const (
	defaultMaxSteps = 10_000
	defaultHang     = 10 * time.Second
	drawnCases      = 20
)

// maxAborts is how many accesses of deferred functions are refused by a panic. A thread that still
// goes on recovers in a loop, and is ended by Goexit, which nothing recovers: more lets longer
// deferred functions run to their end.
const maxAborts = 16
