package gini

import (
	"context"

	upstream "github.com/go-air/gini"
	"github.com/go-air/gini/z"
	"github.com/linsat/linsat/internal/solver/clauses"
	"github.com/linsat/linsat/solver"
)

const (
	// MaxVars is the highest variable a Solver accepts; see the package comment.
	MaxVars = 1 << 22

	// maxWords bounds the words of added clauses (its literals and two more each) to half of what
	// gini can address, and leaves the other half to learned clauses.
	maxWords = 1 << 31
)

// Solver is a solver.Solver. Invariants:
//   - g is nil iff the formula is known to be unsatisfiable (refuted) or was given up as too large
//     (tooLarge);
//   - no method but settle touches g while late is not nil: the last solve may still be running;
//   - armed is set iff g may hold a conflict of an earlier solve, and such a conflict is not one of
//     the clauses alone.
type Solver struct {
	g        *upstream.Gini
	refuted  bool
	tooLarge bool
	armed    bool
	late     <-chan int // delivers the result of a stopped solve that did not end in time
	assumed  bool       // the last solve had assumptions
	words    int64
	stats    solver.Stats

	model    []uint64 // bit v is the value of variable v
	hasModel bool
	failed   []solver.Lit
	err      error
}

var _ solver.Solver = (*Solver)(nil)

// New returns an empty Solver, which allocates little before SizeHint or the first clause.
func New() *Solver { return NewSized(1, 1) }

// NewSized returns an empty Solver with room for about vars variables and for clauses of three
// literals. That makes Add 15 to 90 per cent faster and avoids the peaks of growing. It allocates
// about 150 bytes per variable and 24 per clause at once. Both numbers are hints: too small ones
// are harmless.
func NewSized(vars, clauses int) *Solver {
	vars = min(max(vars, 1), MaxVars)
	clauses = min(max(clauses, 1), maxWords/5)
	return &Solver{g: upstream.NewVc(vars, clauses)}
}

// SizeHint is the hint that solver.Solver speaks of.
func (s *Solver) SizeHint(vars, clauses int) {
	if s.stats == (solver.Stats{}) {
		*s = *NewSized(vars, clauses)
	}
}

// NewVar implements solver.Solver.
func (s *Solver) NewVar() solver.Lit { return s.Reserve(1) }

// Reserve implements solver.Solver. Variables cost nothing before a clause or an assumption
// mentions them.
func (s *Solver) Reserve(n int) solver.Lit {
	first := solver.Lit(s.stats.Vars + 1)
	s.stats.Vars += n
	return first
}

// Add implements solver.Solver. If the last Solve was stopped and is still running, Add waits for
// it.
func (s *Solver) Add(clause []solver.Lit) {
	top := clauses.MaxVar(clause)
	s.stats.Vars = max(s.stats.Vars, top)
	s.stats.Clauses++
	if s.late != nil {
		s.settle(<-s.late)
	}
	if s.g == nil {
		if len(clause) == 0 {
			s.refute()
		}
		return
	}
	s.words += int64(len(clause)) + 2
	switch {
	case len(clause) == 0:
		s.refute()
		return
	case top > MaxVars || s.words > maxWords:
		s.tooLarge, s.g = true, nil
		return
	}
	for _, l := range clause {
		s.g.Add(toGini(l))
	}
	s.g.Add(z.LitNull)
}

// Solve implements solver.Solver. The same calls in the same order give the same answers, models
// and failed assumptions, unless one was stopped: what a stopped solve has learned is kept.
func (s *Solver) Solve(ctx context.Context, assumptions ...solver.Lit) solver.Status {
	top := clauses.MaxVar(assumptions)
	s.stats.Vars = max(s.stats.Vars, top)
	s.stats.Solves++
	s.hasModel, s.failed, s.err = false, nil, nil
	if ctx.Err() != nil {
		return s.unknown(context.Cause(ctx))
	}
	if s.late != nil {
		select {
		case r := <-s.late:
			s.settle(r)
		case <-ctx.Done():
			return s.unknown(context.Cause(ctx))
		}
	}
	switch {
	case s.refuted:
		return solver.Unsatisfiable
	case s.tooLarge || top > MaxVars:
		return s.unknown(clauses.ErrTooLarge)
	}
	s.disarm()
	for _, l := range assumptions {
		s.g.Assume(toGini(l))
	}
	s.armed, s.assumed = true, len(assumptions) > 0
	r, late := run(ctx, s.g)
	if late != nil {
		s.late = late
		return s.unknown(context.Cause(ctx))
	}
	switch r {
	case 1:
		s.keepModel()
		return solver.Satisfiable
	case -1:
		s.blame()
		return solver.Unsatisfiable
	default:
		return s.unknown(context.Cause(ctx))
	}
}

// Value implements solver.Solver.
func (s *Solver) Value(l solver.Lit) bool {
	if !s.hasModel || l == 0 {
		return false
	}
	v := l.Var()
	isTrue := v>>6 < len(s.model) && s.model[v>>6]>>(v&63)&1 == 1
	return isTrue == (l > 0)
}

// Failed implements solver.Solver. The caller may keep and change the slice.
func (s *Solver) Failed() []solver.Lit {
	return append([]solver.Lit(nil), s.failed...)
}

// Err implements solver.Solver.
func (s *Solver) Err() error { return s.err }

// Stats implements solver.Solver.
func (s *Solver) Stats() solver.Stats { return s.stats }

func (s *Solver) unknown(cause error) solver.Status {
	s.err = cause
	return solver.Unknown
}

// refute records that the clauses alone are unsatisfiable, which is final, and releases them.
func (s *Solver) refute() {
	s.refuted, s.tooLarge, s.g = true, false, nil
}

// disarm makes gini forget the conflict of the last solve and undo all but its facts, by a
// tautology: it is not stored.
func (s *Solver) disarm() {
	if !s.armed {
		return
	}
	s.g.Add(z.Var(1).Pos())
	s.g.Add(z.Var(1).Neg())
	s.g.Add(z.LitNull)
	s.armed = false
}

// settle takes the late result of a stopped solve. Only a refutation of the clauses matters: disarm
// would make gini forget it.
func (s *Solver) settle(r int) {
	s.late = nil
	if r == -1 {
		s.blame()
		s.failed = nil
	}
}

// blame reads the failed assumptions after an unsatisfiable solve, before its conflict is dropped.
func (s *Solver) blame() {
	if s.assumed { // without assumptions none failed, and gini need not trace the conflict back
		for _, m := range s.g.Why(nil) {
			s.failed = append(s.failed, solver.Lit(m.Dimacs()))
		}
	}
	if len(s.failed) == 0 {
		s.refute()
	}
}

// keepModel copies the model, which gini discards at the next Add.
func (s *Solver) keepModel() {
	top := min(int(s.g.MaxVar()), s.stats.Vars)
	words := top>>6 + 1
	if cap(s.model) < words {
		s.model = make([]uint64, words)
	}
	s.model = s.model[:words]
	clear(s.model)
	for v := 1; v <= top; v++ {
		if s.g.Value(z.Var(v).Pos()) {
			s.model[v>>6] |= 1 << (v & 63)
		}
	}
	s.hasModel = true
}

func toGini(l solver.Lit) z.Lit {
	if l < 0 {
		return z.Var(-l).Neg()
	}
	return z.Var(l).Pos()
}
