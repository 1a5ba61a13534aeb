package guest

import "time"

// What is tuned, and what each number trades: finding a specification that is not pure, for calls
// of it. A pure one has the same answers whatever they are.

// Samples of a machine's calls. In the long run one of sampleEvery is made twice; the first
// machines of a specification, eagerly of them, sample their first calls more often. keptSamples of
// a machine are repeated later. More finds impurity sooner and makes more calls.
const (
	sampleEvery = 64
	eagerly     = 32
	keptSamples = 8
)

// Contents of states. They are compared before each of the first printAlways calls of a machine and
// before one of printEvery later ones: more finds a state that was changed in place sooner, and a
// comparison goes through the whole state.
const (
	printAlways = 1 << 11
	printEvery  = 16
)

// What operations were seen to touch (seen.go). Inputs are looked at to a depth of seenDepth, and
// up to probes values in them, where the first seenDepth of a list are told apart; of states
// seenParts parts are compared at most. More sees more, and delays what is asked when other
// searches gave up.
const (
	seenDepth = 8
	seenParts = 1 << 23
)

// probes is how many partitions of a specification are probed before anything is decided, and how
// many calls of each: more says sooner what is wrong, and delays every check.
const probes = 64

// Answers with many choices. Up to mostCompared of them are compared, in time with its square, and
// shownChoices are shown by a message.
const (
	mostCompared = 1 << 9
	shownChoices = 4
)

// showTime is how long the code of a caller may take to show a state while another call of it
// hangs: more shows slower ones, and overruns the deadline by as much.
const showTime = 100 * time.Millisecond

// What the Memos of one room may take: memoBytes, and of a memory limit one part of memoShare. More
// calls the code less often in large checks; it leaves less to the searches, which find most of
// these answers in caches of their own, and makes their memory slower: with 2 MB a queue or
// a log of 10,000 operations took 3 to 5 % longer, with 32 MB 10 %. The table of answers starts
// with firstAnswers places of answerBytes; more clears more in a small check. A state has
// nearPlaces of them beside each other: more keeps its answers together, and fills up where those
// of other states are. A machine finds its states on pages with onPage: more makes fewer pages, and
// every machine clears them.
const (
	memoBytes    = 1 << 20
	memoShare    = 32
	firstAnswers = 1 << 6
	answerBytes  = 16
	nearPlaces   = 1 << 3
	onPage       = 1 << 7
)

// pairedWith is how many of the operations that follow one are tried with it, where it is said that
// they commute: more finds more of what is said wrongly.
const pairedWith = 2

// States that are taken for one (merged.go). Those of the first mergesAlways calls of a machine are
// looked at and those of one of sampleEvery later ones, and keptSamples operations are tried in
// both: more finds an Equal that is wrong sooner, and makes more calls.
const mergesAlways = 1 << 7
