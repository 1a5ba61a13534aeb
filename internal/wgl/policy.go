package wgl

import (
	"math"

	"github.com/linsat/linsat/internal/dual"
)

// What is tuned, and what each number trades. No number can change a verdict, only how soon it
// comes, or what is reported with it.

// defaultPlan says when the next phase starts (phases.go). More for a phase decides more partitions
// in it; less starts sooner what they may need. The first two phases take about as long as the
// relaxation, so that running them in parallel could gain a factor of two at most
// (docs/decisions/search.md). The searches of registers of many values may have more failed nodes:
// nothing else decides long ones.
var defaultPlan = plan{plain: 300, targeted: 1000, returns: 1, steps: 1 << 17, onward: true, updates: dual.MaxUpdates, approximate: 1 << 22, fewValues: 1024, valueShare: 4}

// The search on one word (one_word.go) ends after wordFailures failed nodes or wordSteps steps, and
// the one in dfs.go starts again. More decides more partitions there; all failed nodes are looked
// at for each new one, what was done is lost for those that it does not decide, and the context is
// not looked at meanwhile. Both are below the limits of the first phase.
const (
	wordFailures = 64
	wordSteps    = 1 << 8
)

// aheadOperations is how many operations the sums before a read are made of at most
// (sums_ahead.go), in all subsets. More prunes where more are open, and takes twice as long for
// each.
const aheadOperations = 12

// plainShare is the ratio of the steps of the second phase to those of the first.
const plainShare = 32

// stepsPerReturn steps are granted to the second phase for every return: traversing the partition
// takes about that many.
const stepsPerReturn = 32

// From longCounted operations on, where states have a number, the search that uses pending
// operations again and again comes first (counted_reuse.go): fewer say more of where a violation
// is. It has countedReuse failed nodes for each return: more decides more there, less begins sooner
// with what may decide others. What it finds is repaired by maxInserted operations before another
// one at most: more takes longer where that does not help.
const (
	longCounted  = 256
	countedReuse = 8
	maxInserted  = 2
)

// caseSteps, and stepsPerReturn for each return, are granted to each case of a partition at first
// (cases.go): more reaches the right one later, less begins more rounds.
const caseSteps = 1 << 12

// Collections with repeated values (collections.go). From longDeque operations on, the contents of
// a deque are not stored: fewer decide exactly what plain search can, more exceed its memory. Steps
// of searches with configurations of their own are small; stepsEach of them count as one of the
// limit.
const (
	longDeque = 512
	stepsEach = 64
)

// The failing return (failure.go). minFailureSteps are always granted for finding it. Once there is
// a configuration before it, moreFrontier steps go to others, of which maxEnumerated are examined
// and maxFrontier reported. For maxRefusals operations besides the victim it is reported why they
// cannot come next. More reports more about a violation, later.
const (
	minFailureSteps = 1 << 15
	moreFrontier    = 1 << 14
	maxEnumerated   = 64
	maxFrontier     = 16
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

// A readers-writer lock (readers_writer.go): how many configurations are kept after a return, at
// first and at most, and by what factor more if none passes; and what counts how much for keeping
// one, an operation that has taken effect or a pending one that was used. Of 10,000 operations of
// 64 processes with 1 % pending a refutation took 2,185, one of 256 processes found a linearization
// with 256. A set of open operations has rwWords words, for rwOpen of them: more takes more of
// them in, and every configuration is larger.
const (
	rwWords  = 4
	rwOpen   = 64 * rwWords
	rwWidth  = 1 << 8
	rwWidest = 1 << 16
	rwWider  = 1 << 8
	rwTaken  = 1
	rwUsed   = 2
)

// Memory. The memo grows by chunks of chunkSize entries of 24 bytes: larger chunks are fewer, but
// more of the last one stays unused. Up to maxReused frames, candidates, states and moves are kept
// for the next partition. More allocates less often if partitions are large, and keeps the memory;
// up to maxKept are kept for good.
// Reuse saved 250 of 750 MB on a map with appends (docs/decisions/speed.md). A run that takes no
// kept frames has room for firstFrames at first: more copies less, and takes more.
const (
	firstFrames = 32
	chunkBits   = 10
	chunkSize   = 1 << chunkBits
	maxReused   = 1 << 17
	maxKept     = 1 << 12
)

// The search with few pending operations at each place (pending_few.go): the ways in which it
// tries to pass a return; after how many steps it stops between two returns, where pending
// operations are tried; how many configurations an attempt may visit, the bytes that one is
// charged, and how many are forgotten one by one; the steps of the whole for each operation, and
// those in any case. More attempts, and more steps for each, find more linearizations, and delay
// the last phase. Of the late operations few are tried first: of 10,000 transfers with 5 %
// unknown, those of five seeds were found with the last 4 and stopped at 665 to 5,859 returns with
// the last 16. One old one among all comes last: of 10,000 transfers with 1 % unknown a seed
// stopped at 4,648 returns without.
var fewAttempts = []fewAttempt{
	{back: 8, ahead: 16, more: 0, last: 0, steps: 1 << 13},
	{back: 8, ahead: 16, more: 1, last: 4, steps: 1 << 13},
	{back: 8, ahead: 16, more: 2, last: 4, steps: 1 << 14},
	{back: 16, ahead: 16, more: 1, last: 16, steps: 1 << 15},
	{back: 16, ahead: 16, more: 2, last: 4, steps: 1 << 16},
	{back: 16, ahead: 6, more: 1, last: math.MaxInt32, steps: 1 << 17},
	{back: 16, ahead: 4, more: 3, last: 4, steps: 1 << 17},
	{back: 16, ahead: 6, more: 2, last: 16, steps: 1 << 17},
	{back: 32, ahead: 16, more: 6, last: 4, steps: 1 << 18},
	{back: 32, ahead: 16, more: 6, last: 16, steps: 1 << 18},
	{back: 64, ahead: 8, more: 2, last: 32, steps: 1 << 19},
	{back: 64, ahead: 4, more: 1, last: math.MaxInt32, steps: 1 << 19},
}

const (
	fewPatience = 1 << 12
	fewSeen     = 1 << 17
	fewBytes    = 32
	fewKept     = 1 << 8
	fewEach     = 1 << 10
	fewLeast    = 1 << 14
)

// From longOpaque operations on, operations that are ordered in a circle are looked for first
// (contradicted_order.go), and the search with jumps comes before what tells pending operations
// apart: fewer say in which configurations a violation ends.
const longOpaque = 256

// The search with jumps (pending_jumps.go): how many states pending operations may lead to for each
// of their classes, and in how many configurations a layer may be; the steps for each operation,
// and those in any case; the bytes that an operation and a state are charged; and of how many
// states on what a kind of operation leaves is found again for the next one. More refutes models
// with more states, and delays the last phase.
const (
	jumpStates         = 8
	jumpConfigurations = 1 << 16
	jumpEach           = 1 << 11
	jumpLeast          = 1 << 16
	jumpBytes          = 64
	jumpLeft           = 8
)

// The search in which operations say what they touch (independent.go): the steps for each
// operation, and those in any case; how many configurations it keeps, the bytes that one is
// charged, and for how many at once; from how many keys on a blame is taken to be everything. More
// answers histories in which more operations are connected, and delays the phases that follow.
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
// each operation and lastLeast more: more decides more histories, and delays the other phases.
const (
	fewestLast  = 2
	calledAfter = 64
	lastEach    = 1536
	lastLeast   = 1 << 17
)
