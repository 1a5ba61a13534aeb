package specs

// What is tuned, and what each number trades. No number can change a verdict, only which engines
// have a theory, and how soon.

// Theories with many modes. Appends may have maxAppendModes of them on average, and operations of
// an owned lock ownedModes; beyond that the theory is useless to every engine. More gives a theory
// to more histories, whose clauses grow with the modes. So do those of locks and semaphores with
// their states, lockStates at most: with 64, SAT took several times as long for small semaphores.
const (
	maxAppendModes = 32
	ownedModes     = 16
	lockStates     = 16
)

// edgeLimit bounds the edges that appends make between strings: edgesFrom, and twice the modes of
// every operation. It is a variable for the tests.
var edgeLimit = func(operations int) int { return edgesFrom + 2*maxAppendModes*operations }

const edgesFrom = 1024

// maxGrowScratch is up to how many strings, bytes and edges of a key the memory that sorts out its
// strings is kept for the next key: more allocates less, and keeps more.
const maxGrowScratch = 1 << 16

// keptScratch is up to how many strings, bytes, edges and values memory for the next key is kept
// for good, a few hundred kilobytes: more spares checks of larger histories the allocation.
const keptScratch = 1 << 12

// maxOffsets is how many offsets of a log are examined for one operation: more finds an argument
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

// quickNames is up to which number the names of a collection's operations are found in a table, not
// by looking through those met: names nearly always are among the first values of a history.
const quickNames = 64

// fitted is how many operations are bound to see whether a specification fits a history. More is
// more reliable, and takes longer for each specification.
const fitted = 2000

// A set is decided as a whole first if it has wholeFrom operations, and at most wholeEach for each
// value: in partitions a million operations cost 2.5 µs each, as elements of one theory a tenth of
// that (docs/decisions/speed.md). More leaves smaller sets to their partitions.
const (
	wholeFrom = 50_000
	wholeEach = 64
)

// Texts in messages: of a longer text the first textHead and the last textTail bytes are shown.
const (
	textHead = 24
	textTail = 48
)

// Finding out what happened to keys of etcd at revisions that no response tells of
// (etcd_versions.go) takes a byte for each key and such revision, and is left out where that is
// more than mostGapKeys. A key that may be in more than mostKeyStates states is not followed until
// a range shows it: few histories have so many gaps between two ranges.
const (
	mostGapKeys   = 1 << 26
	mostKeyStates = 64
)

// mostSums is of how many accounts of a bank the balances are added up: more refutes by accounts
// that come later in a history, in time with their number.
const mostSums = 64

// kvRoomOps operations of keys of a kv share a piece of memory, and so do as many of their values
// and edges: more allocates less often, and holds on to more as long as one of the keys is needed.
const kvRoomOps = 512

// statedAside is from how many operations on two halves of a history are looked through side by
// side for results that are not stated: fewer start another goroutine for less than it takes.
const statedAside = 1 << 16
