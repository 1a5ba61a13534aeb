// Package verify is the independent verifier. It replays witnesses on a fresh machine of the
// specification, and checks refutations against the raw intervals of the history. It imports no
// package that decides histories and no solver (internal/engine holds only the types of questions
// and answers), and does not know how an answer was found. The caller gives it the question: the
// specification and, for quasi-linearizability, the factor and its meaning.
//
// A witness must contain every completed operation, respect the order of the history, and be
// accepted step by step. A violation is proved from axioms, by the specific evidence of an engine,
// or by trying every order that the facts of a core leave, within bounds.
//
// The axioms are in package proof, where a law test compares them with all legal sequences.
package verify
