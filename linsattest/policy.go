package linsattest

import "time"

// defaultDuration is how long a check repeats its run: longer finds rarer schedules, in slower
// tests.
const defaultDuration = time.Second

// defaultHang is how long one run may take: longer waits for slower operations, and tells later
// that one hangs.
const defaultHang = 10 * time.Second

// deadlineShare is the part of the time until go test's deadline that a check may use: a greater
// divisor leaves more to the tests after it.
const deadlineShare = 2

// decideTime is how long one history may be decided: longer leaves fewer unknown.
const decideTime = 30 * time.Second

// argueTime is how long the reason of a violation may be looked for: longer finds shorter ones.
const argueTime = 2 * time.Second

// mostLines is how many lines of an argument stand in a test's output, and mostColumns how long a
// line may be: more says more, and buries other failures.
const (
	mostLines   = 60
	mostColumns = 200
)

// mostTraced is how many lines of an explored violation stand in a test's output: more shows longer
// schedules whole.
const mostTraced = 160

// Random draws so many processes and operations of each where the object does not say: more overlap
// more often, and take longer to decide.
const (
	drawnProcesses  = 4
	drawnOperations = 25
)

// How far a smaller program is looked for: schedules of each, and time in all, and the preemptions
// that each is given at least. More finds smaller ones, later.
const (
	smallerRuns      = 5_000
	smallerTime      = 5 * time.Second
	leastPreemptions = 2
)

// After how many executions an exploration looks up from its work, and how often it says how far it
// is: more often costs more.
const (
	lookEvery = 64
	tellEvery = 500 * time.Millisecond
)

// workersAfter is when other processes begin to draw schedules beside one that takes long: sooner
// finds violations of large tests sooner, and costs small ones the start of a process. They look
// for bugs that take autoWorkerDepth ordered steps, in at most autoWorkerRuns schedules, with seeds
// that are workerSeeds apart. leastShared is how many schedules are divided among processes.
const (
	workersAfter    = time.Second
	autoWorkerDepth = 3
	autoWorkerRuns  = 1_000_000
	workerSeeds     = 1_000_003
	leastShared     = 2_000
)

// debugTime is how long an execution under a debugger may stand still: longer lets people think.
const debugTime = 24 * time.Hour

// What Random explores: at most exploredPrograms programs, of so many processes and operations
// where the object does not say. One program may take a share of the time for the test, and at
// least leastProgramTime. More programs find more; greater ones take exponentially longer.
const (
	exploredProcesses  = 2
	exploredOperations = 3
	exploredPrograms   = 100
	programShare       = 10
	leastProgramTime   = time.Second
)

// serialShare is the share of the time for a test that learning its specification may take: a
// smaller one learns from more operations, and leaves less for the schedules.
const serialShare = 2

// leastLearning is how long the serial runs of plain go test may take, however short a check is:
// more learns from more operations.
const leastLearning = 10 * time.Second

// serialHang is after how long an operation of a serial run is taken to wait for another one: more
// learns from slower operations, and tells later that nothing can be learned.
const serialHang = time.Second

// deepestValue is how deep arguments and results may be nested: more takes deeper ones, and tells
// later that one contains itself.
const deepestValue = 100
