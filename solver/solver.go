package solver

import (
	"context"
)

// Lit is a literal as in DIMACS: variable v > 0 is written v, its negation -v. The zero Lit is not
// a literal.
type Lit int32

// Not returns the opposite literal.
func (l Lit) Not() Lit { return -l }

// Var returns the number of the variable, at least 1 for every valid literal.
func (l Lit) Var() int {
	if l < 0 {
		return -int(l)
	}
	return int(l)
}

// Status is the answer to a query. The zero value claims nothing.
type Status uint8

const (
	Unknown       Status = iota // stopped, or refused; Err says why
	Satisfiable                 // Value reads a model
	Unsatisfiable               // Failed returns assumptions that cannot hold
)

// String returns the status in lower case.
func (s Status) String() string {
	switch s {
	case Satisfiable:
		return "satisfiable"
	case Unsatisfiable:
		return "unsatisfiable"
	default:
		return "unknown"
	}
}

// Solver decides formulas in conjunctive normal form, incrementally as clauses are added. It is not
// safe for concurrent use; different Solvers are independent. Methods panic on invalid literals
// only: 0, and the one number whose negation does not fit.
//
// It may have two more methods. NonIncremental() marks a Solver that starts from scratch at every
// Solve that is not trivial, so that many small queries cost more than a few large ones.
// SizeHint(vars, clauses int), called before all others, announces about how many variables and
// clauses will be added.
type Solver interface {
	// NewVar returns a variable that has not been handed out or mentioned before, as a positive
	// literal.
	NewVar() Lit

	// Reserve is NewVar n times at once: it returns the first of n consecutive fresh variables.
	Reserve(n int) Lit

	// Add adds one clause. An empty clause makes the formula unsatisfiable for good; repeated
	// literals, tautologies and variables never handed out are fine. The slice is not kept.
	Add(clause []Lit)

	// Solve decides the clauses added so far with the assumptions held true, until ctx is done,
	// which it notices within about 30 ms; if ctx was done before, the answer is Unknown. After
	// Unknown, and after every other answer, the solver can be added to and asked again.
	Solve(ctx context.Context, assumptions ...Lit) Status

	// Value returns the truth of l in the model of the last Solve, if that was Satisfiable: a total
	// assignment in which variables that were never mentioned are false. Adding clauses does not
	// change it. Without a model every literal, of either sign, is false.
	Value(l Lit) bool

	// Failed returns, if the last Solve was Unsatisfiable, some of its assumptions that cannot hold
	// together with the clauses; none means that the clauses alone are unsatisfiable. It need not
	// be minimal. Otherwise it is nil.
	Failed() []Lit

	// Err returns why the last Solve was Unknown: the cause of the context, or a failure of
	// the backend. It is nil after any other answer.
	Err() error

	// Stats returns totals so far.
	Stats() Stats
}

// Stats are running totals of one Solver.
type Stats struct {
	Vars    int   // highest variable handed out, added or assumed
	Clauses int64 // calls of Add
	Solves  int64 // calls of Solve
}
