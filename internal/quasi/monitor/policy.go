package monitor

// What is tuned, and what each number trades. None of them can change a verdict, only how soon it
// comes and what stays undecided.

// Nodes of the search over layers, besides nodesEach for each layer: quickNodes at first and for
// each of smallerBounds smaller bounds, layerNodes in the end. More decides more and takes longer
// before the next thing is tried.
const (
	quickNodes    = 1 << 13
	layerNodes    = 1 << 17
	nodesEach     = 4
	smallerBounds = 4
)

// layerBytes bounds what that search may remember where there is no memory limit.
const layerBytes = 256 << 20

// turns is how often slots and places are scheduled by turns: more finds a few more schedules,
// which the search finds, too.
const turns = 10

// bytesPerOperation is what memory is counted for windows, log and schedule of one operation, by
// measurement: more gives up sooner under a memory limit, less may pass it.
const bytesPerOperation = 128

// The search for queues in which values repeat ends after repeatedSteps steps and repeatedEach more
// for each operation, and other engines go on: more steps decide histories with more operations
// open at once, and delay the others where they would be faster.
const (
	repeatedSteps = 1 << 20
	repeatedEach  = 256
)
