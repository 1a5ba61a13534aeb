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

// The search of the textbook begins alone, and goes on beside the engines: more steps alone spare
// the engines' preparations for more histories, and delay those that only engines decide.
const (
	aloneSteps = 50_000
	aloneEach  = 10 // and so many an operation
)

// textbookBytes is what that search may take, if MemoryLimit is not less than textbookShare times
// as much: more decides more histories that no engine does.
const (
	textbookBytes = 2 << 30
	textbookShare = 4
)

// What tests that a model is pure: the first steps are made twice, and one of so many later. More
// finds more, and costs as much.
const (
	doubleFirst = 32
	doubleEach  = 64
)

// weighEach is how many configurations are counted as one of them is weighed: fewer find large
// states sooner.
const weighEach = 64

// recordEach is how many operations of a recorded order count as a step.
const recordEach = 64
