package gini

import "time"

// How often a solve is looked at, since gini cannot wait for a result and be stopped at the same
// time: without pause for spin, then after a waitShare of the time that has passed and leastWait,
// and at least every pause. Longer waits answer later, shorter ones take a processor from the
// solver; most solves of a segment take microseconds.
const (
	spin      = 50 * time.Microsecond
	waitShare = 16
	leastWait = 10 * time.Microsecond
	pause     = time.Millisecond
)
