// Package cdcl refutes formulas and proves it: a small SAT solver that writes an LRAT proof.
//
// gini, which decides by default, keeps no trace of what it learns. This solver is asked once gini
// or another engine has refuted a history, about the formula that the verifier builds, so that
// certificates need no foreign program. It is not meant to be fast on formulas that can be
// satisfied.
package cdcl
