// Package z3 makes a solver.Solver of the Z3 library, through github.com/mitchellh/go-z3. It needs
// cgo, libz3 and the build tag z3 (`make z3`); without the tag Find says so.
//
//   - z3_off.go: what is there without the tag.
//   - z3_on.go: the Solver: it records what it is told and builds a Z3 context for every Solve.
//   - interrupt.go: the one call of the Z3 library that go-z3 lacks.
//
// The binding has neither assumptions nor cores nor a way to stop, and it keeps every term until
// its context is closed. So every Solve has a context of its own: the clauses are asserted, the
// assumptions after them as clauses of one literal, and everything is closed before Solve returns,
// or, if Z3 is slow to notice that it was stopped, soon after. Failed is all assumptions, unless
// two of them oppose each other.
//
// What is wrong upstream, and how it is kept out of reach: without an error handler Z3 ends the
// process, so one is always set; two goroutines must not share a context, and here none is shared;
// closing a context forgets the error handler of whatever context has been given the same address
// meanwhile, so contexts are made and closed under one lock.
//
// A model is compared with every clause and assumption. Not offered: proofs, conflict counts,
// limits of Z3's memory.
package z3
