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
//	axioms.go  what holds in every linearization, as clauses: axioms_cells.go, axioms_collection.go, axioms_counting.go
//	machine.go, product.go       machines from step functions; several objects side by side
//	resolve.go, numbering.go     names of operations and values of a part, as small numbers
//	collection.go                what queue, stack, priority queue and deque share
//	windows.go, treaps.go        states of long queues and priority queues
//	cells.go                     what register, kv, set and locks share
//	appends.go, tokens.go        strings that grow by appends, as the few values that a history can tell apart
//	registry.go                  the specifications that linsat brings along, a file for each of them
//	custom.go                    specifications defined in ordinary Go
//	relax.go                     specifications relaxed by semantics: outoforder.go, stuttering.go
//
// What a specification must hold to is tested by spectest. Nothing here decides whether a history is linearizable.
package spec
