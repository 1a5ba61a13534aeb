// Package cnf is shared by the encodings of plain linearizability (package encode) and of
// quasi-linearizability (internal/quasi/sat): it builds clauses and reads models.
//
// A Builder holds the operations of one question and their Order, a Boolean for every pair of
// concurrent operations. An Encoding sets the literals "it takes effect" and adds its axioms
// through the builder, which folds decided literals, names the axiom of each clause, keeps the
// limits, and records a contradiction that needs no solver. The builder adds what holds for every
// encoding: explicit order, a canonical order of identical operations, transitivity. After solving,
// it reads the witness from the model. Unary numbers and cardinalities are for encodings that
// count.
//
// The package depends on no theory and no factor.
package cnf
