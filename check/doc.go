// Package check is the vocabulary between the engines and the rest: what a
// question is (Problem), who answers it (Engine), what an answer says (Answer, Verdict,
// Failure) and what it may spend (Meter). It decides nothing itself.
//
//	check.go  questions and answers
//	meter.go  steps and memory, counted across engines and parts
//	evidence_cells.go  refutations of cells that certify judges
//	least.go  engines that find least bounds
//	argument.go, argumentjson.go  what a proof of a no says: a claim, and a tree of instances of axioms
package check
