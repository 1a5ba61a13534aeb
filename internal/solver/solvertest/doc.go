// Package solvertest holds what every solver.Solver must obey, and two deciders that are too simple
// to be wrong.
//
//   - laws.go: Run checks any backend: verdicts, models and failed assumptions of random small
//     formulas against brute force while clauses are added between solves, interruptions and what
//     comes after them, and the corner cases.
//   - brute.go: satisfiability by trying all assignments, on bit masks.
//   - dpll.go: a plain DPLL solver behind the interface, as a reference and as a stand-in in tests
//     of those who use solvers.
//
// Run takes a few seconds; with the environment variable LINSAT_FULL=1 it does about ten times as
// much. It knows no backend and imports only the interface and the test libraries.
package solvertest
