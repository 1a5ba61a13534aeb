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
