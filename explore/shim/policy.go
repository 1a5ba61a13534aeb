package shim

// mostChoices is up to how many values a random number, or the beginning of a range over a map, is
// a choice of the schedule: more covers more of what can happen, in as many times more executions.
const mostChoices = 4

// mostTicks is how often a ticker ticks in an execution: more covers what only many ticks bring
// about, in many more executions.
const mostTicks = 2
