package encode

// What is tuned, and what each number trades. None of them can change a verdict, only how soon it
// comes and what is left unsupported.

// Segments (segment_cut.go). A segment has segmentSize to twice as many operations. Longer ones
// have more conflicts in one formula, whose cost grows faster than its length; shorter ones have
// more boundaries at which states are passed on. There is no boundary where a register may have
// more than maxBoundaryValues values: more cuts more often, with larger states. Uncut, 30,000
// operations of a register took more than 10 s, with segments 0.34 s (docs/decisions/encode.md).
const (
	segmentSize       = 128
	maxBoundaryValues = 64
)

// The chain of segments. formulasAhead are built while one is solved; formulasKept stay in case the
// chain goes back. More of them wait less and take more memory.
const (
	formulasAhead = 6
	formulasKept  = 8
)

// maxTallies is the number of classes of values in which the heights of a stack are counted. More
// narrows the candidates of a pop further and costs that many counts for each operation. Counting
// by value left a third of the candidates: 10,025 → 3,652 for 1,000 operations on 5 values.
const maxTallies = 16

// maxOrderedCopies is how many copies of a value copiesInOrder orders pair by pair: more prunes
// larger classes and has clauses with the square of it.
const maxOrderedCopies = 256

// maxSums bounds the partial sums of counters that are listed: an observation may take half of what
// is left, and in any case a 16th. More decides counters with more concurrent increments of
// different amounts: twice as many, one more. Each takes 8 bytes for a while, and some nanoseconds.
const maxSums = 1 << 24

// maxConfigurations bounds the states of specifications without axioms. More decides histories with
// more operations open at once, and takes configurationBytes for each besides its operations.
const (
	maxConfigurations  = 1 << 18
	configurationBytes = 400
)
