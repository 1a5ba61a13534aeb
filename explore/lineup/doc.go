// Package lineup checks a concurrent object without a specification, as Line-Up does (Burckhardt,
// Dern, Musuvathi, Tan, PLDI 2010): the specification is what the object does when its operations
// run one after the other. Given a finite test, phase 1 runs it serially in every order of its
// operations. This includes runs in which an operation blocks for ever. If the same operations give
// different results, the object is nondeterministic, and two runs show it. Otherwise the runs are a
// deterministic specification. Phase 2 runs the test concurrently, with at most two preemptions by
// default, and looks for a serial witness of every history. The witness of a full history is a
// serial run that ended. A stuck history needs, for each operation that blocks, a serial run in
// which that operation blocks alone.
//
// A failure proves that the object is not linearizable with respect to any deterministic
// specification. A pass means that this test with this bound found nothing.
// Limits: operations whose serial result is not determined (a random element) fail unless
// Options.Nondeterministic is set, and so do those that need another operation while they run (a
// barrier). Nothing is known of
// operations or orders that the test does not contain.
package lineup
