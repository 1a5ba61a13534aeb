package explain

import "time"

// What is tuned, and what each number trades. None of them can change a verdict or certify what is
// not proved; they decide how good a reason is found, and when.

// The time for an explanation, where the caller says nothing. DefaultReasons is for a core and its
// argument, DefaultLocate for the operation that cannot be placed: more of it explains long
// histories better, less answers them sooner.
const (
	DefaultReasons = 5 * time.Second
	DefaultLocate  = 2 * time.Second
)

// Shares of that time. writeShare of what is left before the deadline stays for what the caller
// writes. boundShare of the time for reasons may go to the dual bound about operations that never
// returned, before a core is looked for.
const (
	writeShare = 8
	boundShare = 4
)

// Where evidence of an engine is verified already, a core is only the better explanation.
// Partitions of up to maxPatient operations get one besideShare of the time for reasons for it,
// longer ones one onTopShare: more waits longer for a sentence that a reader may prefer.
const (
	maxPatient  = 5000
	besideShare = 10
	onTopShare  = 100
)

// maxArgued is the size of the largest partition for whose violation an argument is sought although
// a monitor gave evidence: beyond, forgetting takes all the time and leaves too much.
const maxArgued = 20_000

// maxCoreFirst is the size of the largest partition for which a core is looked for before the dual
// bound is tried: on small partitions the core is found sooner and says more.
const maxCoreFirst = 200

// firstCutTime bounds the refutation that tells where to begin forgetting: more finds it for harder
// violations, and leaves less time for forgetting.
const firstCutTime = 500 * time.Millisecond

// From manyFacts facts, or manySteps steps, on a core that is not known to be minimal says less
// than the evidence of an engine, which is shown instead.
const (
	manyFacts = 24
	manySteps = 100
)

// fewestFacts is up to how many facts of a partition without axioms are not tried to be replaced by
// fewer, which takes the rest of the time; reusedSteps is how many steps one of them may take,
// reusedStates how many states there may be, and reusedBytes how many bytes they may take: those of
// collections grow with each step. More finds fewer facts, later.
const (
	fewestFacts  = 6
	reusedSteps  = 1 << 19
	reusedStates = 1 << 16
	reusedBytes  = 64 << 20
)

// Locating. frontierPrefix, frontierSteps and frontierTime bound the search for the configurations
// just before the failing return, the first in operations: of 160 violations of 1,000 to 50,000
// operations none had them after more than 0.13 s, and most searches take two steps an operation or
// more, so that the steps do not suffice for longer prefixes. maxWrong is how many guesses of a
// refutation are believed although others were wrong, and maxGuessed how many operations one may
// name: a right guess saves a dozen questions about the whole partition, a wrong one costs one or
// two. From recordedFrom operations on, prefixes of collections are tried with what was recorded
// first, up to recordedTries times: shorter ones are decided as fast without.
const (
	frontierPrefix = 1 << 17
	frontierSteps  = 1 << 18
	frontierTime   = 500 * time.Millisecond
	maxWrong       = 3
	recordedFrom   = 1000
	recordedTries  = 4
	maxGuessed     = 4096
)

// The prover. A node is one literal supposed: searchNodes for one question while cores are sought,
// DefaultNodes for the argument at the end, which is well under a second on a core of a dozen
// operations. maxWindow is how many operations a window without its past may have for the prover to
// be asked about it, or a prefix for its last operation alone. maxOperations is the size of the
// largest window that is looked at at all: the order takes a table of that size squared.
const (
	DefaultNodes  = 20_000
	searchNodes   = 600
	maxWindow     = 128
	maxOperations = 600
)

// maxResults is how many results are put back one by one to see whether the argument is shorter
// with them; each costs a question to the prover.
const maxResults = 24

// Partitions without axioms. lookInView is how long one view, or a theory derived from few states,
// is asked for an argument, or clauses about a few values of a core; maxPast is how many pairs of a
// past operation and a later one are put in order to test a fact in the whole. lookForResults is
// how long results are forgotten: each one makes the next question harder, since more orders fit.
// mostDerivedValues is how many states such a theory may have for arguments: the reasons of 568
// violations of 2 to 8 operations of tables of up to 40 states took 3.5 s with 16, 31 s with 64.
const (
	lookInView        = 500 * time.Millisecond
	mostDerivedValues = 16
	maxPast           = 20_000
	lookForResults    = time.Second
)

// maxResponses is how many operations a partition may have for responses to be forgotten under a
// factor: each forgotten one is one more choice for the verifier.
const maxResponses = 48

// Cores of values under a factor. The first try is firstValues values, the last one lastValues, or
// lastCounted with the removals between them counted, which takes few clauses: more at first asks
// larger questions about small cores, more at last finds larger cores, of which each question takes
// some tenths of a second.
const (
	firstValues = 4
	lastValues  = 28
	lastCounted = 160
)

// Guesses at small windows and at few values, which spare questions about the whole. An observation
// is compared with the nextObservations after it, and the prover is asked about maxGuesses windows.
// A value is tried with the neighbours that come after it, for lookForValues in all. More of each
// finds more of the small refutations and spends more time where there are none.
const (
	nextObservations = 4
	maxGuesses       = 8
	neighbours       = 12
	lookForValues    = 2 * time.Second
)

// Windows without their past are tried out by a search over registers, of cellSearchNodes
// configurations, before the prover is asked; other initial contents of a collection are tried up
// to maxContents of them. Beyond, what could not be tried is kept and the core is not called
// minimal.
const (
	cellSearchNodes = 30_000
	maxContents     = 60
)

// Instances of axioms. maxClauses bounds them all. Of the families, INV and HALL look at maxChains
// chains and COUNT between any two of up to maxCounted operations of a register; maxFound
// contradictions are kept to choose the shortest from; and inside cases they are looked for in
// windows of up to maxInside operations. From manyGiven literals about a counter on only those of
// real time are kept. Sums are tried over up to fewFree free operations for each of them, and
// maxTried in all. More of each finds arguments for larger windows, or shorter ones, and takes
// longer.
const (
	maxClauses = 400_000
	maxChains  = 4000
	maxFound   = 200
	maxCounted = 100
	maxInside  = 48
	manyGiven  = 24
	fewFree    = 16
	maxTried   = 1 << 14
)

// The length of arguments. A proof of short steps is not tried to be shortened; maxTwo choices are
// tried with another one in their cases. longList arguments of an axiom count as none, since a
// reader takes them in at once.
const (
	short    = 2
	maxTwo   = 16
	longList = 6
)

// fewLeftOut is up to how many values of a stack each is left out in turn: more finds smaller
// saturations of more stacks, and takes as many tries.
const fewLeftOut = 8

// prefixShare is the part of the time that is left which one prefix of an undecided history may
// take: a greater part decides longer prefixes, a smaller one tries more of them.
const prefixShare = 3

// mostOvertaking is how many pairs of a removal and an item are looked at for one that is passed
// over: more finds more violations of long histories before an engine is asked.
const mostOvertaking = 20_000_000
