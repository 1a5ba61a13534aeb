package shim

// mostChoices is up to how many values a random number, or the beginning of a range over a map, is
// a choice of the schedule: more covers more of what can happen, in as many times more executions.
const mostChoices = 4

// mostTicks is how often a ticker ticks in an execution, and a timer that is started again fires:
// more covers what only many ticks bring
// about, in many more executions.
const mostTicks = 2

// mostSlots is how many places of a buffer the race detector tells apart: more costs memory for
// channels with much room, fewer order sends after receptions that they do not wait for.
const mostSlots = 64

// How much time passes at least and at most, in nanoseconds, where a goroutine lets the others run:
// more ends loops that wait for a moment sooner, and lets less happen until then.
const (
	leastPause = 1e6
	mostPause  = 3600e9
)
