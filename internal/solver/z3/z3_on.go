//go:build z3 && cgo

package z3

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"sync"
	"time"

	"github.com/linsat/linsat/internal/deadline"
	"github.com/linsat/linsat/internal/solver/clauses"
	"github.com/linsat/linsat/solver"
)

// MaxVars is the highest variable that a Solver accepts.
const MaxVars = 1 << 24

// Find returns a factory of Solvers.
func Find() (func() solver.Solver, error) {
	return func() solver.Solver { return New() }, nil
}

// Solver is a solver.Solver. A stopped solve that is still running touches no part of it: it has
// its own formula.
type Solver struct {
	clauses [][]solver.Lit // never changed in place, so that a stopped solve may go on reading them
	stats   solver.Stats
	mention int  // highest variable in a clause
	refuted bool // the clauses alone are unsatisfiable, which is final

	model  []bool // by variable; nil without a model
	failed []solver.Lit
	err    error
}

var _ solver.Solver = (*Solver)(nil)

// New returns an empty Solver.
func New() *Solver { return new(Solver) }

// NonIncremental marks the solver: it starts from scratch at every Solve.
func (s *Solver) NonIncremental() {}

// NewVar implements solver.Solver.
func (s *Solver) NewVar() solver.Lit { return s.Reserve(1) }

// Reserve implements solver.Solver.
func (s *Solver) Reserve(n int) solver.Lit {
	first := solver.Lit(s.stats.Vars + 1)
	s.stats.Vars += n
	return first
}

// Add implements solver.Solver.
func (s *Solver) Add(clause []solver.Lit) {
	s.mention = max(s.mention, clauses.MaxVar(clause))
	s.stats.Vars = max(s.stats.Vars, s.mention)
	s.stats.Clauses++
	s.refuted = s.refuted || len(clause) == 0
	s.clauses = append(s.clauses, slices.Clone(clause))
}

// Solve implements solver.Solver.
func (s *Solver) Solve(ctx context.Context, assumptions ...solver.Lit) solver.Status {
	top := clauses.MaxVar(assumptions)
	s.stats.Vars = max(s.stats.Vars, top)
	s.stats.Solves++
	s.model, s.failed, s.err = nil, nil, nil
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
	top = max(top, s.mention)
	if top > MaxVars {
		return s.unknown(clauses.ErrTooLarge)
	}
	q := &question{clauses: s.clauses, assumptions: slices.Clone(assumptions), top: top, done: make(chan struct{})}
	if d, ok := ctx.Deadline(); ok {
		q.limit = time.Until(d) + backstop
	}
	go q.run()
	select {
	case <-q.done:
	case <-ctx.Done():
		q.stop()
		select {
		case <-q.done:
		case <-time.After(deadline.Solver):
			return s.unknown(context.Cause(ctx))
		}
	}
	switch {
	case q.status == solver.Satisfiable:
		s.model = q.model
	case q.status == solver.Unsatisfiable:
		s.failed = q.assumptions
		s.refuted = len(assumptions) == 0
	case ctx.Err() != nil:
		return s.unknown(context.Cause(ctx))
	default:
		return s.unknown(q.err)
	}
	return q.status
}

// Value implements solver.Solver.
func (s *Solver) Value(l solver.Lit) bool { return s.model != nil && holds(s.model, l) }

// Failed implements solver.Solver. The caller may keep and change the slice.
func (s *Solver) Failed() []solver.Lit { return append([]solver.Lit(nil), s.failed...) }

// Err implements solver.Solver.
func (s *Solver) Err() error { return s.err }

// Stats implements solver.Solver.
func (s *Solver) Stats() solver.Stats { return s.stats }

func (s *Solver) unknown(cause error) solver.Status {
	s.err = cause
	return solver.Unknown
}

var (
	errGaveUp   = errors.New("z3: gave up")
	errBadModel = errors.New("z3: the model does not satisfy the clauses and assumptions")
)

// question is one Solve, which may run on after it was stopped. Its answer may be read once done is
// closed.
type question struct {
	clauses     [][]solver.Lit
	assumptions []solver.Lit
	top         int
	limit       time.Duration // of Z3's own clock, 0 for none

	mu       sync.Mutex
	z        *library // nil before and after
	stopping bool

	done   chan struct{}
	status solver.Status
	model  []bool
	err    error // the first, of Z3 or ours
}

// stop makes run end soon: it stops Z3 now, and again until run has ended.
func (q *question) stop() {
	once := func() {
		q.mu.Lock()
		defer q.mu.Unlock()
		q.stopping = true
		if q.z != nil {
			q.z.interrupt()
		}
	}
	once()
	go func() {
		for {
			select {
			case <-q.done:
				return
			case <-time.After(again):
				once()
			}
		}
	}()
}

func (q *question) stopped() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.stopping
}

// run asks Z3 in a context of its own, on one thread, and closes it.
func (q *question) run() {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	defer close(q.done)
	ms := q.limit.Milliseconds()
	if ms >= 1<<31 {
		ms = 0
	}
	z := open(ms)
	q.use(z)
	defer z.close()
	defer q.use(nil)
	q.ask(z)
}

// use makes known what is to be stopped.
func (q *question) use(z *library) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.z = z
}

// ask asserts everything, checks, and reads the model.
func (q *question) ask(z *library) {
	for i, c := range q.clauses {
		if i%256 == 0 && q.stopped() {
			return
		}
		if q.err = z.assert(c); q.err != nil {
			return
		}
	}
	for _, l := range q.assumptions {
		if q.err = z.assert([]solver.Lit{l}); q.err != nil {
			return
		}
	}
	if q.stopped() {
		return
	}
	switch status, err := z.check(); {
	case err != nil:
		q.err = err
	case status == solver.Satisfiable:
		q.read(z)
	case status == solver.Unsatisfiable:
		q.status = status
	default:
		q.err = errGaveUp
	}
}

// read reads the model and compares it with the clauses and assumptions.
func (q *question) read(z *library) {
	model, err := z.model(q.top)
	if err != nil {
		q.err = err
		return
	}
	isTrue := func(l solver.Lit) bool { return holds(model, l) }
	for _, c := range q.clauses {
		if !slices.ContainsFunc(c, isTrue) {
			q.err = errBadModel
			return
		}
	}
	for _, l := range q.assumptions {
		if !isTrue(l) {
			q.err = errBadModel
			return
		}
	}
	q.model, q.status = model, solver.Satisfiable
}

// holds is the value of l in a model, in which variables beyond its end are false.
func holds(model []bool, l solver.Lit) bool {
	if l == 0 {
		return false
	}
	v := l.Var()
	return (v < len(model) && model[v]) == (l > 0)
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
