package portfolio

import "time"

// What is tuned, and what each number trades. None of them can change a verdict, only how soon it
// comes, or what is said besides.

// The race. headStart is how long the search works alone, after the probe, before the SAT engine
// joins: more wastes time where SAT would win, less builds clauses for partitions that the search
// is about to decide. headStartEach is how much longer for each operation, since many partitions
// are decided sooner than their clauses can be built. headStartPending is for each operation that
// never returned, since clauses cannot count and the search can (the dual bounds). headStartStack
// is for each pair of operations on a stack: clauses about equal values grow faster than the
// length, and take 1.5 GB for 20,000 operations of 4 values, which the search decides. smtDelay is
// how long the others work before an SMT solver is started: less starts a process for histories
// that they are about to decide.
const (
	headStart        = 300 * time.Microsecond
	headStartEach    = 3 * time.Microsecond
	headStartPending = 300 * time.Microsecond
	headStartStack   = 50 * time.Nanosecond
	smtDelay         = 2 * time.Second
)

// The probe. probeSteps, and probeEach for each operation, are the steps that the search may take
// before anything runs side by side. Small partitions are decided within them and need no
// goroutines and no timers; for a partition that SAT has to decide they are lost, well under a
// millisecond.
const (
	probeSteps = 1 << 13
	probeEach  = 8
)

// The workers. A worker takes several partitions at once where there are many: each has batchesEach
// batches, of at most maxBatch partitions. Larger batches cost less coordination and may leave the
// last worker with more to do than the others. The second worker starts after workersAfter: sooner
// wakes threads for histories that one decides in the meantime, later leaves them idle.
const (
	batchesEach  = 16
	maxBatch     = 64
	workersAfter = 100 * time.Microsecond
)

// Small histories (Quickly). One of up to quickOperations operations is tried on the goroutine
// of the caller: more saves the goroutine and the timers where they cost little of the whole. After
// quickTime, which is looked at after each partition, workers go on: more leaves them idle. One
// partition is left after quickMost: more outlasts a deadline for as long if an engine does not
// decide, less asks more engines twice.
const (
	quickOperations = 1 << 10
	quickTime       = 500 * time.Microsecond
	quickMost       = 3 * time.Millisecond
)

// leaveShare is the share of the time left, once a partition is refuted, that the other partitions
// leave for the explanation: more of it explains better and judges fewer partitions. It is also the
// share of SMT solvers where all engines are compared, at a process for each partition.
const leaveShare = 4

// Weakened partitions, of which explain asks very many. weakenedSteps bounds the search on one, and
// weakenedEach on a long one for each of its operations: more decides more of them, so that more
// cores are known to be minimal, and takes longer for each. From satFirst operations on the SAT
// engine is asked before the search, since it then decides more within them.
const (
	weakenedSteps = 100_000
	weakenedEach  = 40
	satFirst      = 200
)

// Disagreements. shrinkTime bounds the search for few operations on which two engines still
// contradict each other, and shrinkSteps one engine on one candidate. This is a report of a bug:
// time matters little.
const (
	shrinkTime  = 2 * time.Second
	shrinkSteps = 1 << 20
)

// Theories that are made only where they are needed: from manyPartitions partitions on, and for
// those of at most smallPartition operations. Fewer or longer ones cost little beside the search,
// and the engines are asked in the usual order; more or smaller ones make theories that are not
// used.
const (
	manyPartitions = 8
	smallPartition = 128
)

// The plain engines under a factor. The plain search may take plainSteps, and plainEach for each
// operation, on the history as it is and on its widening: more answers more histories, and delays
// all other answers under a factor. Those of 1,000 operations take about 50 ms.
const (
	plainSteps = 1 << 16
	plainEach  = 64
)

// Least bounds. A question has leastPatience, and leastPatienceEach for each operation, before its
// bound is passed over: more decides more bounds at the first attempt, less finds a bound that is
// accepted sooner where those below it are hard. It grows by leastPatienceGrows once all are passed
// over. One leaveToStop of the time is left for engines to stop and for what is known to be told.
const (
	leaveToStop        = 16
	leastPatience      = 200 * time.Millisecond
	leastPatienceEach  = 40 * time.Microsecond
	leastPatienceGrows = 4
)

// overtakenTime is how long clauses may take to refute the operations that seem to have no place:
// more refutes greater bounds, and delays all other answers under a factor where they are not
// refuted.
const overtakenTime = 300 * time.Millisecond

// Completions under a factor. The search may take completedSteps, and completedEach for each
// operation, on the completed history before the given one is decided: more finds more witnesses
// and delays all other answers about histories with pending operations.
const (
	completedSteps = 1 << 16
	completedEach  = 32
)

// Beams. A beam may try beamSteps configurations for each operation. For a least bound it is tried
// from the question number beamAfter on, at up to beamBounds bounds: more finds more upper bounds,
// and leaves less for lower ones. It goes on past up to beamPlaces places where it died out. Near
// to these, clauses are about fewValues values at first and manyValues in the end: more refutes
// more, and takes up to nearTime for each place.
const (
	beamSteps  = 200
	beamAfter  = 3
	beamBounds = 16
	beamPlaces = 8
	fewValues  = 13
	manyValues = 40
	nearTime   = time.Second
)

// Transactions. The search joins the solver after searchEach for each operation: less runs beside a
// solver that is about to decide, and takes memory. From solverFirst operations on there is no
// probe: smaller ones are often decided sooner by it.
const (
	searchEach  = time.Millisecond
	solverFirst = 64
)
