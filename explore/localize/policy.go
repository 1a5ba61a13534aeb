package localize

import "time"

// What is tuned, and what each number trades.

// Defaults of the options: defaultMaxSteps of an execution, and defaultMaxStates of the tree. More
// labels more of the tree and takes more time and memory.
const (
	defaultMaxSteps  = 1_000
	defaultMaxStates = 500_000
)

// maxPatterns bounds the distinct sequences over all nodes: more finds patterns in larger trees, in
// more memory.
const maxPatterns = 200_000

// maxListed is how many sequences the page lists: more makes it more complete, and longer.
const maxListed = 40

// showTime is how long the shown trace may be decided after the time limit is reached.
const showTime = time.Second

// repairTime is how long pairs of accesses are tried. More tries more of them.
const repairTime = 10 * time.Second
