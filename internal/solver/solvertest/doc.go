// Package solvertest holds the laws that every solver.Solver must obey, and two deciders that are
// too simple to be wrong: brute force over all assignments, and a plain DPLL solver, which also
// stands in for a backend in other tests.
//
// Run compares verdicts, models and failed assumptions of random small formulas with brute force
// while clauses are added between solves. It also covers interruptions, what comes after them, and
// the corner cases.
//
// Run takes a few seconds; with the environment variable LINSAT_FULL=1 it does about ten times as
// much. It knows no backend and imports only the interface and the test libraries.
package solvertest
