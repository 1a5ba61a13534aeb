package search

// What is tuned, and what each number trades. No number can change a verdict, only how soon it
// comes, or what is reported with it.

// The search on one word (one_word.go) ends after wordFailures failed nodes or wordSteps steps, and
// the one in wgl/dfs.go starts again. More decides more partitions there; all failed nodes are
// looked at for each new one, what was done is lost for those that it does not decide, and the
// context is not looked at meanwhile. Both are below the limits of the plain search.
const (
	wordFailures = 64
	wordSteps    = 1 << 8
)

// Collections with repeated values (besides.go). From longDeque operations on, the contents of
// a deque are not stored: fewer decide exactly what plain search can, more exceed its memory. Steps
// of searches with configurations of their own are small; stepsEach of them count as one of the
// limit.
const (
	longDeque = 512
	stepsEach = 64
)

// soonEach is for how many steps an operation a stack with pending operations is searched by
// windows before few of these are tried: more decides more of them there, and delays the others.
const soonEach = 16

// From longOpaque operations on, operations that are ordered in a circle are looked for first
// (contradicted_order.go), and the search with jumps comes before what tells pending operations
// apart: fewer say in which configurations a violation ends.
const longOpaque = 256

// The search in which operations say what they touch (independent.go): the steps for each
// operation, and those in any case; how many configurations it keeps, the bytes that one is
// charged, and for how many at once; from how many keys on a blame is taken to be everything. More
// answers histories in which more operations are connected, and delays the techniques that follow.
const (
	independentEach  = 1 << 9
	independentLeast = 1 << 16
	independentMost  = 1 << 20
	independentBytes = 320
	independentChunk = 1 << 10
	independentKeys  = 64
)

// Of a partition in which at least fewestLast operations return after everything was called, each
// before at least calledAfter other calls, these are decided as if they were pending. Fewer look at
// ordinary histories in this way, and decide some of them twice. That ends after lastEach steps for
// each operation and lastLeast more: more decides more histories, and delays the other techniques.
const (
	fewestLast  = 2
	calledAfter = 64
	lastEach    = 1536
	lastLeast   = 1 << 17
)
