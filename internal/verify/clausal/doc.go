// Package clausal checks refutations of propositional formulas, and builds the formulas.
//
// A Formula says in clauses what must hold if a history can be explained; every clause names the
// instance of an axiom that it states. The verifier builds it from the history alone, so a proof
// about it contains no clause that has to be believed. The proof is a list of lemmas in the format
// LRAT (Cruz-Filipe, Heule, Hunt, Kaufmann and Schneider-Kamp, Efficient Certified RAT
// Verification, CADE 2017), without its deletions and without the RAT rule: each lemma follows by
// unit propagation from the clauses that its hints name.
//
// The package depends on no engine and no solver, and shares no code with internal/cnf.
package clausal
