// Package encode turns a part of a history, described in the vocabulary of a theory
// (model.RegisterTheory, model.CollectionTheory, model.CountingTheory), into clauses that are
// satisfiable exactly when the part is linearizable; and a model of them into a witness.
//
// The way of a question:
//
//	engine.go      the engine "sat": reduce, build, solve, read the witness
//	objects.go     several objects one by one
//	cuts.go        long parts of cells and counters in pieces
//	relay.go       the pieces solved one after the other, handing on the state
//	order.go       one Boolean for each pair of concurrent operations; transitivity
//	symmetry.go    identical operations in a canonical order
//	builder.go     where all clauses pass: folding of constants, limits, the name of each axiom
//	cells.go       registers, maps, sets, locks: which write a read saw
//	cells_reduce.go pending operations on cells that cannot help; counting before anything else
//	collection.go  queues, stacks, priority queues: insertions, what leaves, the axioms
//	nearby.go      what exits with open matches demand, and of which items
//	matching.go    which insertion a removal took, where values repeat or results are unknown
//	windows.go     which copies of a value may belong to which removals, by rank
//	ranks.go       which of several like operations came how many-th, as far as real time tells
//	heights.go     how full a stack is, and of what, which says what belongs to what where values repeat
//	sweep.go       axioms that real time alone breaks, found without looking at all pairs
//	counting.go    counters: how many increments come before a read
//
// and under a relaxation (queues, stacks, priority queues):
//
//	slots.go        ρ′, the slots of ρ″, and the rules of the disciplines; windows of queues
//	slots_unary.go  numbers in windows, comparisons, exact counts
//	slots_contents.go  who takes what, places, slots, drains
//	slots_disciplines.go  what must be gone when something leaves or is seen; causality
//	slots_witness.go  ρ′ and ρ″ from a model, replayed before they are answered
//	classes.go      insertions and peeks that move; the order between classes free
//
// All orders that real time leaves open are Booleans from the start ("eager"); clauses are built
// only for what is near in time. A contradiction that needs no search is found while building.
// Histories with so many concurrent pairs or so many ways to match that the formula would explode
// are "not mine".
//
// Not here: specifications without a theory, peeks that change places under slots, reasons for a no
// beyond the name of an axiom. The package knows the interface of a solver only, and runs no
// specification: witnesses are replayed elsewhere.
package encode
