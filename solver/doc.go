// Package solver says what a SAT solver is to linsat: something that takes clauses over numbered
// variables and, under assumptions and until a context ends, answers satisfiable with a model,
// unsatisfiable with the assumptions to blame, or unknown with a cause.
//
//   - solver.go: literals, statuses, the Solver interface and what every backend promises.
//   - recorder.go: a Solver that only writes down what it is told, for handing a formula to a
//     program outside.
//   - dimacs.go: that formula as text.
//
// Backends live in packages below this one (internal/solver/gini is the built-in one,
// internal/solver/process runs other programs, internal/solver/z3 is the Z3 library) and are
// checked by the laws in internal/solver/solvertest. Nothing here picks a backend by name: whoever
// wires the program passes a Factory. The package imports nothing but the standard library, encodes
// nothing and proves nothing: an Unsatisfiable is an opinion until something that knows nothing of
// solvers has checked the argument made from it.
package solver
