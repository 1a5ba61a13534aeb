// Package proof says what a proof of a violation is: the one sealed type Proof, its kinds, and
// their form in JSON.
//
// A proof names its kind by a word, and what it refutes: a weakening of a partition, which is the
// partition after some of its facts have been forgotten. Engines and the explanation make proofs;
// package verify checks them against the history and the question. Only the code that writes
// sentences also distinguishes their kinds.
//
// The axioms of arguments are also here: clauses over literals such as "a takes effect before b"
// that hold in every linearization of a window of a history.
package proof
