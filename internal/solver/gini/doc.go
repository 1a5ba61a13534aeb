// Package gini is a solver.Solver on top of github.com/go-air/gini v1.0.4, a fast pure-Go solver
// that is no longer maintained and that, used naively, can end the process or answer wrongly. This
// package uses the part of it that can be trusted. A context can stop every solve.
//
// What is wrong upstream, and how it is kept out of reach; upstream_test.go reproduces each, so
// that we notice a change:
//
//   - A conflict that is left standing is analysed by the next Solve even where no decision is left
//     to flip, as garbage, and then a "model" that breaks a clause ends the process by log.Fatalf.
//     So before each further Solve a tautology is added, which stores nothing and makes gini drop
//     the conflict and go back to its facts; and a formula that was refuted without assumptions is
//     never asked again: the answer is known for good, and the memory is released. What is left
//     standing otherwise is a conflict above assumptions, which can be dropped without loss.
//   - The deadline of a Try outlives it and ends later solves at once. Try is never called.
//   - Solving in short slices of Try would start the descent and the restart schedule again in each
//     slice: ten pigeons for nine holes take 15 s in one solve and were not finished after 20 s in
//     slices of 5 or of 20 ms, and a formula of millions of variables need not get through one
//     descent. And where the clock cuts decides which model comes out. One background solve and a
//     stop signal cost nothing measurable and keep the result a function of the calls made.
//   - Stop blocks for ever if the result was taken before. Here it is called at most once, and only
//     if it was not.
//   - A Copy forgets the parameters of the branching heuristic (it divides by zero, and all
//     variables met in a conflict tie at infinity): hard instances took 8 to more than 40 times as
//     long on a copy. Copies are never made; so a big formula is also never in memory twice.
//   - Value panics for variables gini never met. Models are copied out, up to what gini knows.
//   - Conflict analysis recurses once for each step of an implication chain, and Go ends the
//     process at 1 GB of stack. Above five million variables that was seen; beyond MaxVars the
//     answer is Unknown with clauses.ErrTooLarge. The same for formulas that would overflow gini's
//     32-bit clause addresses.
//
// Between interruptible points gini can be busy for long on a formula of millions of clauses (first
// propagation, first count of occurrences, check of the model). Then Solve still returns in time,
// and the next call that needs gini waits until the stopped solve has ended. Until then its memory
// stays in use.
//
// Not offered because gini does not: proofs, conflict counts (they exist only in an internal
// package, behind a type that cannot be named), a choice of the first polarity (it is the sign with
// more occurrences, weighted towards short clauses, and is chosen anew whenever a solve sees new
// variables).
package gini
