// Package explore runs a concurrent object under every schedule and yields the executions.
//
//	Case ─► Program ─► Run(Strategy) ─► Execution ─► History, Class ─► linsat.Check
//
// The object is written with package mem, whose variables stop the calling thread before each
// access. Threads are coroutines (iter.Pull), kept from one execution to the next; only one runs at
// a time. The Strategy decides in the coroutine that stopped; if it picks the same thread again,
// nothing is switched.
//
// A call happens in the same step as the operation's first access, a return in the same step as its
// last one. For the given order of the accesses this is the strongest interval order between
// operations. Weaker orders only admit more witnesses, so no violation is lost, and none is
// invented. It does not cover weak memory, goroutines that the object starts itself, or accesses
// outside of package mem.
package explore
