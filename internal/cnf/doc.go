// Package cnf is what the encodings of plain linearizability (package encode) and of
// quasi-linearizability (internal/quasi/sat) share: building clauses and reading models.
//
// A Builder holds the operations of one question and their Order, a Boolean for every pair of
// concurrent operations. An Encoding sets the literals "it takes effect" and emits its axioms
// through the builder, which folds literals that are decided, names the axiom of each clause, keeps
// the limits, and notes a contradiction that needs no solver. The builder adds what holds of every
// encoding: explicit order, a canonical order of identical operations, transitivity. After solving
// it reads the witness from the model. Unary numbers and cardinalities are there for encodings that
// count.
//
// The package knows no theory and no question about factors.
package cnf
