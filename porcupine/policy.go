package porcupine

import "time"

// leastAtOnce is how many partitions are decided at once on a machine with few processors: more
// lets an illegal one end the check sooner while a step of another waits, and takes more memory.
const leastAtOnce = 4

// coreTime is how long a check of a model with As looks for the core of a violation, which is tried
// on the model before anything is said: more finds more of what As says wrongly.
const coreTime = time.Second

// What is spent on the partial linearizations of a history that is not linearizable: as much of the
// timeout, and at most that time and so many steps a partition. More finds longer ones.
const (
	partialShare = 20 // one part of so many of the timeout
	partialTime  = time.Second
	partialSteps = 1 << 20
)

// mostRows is how many operations that overlap get rows that others share: more makes pictures of
// them smaller, and takes time with every operation.
const mostRows = 256
