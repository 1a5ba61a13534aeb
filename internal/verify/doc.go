// Package certify is the independent judge: it replays witnesses on a fresh
// machine of the specification and checks refutations from the raw intervals. It imports no
// engine and no solver, and knows nothing of how an answer was found.
//
// Of a yes:
//
//	witness.go        a linearization is legal, complete and in order
//	rearrangement.go  a quasi-linearization: ρ′, ρ″ and the distance between them
//
// Of a no:
//
//	window.go     a claim → what is left of the history when the claim has forgotten what it forgets
//	argument.go   instances of axioms, rebuilt over that window, lead to a contradiction
//	cells_evidence.go  a few operations on a cell that cannot be, or more changes of a cell than there are operations
//	plain.go      without axioms: all orders are tried again, under a limit
//	plainquasi.go the same under a relaxation: all ρ′ and ρ″
//	collection_evidence.go  a queue, stack or priority queue with distinct values: what a few values contradict
//	prices.go     operations that never returned do not suffice, whatever they cost
//	lag.go        a relaxed queue cannot be rearranged; lagsearch.go where that takes trying
//
// And both together with the history that they are about:
//
//	certificate.go  JSON; the history is split anew, and the parts named must be its parts
//
// What the axioms say is in package spec, where a law compares them with all legal sequences.
package verify
