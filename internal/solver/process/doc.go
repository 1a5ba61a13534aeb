// Package process is a solver.Solver on top of a SAT or SMT solver that is installed as a program:
// cadical and cryptominisat5 through DIMACS, z3 through SMT-LIB. It records clauses and starts a
// new process for every Solve.
//
// No process outlives the Solve that started it, and no file is written: questions go to standard
// input, answers come from standard output. So a Solver has nothing to close; the price is that all
// clauses are sent again at every Solve and that nothing learned is kept. A program is not trusted
// further than necessary. A model is compared with every clause and every assumption. A program
// that ends without a complete answer (killed, out of memory, wrong version) gives Unknown with an
// error that says so.
//
// Not offered: proofs, conflict counts, limits of the program's memory. The DIMACS programs name no
// failed assumptions, so Failed is all of them; z3 names a core.
package process
