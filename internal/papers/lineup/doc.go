// Package lineup checks a concurrent object without a specification, as Line-Up does (Burckhardt,
// Dern, Musuvathi, Tan, PLDI 2010): the specification is what the object does when its operations
// run one after the other.
//
// Given a finite test, phase 1 runs it serially in every order of its operations, those runs
// included in which an operation blocks for ever. If the same operations gave different results,
// the object is nondeterministic, and the two runs show it. Otherwise the runs are a deterministic
// specification. Phase 2 runs the test concurrently, with at most two preemptions unless asked
// otherwise, and looks for a serial witness of every history: of a full one among the serial runs
// that ended, of a stuck one, for each operation that blocks, among those in which that operation
// blocks alone.
//
// A failure proves that the object is not linearizable with respect to any deterministic
// specification. A pass says that this test with this bound found nothing.
//
//	observations.go  the synthesised specification: an automaton whose words are the serial runs
//	synthesis.go     phase 1, and the two runs that show nondeterminism
//	witness.go       Definitions 1 and 2: is there a serial witness
//	check.go         Check: both phases on one test
//	sample.go        AutoCheck and RandomCheck: tests from a list of operations, in parallel
//	shrink.go        the smallest test that still fails
//	spec.go          the observations as a specification for linsat; stuck histories as histories for linsat
//	writexml.go, readxml.go  observation files
//	report.go        a failure as the paper shows it
//	table.go         the columns of the paper's Table 2
//	values.go        arguments and results as small numbers and as text
//
// What it does not do: it cannot judge operations whose serial result is not determined (a random
// element, a time-out) nor those that need another operation in the middle of them (a barrier):
// both fail. It says nothing of operations or orders that the test does not contain.
package lineup
