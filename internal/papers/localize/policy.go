package localize

import "time"

// What is tuned, and what each number trades.

// Where the options say nothing: defaultMaxSteps of an execution, and defaultMaxStates of all of
// them. More labels more of the tree and takes more time and memory.
const (
	defaultMaxSteps  = 1_000
	defaultMaxStates = 500_000
)

// maxPatterns bounds the distinct sequences over all nodes: more finds patterns in larger trees, in
// more memory.
const maxPatterns = 200_000

// maxListed is how many sequences the page lists: more says all, in a longer page.
const maxListed = 40

// showTime is how long a trace may be decided once the time is over: it is what the result shows.
const showTime = time.Second
