package wgl

// What is tuned, and what each number trades. No number can change a verdict, only how soon it
// comes, or what is reported with it.

// The failing return (failure.go). minFailureSteps are always granted for finding it. Once there is
// a configuration before it, moreFrontier steps go to others, of which maxEnumerated are examined
// and maxFrontier reported. For maxRefusals operations besides the victim it is reported why they
// cannot come next. More reports more about a violation, later.
const (
	minFailureSteps = 1 << 15
	moreFrontier    = 1 << 14
	maxEnumerated   = 64
	MaxFrontier     = 16
	maxRefusals     = 8
)

// demandedSteps are granted for each prefix under demands: more reports the frontiers of larger
// prefixes, later.
const demandedSteps = 1 << 16

// Eviction (eviction.go). A generation of entries takes a youngShare of the memory of the search
// before it gets old: more remembers more, and leaves less to states and transitions. Memory is
// freed until a share of relieved is free: more is freed less often.
const (
	youngShare = 4
	relieved   = 3
)

// Memory. The memo grows by chunks of chunkSize entries of 24 bytes: larger chunks are fewer, but
// more of the last one stays unused. Up to maxReused frames, candidates, states and moves are kept
// for the next partition. More allocates less often if partitions are large, and keeps the memory;
// up to maxKept are kept for good. Reuse saved 250 of 750 MB on a map with appends. A run that
// takes no kept frames has room for firstFrames at first: more copies less, and takes more.
const (
	firstFrames = 32
	chunkBits   = 10
	chunkSize   = 1 << chunkBits
	MaxReused   = 1 << 17
	MaxKept     = 1 << 12
)

// The textbook's cache of bounded size (textbook.go): how many configurations it keeps, and what
// one is charged besides its bits. More takes more memory and visits less again.
const (
	textbookMost  = 1 << 16
	textbookBytes = 128
)
