// Package z3 is a solver.Solver on top of the installed Z3 library. It needs cgo, libz3 and the
// build tag z3 (`go build -tags z3`); without the tag Find returns ErrNotBuilt. With the tag goz3,
// too, it goes through github.com/mitchellh/go-z3 (`make goz3`).
//
// That binding has neither assumptions nor cores, and keeps every term until its context is closed.
// So with both every Solve has a context of its own: the clauses are asserted, the assumptions
// after them as clauses of one literal, and everything is closed before Solve returns, or, if Z3 is
// slow to notice that it was stopped, soon after. Failed returns all assumptions, or two of them
// that contradict each other.
//
// A model is compared with every clause and assumption. Not offered: proofs, conflict counts,
// limits of Z3's memory.
package z3
