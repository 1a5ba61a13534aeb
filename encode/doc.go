// Package encode decides linearizability by SAT. It turns an instance whose specification has a
// theory (registers, collections, counters, deques), or describes itself by numbers to which
// operations add (model.Tallies), into clauses that are satisfiable exactly when the history is
// linearizable, and a model of the clauses into a witness.
//
// First, pending operations that cannot help are dropped. Several objects are decided one by one.
// Long histories of one register or counter are cut into segments, which are solved in a chain. The
// order of two concurrent operations is one Boolean, and all of these exist from the start
// ("eager"). Clauses are built only for operations near each other in time, and a contradiction
// that needs no search is found while building. A history whose formula would be too large is
// unsupported.
//
// Everything general about clauses (the order, its transitivity, symmetry, limits, reading a model)
// is in internal/cnf, which is shared with the encoding under a quasi factor, internal/quasi/sat.
// The files here are named after what they encode: which write a read saw, what first in, first out
// requires, which insertion a removal took, what an observation of a counter sums up, what numbers
// an operation finds (tally_*.go).
//
// The package uses solvers by their interface only; witnesses are replayed by the verifier. It runs
// a specification only where nothing else is known of it: then states are listed
// (configurations.go).
package encode
