// Package process makes a solver.Solver of a SAT or SMT solver that is installed as a program:
// cadical and cryptominisat5 through DIMACS, z3 through SMT-LIB.
//
//   - tool.go: which programs, how they are called, and where they are found.
//   - process.go: the Solver: it records what it is told and asks a new process at every Solve.
//   - run.go: one process, from its start until it is reaped, or killed when a context ends.
//   - running.go: the programs at work, for a process that is about to end.
//   - group_linux.go, group_unix.go, group_other.go: killing a script together with the solver that
//     it started.
//   - dimacs.go: the question and the answer in DIMACS.
//   - smtlib.go: the question, the answer, the model and the core in SMT-LIB.
//
// No process outlives the Solve that started it, and no file is written: questions go to standard
// input, answers come from standard output. So a Solver has nothing to close; the price is that all
// clauses are sent again at every Solve and that nothing learned is kept.
//
// A program from outside is not trusted further than it must be: a model is compared with every
// clause and every assumption, and what ends without a whole answer (killed, out of memory, wrong
// version) is Unknown with an error that says so.
//
// Not offered: proofs, conflict counts, limits of the program's memory. The DIMACS programs name no
// failed assumptions, so Failed is all of them; z3 names a core.
package process
