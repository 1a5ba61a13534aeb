package schedule

// knownBuckets is into how many lists the addresses that shims know are divided: more finds them
// faster, and costs each execution as much memory.
const knownBuckets = 128

// drawnAhead is how many random numbers are drawn before an execution beyond those that the last
// one needed: more costs each execution the time of drawing them, fewer makes more of them be drawn
// while it runs, which is slow under the race detector.
const drawnAhead = 32

// mostEarly is how often a timer or ticker comes in an execution while goroutines could go on, if
// it may: more covers what only many ticks bring about, in many more executions.
const mostEarly = 2

// How much time passes at least and at most, in nanoseconds, where goroutines let the others run
// and nothing waits for a time: more ends loops that wait for a moment sooner, and lets less happen
// until then.
const (
	leastPause = 1e6
	mostPause  = 3600e9
)
