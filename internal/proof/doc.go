// Package proof says what a proof of a violation is: an argument from axioms about the operations
// of a part, or evidence of one of a few other kinds.
//
// The axioms hold in every linearization. They are clauses over literals such as "a takes effect
// before b". Package verify checks proofs, package explain finds them.
package proof
