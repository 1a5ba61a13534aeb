package main

import "time"

// What is tuned, and what each number trades.

// patience is the time without --timeout for each file that solve checks, for certify, for specs
// check, and for shrink to look for a minimal core: more decides more hard histories, and makes a
// folder with a few of them take longer. certifyMemory is the limit of certify: a certificate about
// a million operations needs a tenth of both. More verifies larger ones; less stops sooner on one
// that was made to keep it busy.
const (
	patience      = time.Minute
	certifyMemory = 4 << 30
)

// tellEvery is how often a line says what is being done where remarks do not go to a terminal: more
// often fills logs.
const tellEvery = time.Minute

// softMemory is what a process takes without --memory before garbage is collected more often, as
// long as less is live: a search may take 512 MB, of which the collector alone would let another
// 600 MB become garbage. Less collects oftener.
const softMemory = 832 << 20

// prefixTime is how long linsat looks for the longest linearizable prefix of a history that memory
// was not enough for: more finds longer ones, later.
const prefixTime = time.Second

// screenful is up to how many files the answers are printed in full, without --format: more fills
// more than a screen.
const screenful = 24

// leastToMake is the time that is always granted for writing something: more overruns --timeout by
// as much, less may leave a page unwritten.
const leastToMake = 100 * time.Millisecond

// What a process under --isolate may take: isolatedMemory without --memory, or else twice that and
// isolatedRoom, for what the garbage collector has not returned. More lets more specifications
// finish, less protects the machine. watchEvery is how often it looks at itself: oftener stops it
// sooner, in time of its own.
const (
	isolatedMemory = 2 << 30
	isolatedRoom   = 256 << 20
	watchEvery     = 10 * time.Millisecond
)

// sampleDepth is how many calls lead to the states that samples are tried in: more finds more
// results, in time exponential in it.
const sampleDepth = 4

// mostCalls is how many different calls of histories are tried: more tests more, in time with its
// square and beyond.
const mostCalls = 10

// mostResults is how many results that a call has in the histories are tried with it: more tests
// more, in time with their square.
const mostResults = 3

// shrinkDecide is how long shrink decides one part of a history: more leaves smaller parts, later.
const shrinkDecide = 10 * time.Second

// usualWidth is the width of terminals that do not tell theirs: more may break the line of the
// progress in two, less says less in it.
const usualWidth = 80

// testTime is how long linsat test explores each test: longer completes larger ones.
const testTime = 20 * time.Second

// sampledRuns is how many schedules linsat test draws for each test, and how many histories one
// --gen of bench makes at most: more finds rarer ones, and takes longer.
const sampledRuns = 10_000

// stopDelay is how long go test may take to end once it is interrupted.
const stopDelay = 5 * time.Second

// When progress is shown: showAfter the start of the command, and of what begins later
// showNextAfter its own start. Sooner flickers, later leaves a person without a sign. It is drawn
// anew showEvery so often, with a bar of barWidth columns.
const (
	showAfter     = time.Second
	showNextAfter = 200 * time.Millisecond
	showEvery     = 100 * time.Millisecond
	barWidth      = 24
)

// mostLate is how many late reads a yes about reads names.
const mostLate = 3
