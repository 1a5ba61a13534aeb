package specs

// What is tuned, and what each number trades. None of them can change a verdict, only which engines
// have a theory, and how soon it is there.

// Theories with many modes. Appends may have maxAppendModes of them on average, and operations of
// an owned lock ownedModes; past it the theory serves no engine. More has one for more histories,
// whose clauses grow with the modes.
const (
	maxAppendModes = 32
	ownedModes     = 16
)

// edgeLimit bounds what appends may make of strings: edgesFrom, and twice the modes of every
// operation. It is a variable for the tests.
var edgeLimit = func(operations int) int { return edgesFrom + 2*maxAppendModes*operations }

const edgesFrom = 1024

// maxGrowScratch is up to how many strings, bytes and edges of a key the memory that sorts out its
// strings is kept for the next key: more allocates less, and keeps more.
const maxGrowScratch = 1 << 16

// maxOffsets is how many offsets of a log are looked at for one operation: more finds an argument
// for more violations, later.
const maxOffsets = 8

// Numbering of values. A partition has a table of its own of all values of the history where these
// are no more than directFrom and directEach for each operation, and borrows one from sizeable
// operations on: a larger table answers at once and has to be cleared. Else up to fewValues are
// looked through one by one before there is a map. There is room for firstValues at once: more
// copies less as they come, and takes more for a small part.
const (
	firstValues = 32
	directFrom  = 64
	directEach  = 8
	sizeable    = 1024
	fewValues   = 8
)

// fitted is how many operations are bound to see whether a specification fits a history: more is
// surer, and takes longer for each specification.
const fitted = 2000

// A set is looked at as a whole first if it has wholeFrom operations, and no more than wholeEach
// for each value: partitions of a million operations cost 2.5 µs each, elements of one theory a
// tenth of that (docs/decisions/speed.md). More leaves smaller sets to their partitions.
const (
	wholeFrom = 50_000
	wholeEach = 64
)

// Texts in messages: the first textHead and the last textTail bytes of one that is longer.
const (
	textHead = 24
	textTail = 48
)
