// Package spec holds executable sequential specifications and what engines need
// to know of them.
//
// A Spec is bound to a Part of a history once (Bind): names and values are resolved, and
// out comes what does not depend on the state (purity, interchangeable operations, classes, the theory) and
// Machines, whose states are small interned numbers. Split divides a history into
// parts that can be judged apart.
//
//	spec.go    the contracts
//	part.go    parts of histories, prefixes
//	drain.go   what is left over under a quasi factor, and the removals that take it out
//	split.go   locality: which parts can be judged alone
//	theory.go  the vocabularies for which engines know axioms: cells, collections, counters
//	collection.go, numbering.go  what queue, stack, priority queue and deque share; small numbers for values
//	windows.go  states of long queues
//	registry.go and a file for every specification
package spec
