package process

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/linsat/linsat/internal/solver/clauses"
	"github.com/linsat/linsat/solver"
)

// MaxVars is the highest variable that a Solver passes to a program: most programs allocate memory
// for every number below.
const MaxVars = 1 << 24

// Solver is a solver.Solver. It keeps the clauses, and starts a process for every Solve that is not
// trivial.
type Solver struct {
	tool tool
	path string

	clauses clauses.Recorder
	assumed int // highest variable among all assumptions so far
	solves  int64
	refuted bool // the clauses alone are unsatisfiable, which is final

	model    []uint64 // bit v is the value of variable v
	hasModel bool
	failed   []solver.Lit
	err      error
}

var _ solver.Solver = (*Solver)(nil)

func newSolver(t tool, path string) *Solver { return &Solver{tool: t, path: path} }

// answer is the answer of a program.
type answer struct {
	status solver.Status
	model  []uint64     // of Satisfiable
	core   []solver.Lit // of Unsatisfiable: failed assumptions, if named is set
	named  bool
}

// NonIncremental marks the solver: it starts from scratch at every Solve.
func (s *Solver) NonIncremental() {}

// NewVar implements solver.Solver.
func (s *Solver) NewVar() solver.Lit { return s.Reserve(1) }

// Reserve implements solver.Solver.
func (s *Solver) Reserve(n int) solver.Lit {
	if missing := s.assumed - s.clauses.Stats().Vars; missing > 0 {
		s.clauses.Reserve(missing)
	}
	return s.clauses.Reserve(n)
}

// Add implements solver.Solver.
func (s *Solver) Add(clause []solver.Lit) {
	s.clauses.Add(clause)
	s.refuted = s.refuted || len(clause) == 0
}

// Solve implements solver.Solver.
func (s *Solver) Solve(ctx context.Context, assumptions ...solver.Lit) solver.Status {
	s.assumed = max(s.assumed, clauses.MaxVar(assumptions))
	s.solves++
	s.hasModel, s.failed, s.err = false, nil, nil
	if ctx.Err() != nil {
		return s.unknown(context.Cause(ctx))
	}
	if s.refuted {
		return solver.Unsatisfiable
	}
	if l, ok := opposed(assumptions); ok {
		s.failed = []solver.Lit{l, l.Not()}
		return solver.Unsatisfiable
	}
	if max(s.clauses.Stats().Vars, clauses.MaxVar(assumptions)) > MaxVars {
		return s.unknown(clauses.ErrTooLarge)
	}
	a, err := s.tool.ask(ctx, command{s.path, s.tool.args}, s, assumptions)
	if err == nil && a.status == solver.Satisfiable {
		err = s.refuse(a.model, assumptions)
	}
	switch {
	case err != nil && ctx.Err() != nil:
		return s.unknown(context.Cause(ctx))
	case err != nil:
		return s.unknown(fmt.Errorf("%s: %w", s.tool.name, err))
	case a.status == solver.Satisfiable:
		s.model, s.hasModel = a.model, true
	case a.named:
		s.failed = a.core
		s.refuted = len(a.core) == 0
	default:
		s.failed = slices.Clone(assumptions)
		s.refuted = len(assumptions) == 0
	}
	return a.status
}

// Value implements solver.Solver.
func (s *Solver) Value(l solver.Lit) bool { return s.hasModel && holds(s.model, l) }

// Failed implements solver.Solver. The caller may keep and change the slice.
func (s *Solver) Failed() []solver.Lit { return append([]solver.Lit(nil), s.failed...) }

// Err implements solver.Solver.
func (s *Solver) Err() error { return s.err }

// Stats implements solver.Solver.
func (s *Solver) Stats() solver.Stats {
	st := s.clauses.Stats()
	st.Vars = max(st.Vars, s.assumed)
	st.Solves = s.solves
	return st
}

func (s *Solver) unknown(cause error) solver.Status {
	s.err = cause
	return solver.Unknown
}

var errBadModel = errors.New("the model does not satisfy the clauses and assumptions")

// refuse compares a model with all clauses and assumptions.
func (s *Solver) refuse(model []uint64, assumptions []solver.Lit) error {
	for _, l := range assumptions {
		if !holds(model, l) {
			return errBadModel
		}
	}
	isTrue := func(l solver.Lit) bool { return holds(model, l) }
	for c := range s.clauses.Clauses() {
		if !slices.ContainsFunc(c, isTrue) {
			return errBadModel
		}
	}
	return nil
}

// holds is the value of l in a model, in which variables beyond its end are false.
func holds(model []uint64, l solver.Lit) bool {
	if l == 0 {
		return false
	}
	v := l.Var()
	isTrue := v>>6 < len(model) && model[v>>6]>>(v&63)&1 == 1
	return isTrue == (l > 0)
}

// opposed finds a literal that is assumed together with its opposite.
func opposed(assumptions []solver.Lit) (solver.Lit, bool) {
	seen := make(map[solver.Lit]bool, len(assumptions))
	for _, l := range assumptions {
		if seen[l.Not()] {
			return l, true
		}
		seen[l] = true
	}
	return 0, false
}
