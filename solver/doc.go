// Package solver defines what linsat needs of a SAT solver: an incremental solver for clauses over
// numbered variables. Under assumptions, and until a context ends, it answers satisfiable with a
// model, unsatisfiable with failed assumptions, or unknown with a cause.
//
// The built-in backend is internal/solver/gini. internal/solver/process runs installed programs,
// and internal/solver/z3 uses the Z3 library. internal/solver/solvertest holds the laws that all of
// them obey. Nothing here picks a backend by name: callers pass a Factory.
//
// The package imports only the standard library. It encodes nothing and proves nothing: linsat does
// not trust an Unsatisfiable until its verifier, which uses no solver, has checked the explanation.
package solver
