package monitor

// What is tuned, and what each number trades. None of them can change a verdict, only how soon it
// comes and what stays undecided.

// Nodes of the search over layers, besides nodesEach for each layer: quickNodes for each smaller
// bound, layerNodes for the least of these and for the bound itself. More decides more histories
// and delays what is tried next.
const (
	quickNodes = 1 << 13
	layerNodes = 1 << 17
	nodesEach  = 4
)

// layerBytes bounds the memory of that search if there is no memory limit.
const layerBytes = 256 << 20

// turns is how often slots and places are scheduled alternately. More finds a few more schedules,
// which the search would find, too.
const turns = 10

// bytesPerOperation is the memory accounted for windows, log and schedule of one operation, by
// measurement. A larger number gives up sooner under a memory limit, a smaller one may exceed it.
const bytesPerOperation = 128

// The search for queues in which values repeat ends after repeatedSteps steps and repeatedEach more
// for each operation; then other engines continue. More steps decide histories with more operations
// open at once, and delay the other engines where those would be faster.
const (
	repeatedSteps = 1 << 20
	repeatedEach  = 256
)

// pendingDebts is what an operation that never returned counts in that search, in debts: a move
// with fewer is tried first. Of 18 queues of 1,000 and 10,000 operations, 1 or 5 % pending, 2 and 4
// decide 14 within a few thousand steps, 0 decides 9, and then 5 more with some 100,000.
const pendingDebts = 2
