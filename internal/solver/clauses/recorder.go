package clauses

import (
	"context"
	"errors"
	"io"
	"iter"

	"github.com/linsat/linsat/solver"
)

// ErrRecorder is the Err of a Recorder after Solve.
var ErrRecorder = errors.New("a Recorder only keeps clauses and cannot solve them")

// ErrTooLarge is the Err of a solver that refuses a formula beyond its limits.
var ErrTooLarge = errors.New("formula too large for this solver")

// Recorder is a solver.Solver that keeps the clauses and never decides: every Solve is
// solver.Unknown. The zero value is ready to use.
type Recorder struct {
	lits  []solver.Lit // clauses one after the other, each ended by 0
	stats solver.Stats
	err   error
}

var _ solver.Solver = (*Recorder)(nil)

// NewVar implements solver.Solver.
func (r *Recorder) NewVar() solver.Lit { return r.Reserve(1) }

// Reserve implements solver.Solver.
func (r *Recorder) Reserve(n int) solver.Lit {
	first := solver.Lit(r.stats.Vars + 1)
	r.stats.Vars += n
	return first
}

// Add keeps a copy of the clause.
func (r *Recorder) Add(clause []solver.Lit) {
	r.stats.Vars = max(r.stats.Vars, MaxVar(clause))
	r.stats.Clauses++
	r.lits = append(append(r.lits, clause...), 0)
}

// Solve returns solver.Unknown; Err is then ErrRecorder.
func (r *Recorder) Solve(_ context.Context, assumptions ...solver.Lit) solver.Status {
	r.stats.Vars = max(r.stats.Vars, MaxVar(assumptions))
	r.stats.Solves++
	r.err = ErrRecorder
	return solver.Unknown
}

// Value returns false: there is never a model.
func (r *Recorder) Value(solver.Lit) bool { return false }

// Failed returns nil: nothing is ever refuted.
func (r *Recorder) Failed() []solver.Lit { return nil }

// Err returns ErrRecorder once Solve was called.
func (r *Recorder) Err() error { return r.err }

// Stats implements solver.Solver.
func (r *Recorder) Stats() solver.Stats { return r.stats }

// Clauses yields the clauses in the order of their addition. A yielded slice must not be changed,
// and is valid until the next Add.
func (r *Recorder) Clauses() iter.Seq[[]solver.Lit] {
	return func(yield func([]solver.Lit) bool) {
		start := 0
		for end, l := range r.lits {
			if l != 0 {
				continue
			}
			if !yield(r.lits[start:end:end]) {
				return
			}
			start = end + 1
		}
	}
}

// WriteDIMACS writes the recorded clauses, and the assumptions as clauses of one literal after
// them.
func (r *Recorder) WriteDIMACS(w io.Writer, assumptions ...solver.Lit) error {
	vars := max(r.stats.Vars, MaxVar(assumptions))
	return WriteDIMACS(w, vars, r.stats.Clauses+int64(len(assumptions)), func(yield func([]solver.Lit) bool) {
		for c := range r.Clauses() {
			if !yield(c) {
				return
			}
		}
		for i := range assumptions {
			if !yield(assumptions[i : i+1]) {
				return
			}
		}
	})
}
