//go:build z3

package z3

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/linsat/linsat/internal/deadline"
	"github.com/linsat/linsat/internal/solver/clauses"
	"github.com/linsat/linsat/solver"
	binding "github.com/mitchellh/go-z3"
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
func New() *Solver { return &Solver{stats: solver.Stats{Conflicts: -1}} }

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

// Stats implements solver.Solver. Conflicts is always -1: go-z3 does not report it.
func (s *Solver) Stats() solver.Stats { return s.stats }

func (s *Solver) unknown(cause error) solver.Status {
	s.err = cause
	return solver.Unknown
}

var (
	errGaveUp   = errors.New("z3: gave up")
	errBadModel = errors.New("z3: the model does not satisfy the clauses and assumptions")
)

// contexts guards the making and closing of contexts; see the package comment.
var contexts sync.Mutex

// question is one Solve, which may run on after it was stopped. Its answer may be read once done is
// closed.
type question struct {
	clauses     [][]solver.Lit
	assumptions []solver.Lit
	top         int
	limit       time.Duration // of Z3's own clock, 0 for none

	mu       sync.Mutex
	z        *binding.Context // nil before and after
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
			interrupt(q.z)
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
	z := q.open()
	defer q.close(z)
	q.ask(z)
}

func (q *question) open() *binding.Context {
	config := binding.NewConfig()
	defer config.Close()
	if ms := q.limit.Milliseconds(); q.limit > 0 && ms < 1<<31 {
		config.SetParamValue("timeout", strconv.FormatInt(ms, 10))
	}
	contexts.Lock()
	defer contexts.Unlock()
	z := binding.NewContext(config)
	z.SetErrorHandler(func(c *binding.Context, code binding.ErrorCode) {
		if q.err == nil {
			q.err = fmt.Errorf("z3: %s", c.Error(code))
		}
	})
	q.mu.Lock()
	q.z = z
	q.mu.Unlock()
	return z
}

func (q *question) close(z *binding.Context) {
	q.mu.Lock()
	q.z = nil
	q.mu.Unlock()
	contexts.Lock()
	defer contexts.Unlock()
	z.Close()
}

// ask asserts everything, checks, and reads the model.
func (q *question) ask(z *binding.Context) {
	s := z.NewSolver()
	defer s.Close()
	sort := z.BoolSort()
	atoms := make([]*binding.AST, q.top+1)
	term := func(l solver.Lit) *binding.AST {
		v := l.Var()
		if atoms[v] == nil {
			atoms[v] = z.Const(z.SymbolInt(v), sort)
		}
		if l < 0 {
			return atoms[v].Not()
		}
		return atoms[v]
	}
	for i, c := range q.clauses {
		if i%256 == 0 && q.stopped() || q.err != nil {
			return
		}
		first := term(c[0])
		if len(c) > 1 {
			rest := make([]*binding.AST, len(c)-1)
			for k, l := range c[1:] {
				rest[k] = term(l)
			}
			first = first.Or(rest...)
		}
		s.Assert(first)
	}
	for _, l := range q.assumptions {
		s.Assert(term(l))
	}
	if q.stopped() || q.err != nil {
		return
	}
	switch s.Check() {
	case binding.True:
		if q.err == nil {
			q.read(z, s, atoms)
		}
	case binding.False:
		if q.err == nil {
			q.status = solver.Unsatisfiable
		}
	default:
		if q.err == nil {
			q.err = errGaveUp
		}
	}
}

// read reads the model and compares it with the clauses and assumptions.
func (q *question) read(z *binding.Context, s *binding.Solver, atoms []*binding.AST) {
	m := s.Model()
	defer m.Close()
	yes := z.True().String()
	model := make([]bool, len(atoms))
	for v, a := range atoms {
		if a == nil {
			continue
		}
		value := m.Eval(a)
		if q.err == nil && value == nil {
			q.err = errors.New("z3: the model is incomplete")
		}
		if q.err != nil {
			return
		}
		model[v] = value.String() == yes
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
