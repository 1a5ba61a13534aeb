package solve

import "time"

// longestPart is how long something else is tried before a question itself, without a limit on
// time: a stronger level, and a linearization of transactions. More decides more histories that
// have the one, and keeps the others waiting.
const longestPart = 10 * time.Second

// tries is from how many nodes of cycles a short one is looked for: more find shorter ones, and
// take time.
const tries = 200

// mostPairs is how many pairs of writers whose order is open are kept, and bytesOfPair what one
// takes while slices grow.
const (
	mostPairs   = 40_000_000
	bytesOfPair = 30
)

// bytesOfReach limits what reachability takes, and half of a limit on memory if that is less.
const bytesOfReach = 4 << 30

// cyclesOfModel is how many cycles of a solver's answer are excluded at once.
const cyclesOfModel = 100

// mostStandings is how many pairs of transactions that may have appended one element of a list are
// looked at. More takes memory for a clause each.
const mostStandings = 1_000_000

// mostOverwrites is how many clauses at most say ahead who does not come between a read and a
// source of it. Without them the solver's answers show that one after the other; more take longer
// than that.
const mostOverwrites = 50_000
