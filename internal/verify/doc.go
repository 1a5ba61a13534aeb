// Package verify is the independent verifier. It replays witnesses on a fresh machine of the
// specification, and checks refutations against the raw intervals of the history. It imports no
// engine and no solver, and does not know how an answer was found. The caller gives it the
// question: the specification and, for quasi-linearizability, the factor and its meaning.
//
// A witness must contain every completed operation, respect the order of the history, and be
// accepted step by step. For a violation it checks a proof from axioms, the specific evidence of an
// engine, or it tries every order that the facts of a core leave, within bounds.
//
// The axioms are in package proof, where a law compares them with all legal sequences.
package verify
