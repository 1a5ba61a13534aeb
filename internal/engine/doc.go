// Package engine holds the questions that engines answer (Problem), their answers (Answer, Verdict,
// Failure) and what an answer may cost (Meter). It decides nothing itself.
package engine
