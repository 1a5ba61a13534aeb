package bench

import "time"

const (
	// leastChange and worthTelling: a time that differs by less, or by a smaller factor, is noise.
	leastChange  = time.Millisecond
	worthTelling = 1.3

	mostChanges = 20 // lines about slower or faster answers
)
