package shim

// mostChoices is up to how many values a random number, or the beginning of a range over a map, is
// a choice of the schedule: more covers more of what can happen, in as many times more executions.
const mostChoices = 4

// mostSlots is how many places of a buffer the race detector tells apart: more costs memory for
// channels with much room, fewer order sends after receptions that they do not wait for.
const mostSlots = 64
