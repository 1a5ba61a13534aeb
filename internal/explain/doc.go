// Package explain finds out why a history is not linearizable. It turns a violation into a minimal
// core (the facts of the history that it needs) and into a proof from axioms that the verifier
// checks. Package words puts them into sentences.
//
// It contains no engine: the violation, and the evidence for it, come from the caller.
package explain
