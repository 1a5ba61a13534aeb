// Package check is the vocabulary between the engines and the rest: what a
// question is (Problem), who answers it (Engine), what an answer says (Answer, Verdict,
// Failure) and what it may spend (Meter). It decides nothing itself.
//
//	check.go  questions and answers
//	meter.go  steps and memory, counted across engines and parts
package check
