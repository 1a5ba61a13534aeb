package engine

// What is tuned, and what each number trades. None of them can change a verdict, only how soon it
// comes and when a search gives up.

// batch is how many steps are claimed from the budget at once, and with workBatches as many units
// of other work as lie between two looks at the context: more costs less and notices the end later.
const (
	batch       = 256
	workBatches = 32
)

// DefaultSearchBytes limits the states and configurations that one search keeps where there is no
// memory limit: more decides a few more partitions, but a search that needs as much hardly ever
// ends, and would take all memory of the machine in a minute (a deque of 20,000 operations: 4.5
// GB). At most 1.4 GB are resident, with what the collector leaves (docs/decisions/search.md).
const DefaultSearchBytes = 512 << 20

// softShare is the share of the memory limit that a search keeps before it forgets: less room
// forgets sooner what will be searched again; more leaves too little for the history, for other
// engines and for what the collector has not freed yet. Before that, reserved bytes are left to the
// program itself. A search has leastSoft in any case: with less it would do nothing but forget.
const (
	softShare = 5
	reserved  = 8 << 20
	leastSoft = 1 << 20
)
