// Package monitor decides in polynomial time, or says that it cannot: procedures for one
// specification and one kind of history each, with a witness of every yes and a certificate of
// every no.
//
//	engine.go    which procedure takes a problem
//
// Cells (registers, maps, sets, locks), plain linearizability:
//
//	cells.go       what each operation does to its cell; which procedure takes a cell; one order from those of all cells
//	chains.go      values that one operation leaves each, reads and swaps: zones of chains
//	bits.go        a cell that goes back and forth: lazy, by earliest deadline; its refutations count
//	cells_rank.go  sorting by rank
//
// Queues, stacks and priority queues with distinct values, also with peeks, empty results and
// pending operations:
//
//	collection.go        which discipline
//	collect.go           operations sorted to values; moments; contradictions within a value
//	empties.go           moments for results that found nothing
//	queue.go             FIFO: the order of the values, or two or three that are a circle
//	queue_witness.go     the order of the values → a linearization
//	stack.go             LIFO: values taken away, bottom first
//	stack_witness.go     moments of pushes and pops → a linearization
//	stack_blocked.go     values that are stuck → few that block each other
//	stabbing.go          which intervals contain a moment, and when the last one is gone
//	priority.go          moments that values of less rank leave free
//	priority_witness.go  these moments → a linearization
//	pending.go           which values pending removals took, guessed
//	mintree.go, momentset.go  minima of ranges; sets of moments
//
// Relaxed queues:
//
//	relaxed.go   quasi-linearizable FIFO queues with distinct values: windows, then a schedule, then layers
//	schedule.go  slots and places by earliest deadline, in turns
//	layers.go    slots and places by a complete search, one position after the other, under a limit
//	witness.go   slots and places → ρ′ and ρ″, and the check of both against the definition
//	least.go     the least bound of the removals
//
// The windows come from package quasi/window. A relaxed queue that none of this settles is
// Undecided: the question whether it is polynomial is open. So are a stack and a priority queue
// some of whose histories with pending removals are: which values these took is guessed for a yes
// and bounded for a no, and what is between is Undecided. Values that are inserted twice, results
// that are unknown and explicit order are left to others.
package monitor
