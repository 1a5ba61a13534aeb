package monitor

import "math"

// What is tuned, and what each number trades. None of them can change a verdict, only how soon it
// comes and how small a refutation is.

// The memory accounted for an operation by the monitors of collections, registers and counters, by
// measurement. More gives up sooner under a memory limit, less may exceed it.
const (
	bytesPerCollected = 120
	cellBytes         = 80
	counterBytes      = 200
)

// Which values pending removals took (pending.go): guessLimit decisions for one history, with
// guessSteps operations decided in all. More decides more histories and takes longer for those that
// stay undecided.
const (
	guessLimit = 64
	guessSteps = 4_000_000
)

// Small refutations of a stack (stack_blocked.go) are searched from several starting values, in
// blockingSteps for one set or residue and smallerSteps for removing values from it; those of a
// deque may decide blockingSteps operations as values are left out. More gives smaller refutations,
// later.
const (
	beginnings    = 16
	blockingSteps = 1 << 22
	smallerSteps  = 1 << 21
)

// longPart is the number of operations from which on the cells of a partition are decided in two
// halves side by side; with fewer the second goroutine costs more than it gains. A set of a million
// operations takes 121 ms with it.
const longPart = 1 << 15

// maxScratch is the size up to which scratch memory is kept for the next partition. More allocates
// less often if many partitions are large, and keeps the memory.
const maxScratch = 1 << 16

// Sorting ranks. Fewer than fewRanks are compared, more go by digits of digitBits bits: wider
// digits take fewer passes over larger tables of counts.
const (
	fewRanks  = 400
	digitBits = 11
)

// Ranks of a partition are looked up in a table of all moments unless there are more than
// sparseEach for each operation and sparseFrom: a larger table is sooner than sorting while it fits
// the cache.
const (
	sparseEach = 6
	sparseFrom = 64
)

// The search for queues in which values repeat ends after repeatedSteps steps and repeatedEach more
// for each operation, and other engines go on: more steps decide histories with more operations
// open at once, and delay the others where they would be faster.
const (
	repeatedSteps = 1 << 20
	repeatedEach  = 256
)

// Deques. Which values pending pops took is tried in dequeTries decisions on the values of one
// conflict, and in all with dequeWork values decided, and dequeWorkEach for each operation: more
// decides more histories with pending pops, and delays the search on the others. What is around a
// conflict gets fewTries; else the recentCores conflicts before it are decided with it, since one
// often undoes what another one needs. A conflict that is met again more than sameCore times will
// not go away. The verifier tries refutations in at most dequeCases cases.
const (
	dequeTries    = 256
	fewTries      = 32
	recentCores   = 8
	sameCore      = 4
	dequeWork     = 1 << 21
	dequeWorkEach = 64
	dequeCases    = 200_000
)

// The beam over configurations of a counter. It starts with beamWidth of them for each value, and
// with beamWider times as many, up to beamWidest, each time but the first that it goes back: a
// wider one dies later and takes longer. Every beamStretch returns it is kept, for going back, the
// last beamKept times: more often takes memory, more rarely goes back farther than it has to.
const (
	beamWidth   = 1
	beamWider   = 2
	beamWidest  = 256
	beamStretch = 16
	beamKept    = 128
)

// A return stops looking for more configurations once beamExpanded were expanded and more than
// beamEnough found, each for one that is kept of a value. Fewer take less time, and the beam dies
// more often.
const (
	beamExpanded = 20
	beamEnough   = 4
)

// The rating of a configuration. An observation that is left costs beamAway for each step, up to
// beamFar, that its value is away; an addition that is left earns beamLazy. Observations that
// return first weigh beamSoon times as much as those that return last, and one that could not
// return beamBlame times as much again for each time that the beam died of it. The numbers are
// those, of a few tried, with which ten histories of 64 processes took least.
const (
	beamAway  = 3
	beamFar   = 40
	beamLazy  = 4
	beamSoon  = 2
	beamBlame = 4
)

// beamSteps, and beamEach for each operation, bound the configurations that the beam looks at, and
// those of a walk of counter_supply.go: more finds more linearizations, and lets the other engines
// wait longer where there is none.
const (
	beamSteps = 1 << 14
	beamEach  = 200
)

// The walks of counter_supply.go keep supplyStates configurations of a return, and as supplyWidths
// says for one walk after the other, with supplyWays ways to supply what is missing. One that can
// supply any sum up to supplyRich with half of what it has left makes others superfluous. More
// finds linearizations where few additions are open for long, and takes longer. supplySums bounds
// the sum of all additions without return, a bit for each.
const (
	supplyStates = 1 << 13
	supplyWays   = 8
	supplyRich   = 8
	supplySums   = 1 << 16
)

var supplyWidths = [...]supplyWidth{{0, 0}, {16, 512}, {4, 0}, {64, 0}}

// The walk over configurations of a bank. It starts with bankWidth of them, and with beamWider
// times as many each time that it goes back: up to bankNarrow before the sums are added up, which
// refute soon, and up to bankWidest after that. So many transfers of unknown outcome are used
// before one read as it went back, at most bankMost. From a configuration to a read bankTries sets
// are tried, in at most bankOrders orders, and beamExpanded configurations are expanded for each
// that is kept. A walk takes bankSteps, and bankEach for each operation; one is an expansion, or
// bankTried sets. More finds more linearizations and takes longer. bankNoMost is more than an
// account can have held.
const (
	bankWidth  = 4
	bankNarrow = 16
	bankWidest = 512
	bankMost   = 4
	bankTries  = 1 << 11
	bankOrders = 1 << 6
	bankSteps  = 1 << 18
	bankEach   = 8
	bankTried  = 64
	bankNoMost = math.MaxInt64 / 2
)

// counterPairs is how many of the observations that returned last an observation of a counter is
// compared with: a contradiction between two is hardly ever between ones far apart, and every pair
// costs what is open between them.
const counterPairs = 8

// counterWindow is how many operations may be called from where two observations began to where
// they ended: beyond, a pair takes as long as a good part of the history. As wide a
// range of sums is distinguished, a bit for each.
const counterWindow = 1 << 12

// Sizes of a configuration of the beam: beamWords words hold the set of open operations, and
// beamAmounts is how many different amounts the operations that never return may add. More takes
// more histories in; every configuration is larger.
const (
	beamWords   = 4
	beamAmounts = 8
)

// maxLogPairs is how many pairs of a gap of a log and an append of unknown offset are looked at:
// more matches longer histories full of appends that never returned, and takes longer to give up.
const maxLogPairs = 1 << 24

// Chains of a register are moved in mostMoves rounds to make room for operations that say only what
// they did not find, each past up to maxPassed others: more decides more histories, and takes
// longer to give up. What can be moved overlaps what it is moved past, so it is rarely far off.
const (
	mostMoves = 8
	maxPassed = 64
)
