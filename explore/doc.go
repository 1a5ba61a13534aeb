// Package explore runs a concurrent object under every schedule and hands out what happened.
//
//	Case ─► Program ─► Run(Strategy) ─► Execution ─► History, Class ─► linsat.Check
//
// The object is written over package mem, whose variables stop the calling thread before each
// access. Threads are coroutines (iter.Pull), kept from one execution to the next; only one runs at
// a time. The Strategy decides in the coroutine that stopped; if it picks the same thread again,
// nothing is switched.
//
// A call happens in the same step as the operation's first access, a return in the same step as its
// last one. That gives, for the order of the accesses, the strongest interval order between
// operations; fewer order constraints only admit more witnesses, so no violation is lost, and none
// is invented.
//
//	case.go       objects, tests, programs; parsecase.go tests as text
//	exec.go       operations and scheduling points
//	decide.go     the scheduling decision: who can run, fairness, bounds on steps, programs that don't repeat themselves
//	thread.go     coroutines; panics and Goexit in them
//	run.go        one execution after the other; tear-down
//	watchdog.go   threads that never come back
//	execution.go  what visit gets; the class of an execution
//	history.go    execution → history
//	schedule.go   schedules as text
//
//	strategy.go   what a strategy sees and decides
//	exhaustive.go the tree of decisions: every schedule, serial schedules
//	bounded.go    every schedule with a bound on preemptions
//	dpor.go       one schedule of each kind that can differ; dporrace.go its races
//	random.go, pct.go  random schedules
//	replay.go     one printed schedule
//
//	check.go      run, judge each history that differs, report
//	test.go       the same in go test
//	text.go       reports and traces as text
//	catalogue.go  entries of the catalogue of shipped objects
//
// The package does not see weak memory, goroutines that the object starts itself, or anything that
// is not of package mem.
package explore
