// Package gen makes histories with known verdicts from seeds, for tests, benchmarks and `linsat
// gen`.
//
// Every specification has a sequential object here, written without looking at package spec. A run
// lets each operation take effect at some moment within its interval, so that it is linearizable by
// construction; what is injected afterwards makes it wrong, for certain or probably. Equal seeds
// give equal histories.
//
//	object.go       what an object is; keys
//	cells.go        registers, maps, sets
//	collections.go  queues, stacks, deques, priority queues
//	counters.go     counters, locks, semaphores, logs
//	run.go          long runs of many processes; removals displaced within a bound
//	violate.go      what is injected into them
//	families.go     histories that are hard for some way of checking, of certain verdicts
//	small.go        small histories full of ties for comparison with brute force
package gen
