// Package z3 is a solver.Solver on top of the Z3 library, through github.com/mitchellh/go-z3. It
// needs cgo, libz3 and the build tag z3 (`make z3`); without the tag Find returns ErrNotBuilt.
//
// The binding has neither assumptions nor cores nor a way to stop, and it keeps every term until
// its context is closed. So every Solve has a context of its own: the clauses are asserted, the
// assumptions after them as clauses of one literal, and everything is closed before Solve returns,
// or, if Z3 is slow to notice that it was stopped, soon after. Failed returns all assumptions, or
// two of them that contradict each other.
//
// What is wrong upstream, and how it is kept out of reach: without an error handler Z3 ends the
// process, so one is always set; two goroutines must not share a context, and here none is shared;
// closing a context forgets the error handler of whatever context has been given the same address
// meanwhile, so contexts are made and closed under one lock.
//
// A model is compared with every clause and assumption. Not offered: proofs, conflict counts,
// limits of Z3's memory.
package z3
