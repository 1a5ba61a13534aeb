package main

import "time"

// What is tuned, and what each number trades.

// The default limits of certify: a certificate about a million operations needs a tenth of that.
// More verifies larger ones; less stops sooner on one that was made to keep it busy.
const (
	certifyTimeout = time.Minute
	certifyMemory  = 4 << 30
)

// screen is up to how many files the answers are printed in full, without --format: more fills more
// than a screen.
const screen = 24

// leastToMake is the time that is always granted for writing something: more overruns --timeout by
// as much, less may leave a page unwritten.
const leastToMake = 100 * time.Millisecond
