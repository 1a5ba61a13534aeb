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
// of the searches on lanes are small; stepsEach of them count as one of the limit.
const (
	longDeque = 512
	stepsEach = 64
)

// Repairs (repair_search.go): how often the search goes back, and how many of these retries it has
// again for every return that it passes for the first time. More finds more linearizations and
// takes longer where there is none. There are few retries, since windows pass what stops the
// repairs. One way of rarely is a random one once the search has gone back: one in four got stuck
// far earlier on long recorded deques.
const (
	windowRetries     = 1 << 6
	retriesEachReturn = 4
	rarely            = 256
)

// The ways of a removal in a repair: how deep it looks into the contents, and how many ways are
// tried. More finds ways that are further off and takes longer for each removal. Looking deeper
// made no difference on what stayed undecided.
const (
	maxDepth = 24
	maxWays  = 6
)

// Windows of a stack (window_search.go, window_neighbourhoods.go). The neighbourhoods are tried one
// after the other: larger ones fail less often and cost more. Many layers around low water with
// three of four values take a tenth of the items that all values take. All are tried with fewItems
// first: what one does not find with few, another one often does (docs/decisions/search.md).
var neighbourhoods = []neighbourhood{
	{near: 16, depth: 4, slack: 0, values: 2, items: fewItems},
	{near: 64, depth: 16, slack: 1, values: 2, items: fewItems},
	{near: 2, depth: 8, slack: 1, back: 32, items: fewItems, asksAfter: askedItems},
	{near: 8, depth: 16, slack: 1, values: 3, items: fewItems},
	{near: 16, depth: 16, slack: 2, values: 3, back: 1024, items: 4 * fewItems},
	{near: 4, depth: 16, slack: 1, back: 64, items: fewItems},
	{whole: true, items: windowItems},
	{near: 32, depth: 32, slack: 2, values: 3, items: fewItems},
	{near: 512, depth: 32, slack: 4, items: fewItems},
	{near: 512, depth: 64, slack: 8, items: fewItems},
	{near: 2, depth: 8, slack: 2, back: 128, items: windowItems},
	{near: 8, depth: 16, slack: 2, values: 3, items: windowItems},
	{near: 16, depth: 16, slack: 2, values: 3, items: windowItems},
	{near: 4, depth: 16, slack: 2, items: windowItems},
	{near: 32, depth: 32, slack: 4, values: 3, back: 4096, items: windowItems},
	{near: 4, depth: 32, slack: 4, back: 512, items: windowItems},
	{near: 16, depth: 32, slack: 4, back: 1024, items: windowItems},
	{near: 512, depth: 64, slack: 8, items: 4 * windowItems},
	{near: 128, depth: 128, slack: 16, items: 4 * windowItems},
	{near: 512, depth: 256, slack: 32, items: 4 * windowItems},
}

// More about windows: how many returns they go on after the one that stopped the repairs, how many
// items they have at first and at most, and with how many third values they are tried. Going on for
// 64 returns in place of 16 took twice the steps, as many free layers after low water as before it
// half as many again. A window that may refute looks for a way through it with one in refuteFirst
// of its items, unless it begins at the start, where listing all ways costs little more. Then it
// lists all ways with one in refuteThen, each for what are three items of lifo.go or more. Three
// values from the start have soonItems to refute up to soonReturns returns, after askedItems of a
// window of all values: of 60 violations of 1,000 operations 20 are refuted so, sooner costs more
// of the linearizable ones what it takes.
// Everything from the start has one in wholeFirst of its items at first, and the rest layer by
// layer. The next window takes the memory of one of up to keptWindow bytes: more allocates less
// often, and is not counted meanwhile. The time between two events has momentsApart moments for
// operations that stay where they are; those that find no moment are free.
const (
	windowAhead  = 16
	refuteFirst  = 8
	refuteThen   = 6
	soonReturns  = 1 << 10
	soonItems    = 4 * fewItems / refuteThen
	askedItems   = 1 << 15
	wholeFirst   = 32
	fewItems     = 1 << 17
	windowItems  = 1 << 20
	maxThird     = 3
	keptWindow   = 16 << 20
	momentsApart = 64
)

// Windows of a deque (deque_window_search.go, deque_neighbourhoods.go). The rounds are tried one
// after the other: larger neighbourhoods fail less often and cost more. More steps find more
// linearizations, and let plain search and SAT wait longer. Many failed small windows cost little:
// with fewer of them, several generated deques took ten times as long.
var dequeRounds = []dequeRound{{
	free: []dequeNeighbourhood{
		{near: 2, pushes: 1, patience: 1 << 13},
		{near: 4, pushes: 3, patience: 1 << 14},
		{near: 8, pushes: 6, patience: 1 << 15},
		{near: 4, depth: 8, pushes: 6, patience: 1 << 15},
	},
	moments: []dequeNeighbourhood{
		{near: 32, depth: 4, pushes: 1, calls: 1, oneEnd: true, patience: 1 << 12},
		{near: 128, depth: 16, slack: 1, pushes: 4, calls: 1, patience: 1 << 13},
		{near: 128, depth: 16, slack: 1, pushes: 4, calls: 2, odd: 1, patience: 1 << 14},
		{near: 128, depth: 16, slack: 1, pushes: 4, calls: 2, keep: true, patience: 1 << 14},
	},
}, {
	free: []dequeNeighbourhood{
		{near: 16, pushes: 8, patience: 1 << 16},
		{near: 8, depth: 8, slack: 1, pushes: 8, patience: 1 << 16},
	},
	moments: []dequeNeighbourhood{
		{near: 512, depth: 16, slack: 2, pushes: 4, calls: 1, patience: 1 << 14},
		{near: 128, depth: 16, slack: 1, pushes: 4, calls: 2, odd: 1, keep: true, patience: 1 << 15},
		{near: 512, depth: 16, slack: 2, pushes: 4, calls: 2, keep: true, patience: 1 << 15},
		{near: 512, depth: 16, slack: 2, pushes: 4, calls: 2, odd: 1, patience: 1 << 16},
	},
}, {
	free: []dequeNeighbourhood{
		{near: 32, pushes: 8, patience: 1 << 17},
		{near: 16, depth: 16, slack: 1, pushes: 16, patience: 1 << 17},
	},
	moments: []dequeNeighbourhood{
		{near: 128, depth: 16, slack: 1, pushes: 4, calls: 2, odd: 1, patience: 1 << 17},
		{near: 512, depth: 16, slack: 2, pushes: 4, calls: 2, odd: 1, keep: true, patience: 1 << 17},
		{near: 128, depth: 16, slack: 1, pushes: 4, calls: 2, odd: 1, keep: true, patience: 1 << 17},
		{near: 1024, depth: 16, slack: 2, pushes: 4, calls: 2, odd: 1, patience: 1 << 17},
	},
}, {
	free: []dequeNeighbourhood{
		{near: 16, depth: 16, slack: 1, pushes: 16, patience: 1 << 19},
		{near: 64, pushes: 16, patience: 1 << 19},
		{near: 64, depth: 16, slack: 2, pushes: 16, patience: 1 << 20},
	},
	moments: []dequeNeighbourhood{
		{near: 512, depth: 16, slack: 2, pushes: 4, calls: 2, odd: 1, patience: 1 << 19},
		{near: 128, depth: 16, slack: 1, pushes: 4, calls: 2, odd: 2, patience: 1 << 18},
		{near: 512, depth: 16, slack: 2, pushes: 4, calls: 2, odd: 1, keep: true, patience: 1 << 19},
		{near: 128, depth: 16, slack: 1, pushes: 4, calls: 2, odd: 2, keep: true, patience: 1 << 18},
		{near: 1024, depth: 32, slack: 2, pushes: 8, calls: 2, odd: 2, patience: 1 << 20},
		{near: 1024, depth: 32, slack: 2, pushes: 8, calls: 4, odd: 2, patience: 1 << 20},
	},
}}

// The search on a stack layer by layer (lifo_layers.go) forgets beginnings once there are
// keptBeginnings, and twice as many as it kept the last time: fewer stay in the cache, and are
// copied more often.
const keptBeginnings = 1 << 12

// Sets of contents (stack_languages.go): how many unions are remembered at first and at most, in
// how high contents one is computed, and how many of them for one beginning; and how many answers
// about contents in a set. More remembers more and takes more memory; more of the others decides
// what is left to the depth-first search otherwise. After retainAfter arcs, and four times those in
// use, the others are let go of: sooner keeps the table small, and lists those in use more often.
const (
	fewUnions    = 1 << 10
	mostUnions   = 1 << 18
	highestUnion = 1 << 17
	longestUnion = 1 << 24
	mostHeard    = 1 << 16
	retainAfter  = 1 << 15
)

// countsLimit is how many numbers bound what unknown contents of a window may hold
// (value_counts.go); beyond that there is no bound.
const countsLimit = 1 << 20

// nearby is how many layers before one in which a wrong value was pushed are tried first (lifo.go).
// More are more likely to contain the right order, which then comes later among them.
const nearby = 4

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

// All configurations of a deque at once (deque_paths.go, deque_search.go), up to maxOpenAtEnd open
// operations at an end. Before windows it has pathSteps, and pathStepsEach more for each return:
// recordings take up to 60 a return, and generated histories of 16 processes hundreds. More lets
// histories with more open operations wait longer for windows, which find many of them. After
// pathWork it looks at the limits: more passes them by more, less costs time.
const (
	maxOpenAtEnd  = 18
	pathSteps     = 1 << 21
	pathStepsEach = 1 << 9
	pathWork      = 1 << 10
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
