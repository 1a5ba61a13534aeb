package explore

import "time"

// What is tuned, and what each number trades.

// How far Check looks for a violation that is easier to read: shrinkRuns executions for each number
// of preemptions, and for each smaller test. simplerTime is for fewer preemptions and steps,
// shrinkTime for smaller tests, of which arguments are tried up to the number smallNumbers. More
// finds simpler ones, later.
const (
	simplerTime  = 2 * time.Second
	shrinkRuns   = 5_000
	shrinkTime   = 5 * time.Second
	smallNumbers = 4
)

// apartRuns is how many executions are drawn if a thread had touched nothing that is modelled. More
// finds more that is not.
const apartRuns = 100

// mostConfigurations bounds the orders of completed operations that are tried to see whether the
// others may wait. More decides longer tests, and needs more memory.
const mostConfigurations = 1 << 18

// defaultPreemptions is the bound of the strategy of Check, if none is given. More finds more
// violations, in many more schedules.
const defaultPreemptions = 2

// Defaults of options. defaultMaxSteps is the number of steps after which an execution counts as
// endless, defaultHang the time after which a thread without an access counts as hanging: more lets
// longer programs end, and detects later that one does not. drawnCases is how many tests are drawn
// for an object without any.
const (
	defaultMaxSteps = 10_000
	defaultHang     = 10 * time.Second
	drawnCases      = 20
)

// rereads is how often a thread may read the same one or two locations, with nothing changed,
// before it is taken to wait. More leaves loops that count longer as they are, and multiplies the
// executions of loops that wait without Await or Yield, which are explored for each reading.
//
// maxIdle is how many accesses in a row such threads make, when no other can run, before the
// execution counts as a livelock. More lets longer loops end by themselves, and costs time in each
// livelock.
const (
	rereads = 20
	maxIdle = 1_000
)

// How often time passes while no thread that has to end makes an access, before the execution is
// cut off; it is leastRounds after all of them have ended, before the execution has. More decides
// what other threads do after more ticks, and takes longer where a ticker is never stopped.
const mostPasses = 200

// maxAborts is how many accesses of deferred functions are refused by a panic. A thread that still
// continues recovers in a loop, and is ended by Goexit, which cannot be recovered. More lets longer
// deferred functions finish.
const maxAborts = 16

// foldFrom is from how many accesses on a trace is folded: a shorter one is read whole.
const foldFrom = 40

// Seeds of the choices that Options.SetUps draws before and after the threads. Other seeds draw
// others.
const (
	beforeThreads = 1
	afterThreads  = 2
)

// Of pumpedAll executions rounds are looked for, apart from those that are longer than all before;
// as many are tried, and they may be as long; threads take turns for turnSteps to come to one. More
// finds more livelocks, and costs a run of a few hundred steps each.
const (
	turnSteps = 300
	pumpedAll = 64
)

// leastRounds is how often a loop must repeat in the second half of an execution that was cut off
// to count as a livelock: more is more certain, and leaves longer loops undecided. As many such
// executions of a class are judged: more finds livelocks among executions that are cut off for
// another reason, and costs a traced run each.
const leastRounds = 8
