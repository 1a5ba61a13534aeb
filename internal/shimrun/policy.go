package shimrun

// What is drawn where a test is too large to be explored completely: schedules of bugs that take
// autoDepth ordered steps, at most autoRuns of them. Deeper bugs need more schedules; more
// schedules take more time.
const (
	autoDepth = 3
	autoRuns  = 1_000_000
)

// mostOutside is how many packages that are not rewritten are named: more fill the screen.
const mostOutside = 16
