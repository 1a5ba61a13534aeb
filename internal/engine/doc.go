// Package engine holds the questions that engines answer (Problem, Task), their answers (Answer,
// Verdict, Failure) and the limits on what an answer may cost (Budget). It decides nothing itself.
package engine
