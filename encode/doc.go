// Package encode decides linearizability by SAT. It turns an instance whose specification has a
// theory (registers, collections, counters) into clauses that are satisfiable exactly when the
// history is linearizable, and a model of the clauses into a witness.
//
// A question first loses the pending operations that cannot help. Several objects are decided one
// by one. Long histories of one register or counter are cut into segments, which are solved in a
// chain. The order of two concurrent operations is one Boolean, and all of these exist from the
// start ("eager"). Clauses are built only for operations near each other in time, and a
// contradiction that needs no search is found while building. A history whose formula would explode
// is unsupported.
//
// Everything that passes through clauses (the order, its transitivity, symmetry, limits, reading a
// model) is in internal/cnf, which the encoding under a quasi factor, internal/quasi/sat, shares.
// The files here are named after what they encode: which write a read saw, what first in, first out
// demands, which insertion a removal took, what an observation of a counter sums up.
//
// The package knows solvers by their interface only and runs no specification; witnesses are
// replayed elsewhere. Specifications without a theory are unsupported.
package encode
