//go:build z3 && cgo

package z3

import "time"

// Stops. A stop that comes before the start of a check may be lost, so it is repeated after again:
// less stops sooner and calls Z3 more often. Z3's own clock ends a solve that has overlooked it
// backstop after its deadline: less would end solves before the deadline on a busy machine.
const (
	again    = 5 * time.Millisecond
	backstop = 100 * time.Millisecond
)
