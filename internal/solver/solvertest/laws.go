package solvertest

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/linsat/linsat/internal/testenv"
	"github.com/linsat/linsat/solver"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// prompt is how late a stopped Solve may return.
const prompt = 30 * time.Millisecond

// Run checks that the solvers a factory makes obey the laws of solver.Solver, in subtests named
// after them.
func Run(t *testing.T, factory func() solver.Solver) { RunSample(t, factory, 1) }

// RunSample is Run for backends that take milliseconds to answer the smallest question, such as
// other processes: it compares one formula in oneIn with brute force, and checks the other laws as
// Run does.
func RunSample(t *testing.T, factory func() solver.Solver, oneIn uint64) {
	for _, law := range []struct {
		name  string
		check func(*testing.T, func() solver.Solver)
	}{
		{"incremental against brute force", func(t *testing.T, f func() solver.Solver) { incremental(t, f, oneIn) }},
		{"one shot against brute force", func(t *testing.T, f func() solver.Solver) { oneShot(t, f, oneIn) }},
		{"interrupted, then asked again", interrupted},
		{"stops in time", stopsInTime},
		{"done before it starts", doneBefore},
		{"empty formula and unmentioned variables", unmentioned},
		{"empty clause", emptyClause},
		{"duplicates and tautologies", degenerate},
		{"contradictory assumptions", contradictory},
		{"model outlives additions", modelStays},
		{"clauses are not kept", notKept},
		{"fresh variables", freshVars},
		{"invalid literals", invalid},
		{"counts", counts},
		{"independent of each other", func(t *testing.T, f func() solver.Solver) { independent(t, f, oneIn) }},
	} {
		t.Run(law.name, func(t *testing.T) { law.check(t, factory) })
	}
}

func times(fast int) uint64 {
	if testenv.Full() {
		return uint64(10 * fast)
	}
	return uint64(fast)
}

// Pigeonhole adds clauses over fresh variables that put n+1 pigeons into n holes, each alone, which
// is unsatisfiable and hard. With guards, the clauses hold only if all guards are true.
func Pigeonhole(s solver.Solver, n int, guards ...solver.Lit) {
	var off []solver.Lit
	for _, g := range guards {
		off = append(off, g.Not())
	}
	first := s.Reserve(n * (n + 1))
	sits := func(pigeon, hole int) solver.Lit { return first + solver.Lit(pigeon*n+hole) }
	for p := range n + 1 {
		clause := append([]solver.Lit(nil), off...)
		for h := range n {
			clause = append(clause, sits(p, h))
		}
		s.Add(clause)
		for q := range p {
			for h := range n {
				s.Add(append([]solver.Lit{sits(p, h).Not(), sits(q, h).Not()}, off...))
			}
		}
	}
}

// checked is a solver and brute force, which get the same queries.
type checked struct {
	t     *testing.T
	seed  uint64
	s     solver.Solver
	brute brute
	sat   int
	unsat int
}

func (c *checked) add(clause []solver.Lit) {
	c.s.Add(clause)
	c.brute.add(clause)
}

// solve asks for an answer and checks it: a model must satisfy all there is, failed assumptions
// must be refuted by brute force. Either proves the answer.
func (c *checked) solve(ctx context.Context, assumptions ...solver.Lit) solver.Status {
	status := c.s.Solve(ctx, assumptions...)
	c.judge(status, assumptions)
	return status
}

func (c *checked) judge(status solver.Status, assumptions []solver.Lit) {
	t := c.t
	switch status {
	case solver.Satisfiable:
		c.sat++
		require.NoError(t, c.s.Err())
		require.Nil(t, c.s.Failed())
		var a uint32
		for v := 1; v <= c.brute.vars; v++ {
			require.NotEqual(t, c.s.Value(solver.Lit(v)), c.s.Value(solver.Lit(-v)), "seed %d: variable %d", c.seed, v)
			if c.s.Value(solver.Lit(v)) {
				a |= 1 << (v - 1)
			}
		}
		require.True(t, c.brute.holds(a), "seed %d: model %b breaks a clause", c.seed, a)
		for _, l := range assumptions {
			require.True(t, c.s.Value(l), "seed %d: assumption %d is false", c.seed, l)
		}
	case solver.Unsatisfiable:
		c.unsat++
		require.NoError(t, c.s.Err())
		failed := c.s.Failed()
		require.Subset(t, assumptions, failed, "seed %d", c.seed)
		require.False(t, c.brute.satisfiable(failed), "seed %d: failed %v of %v are satisfiable", c.seed,
			failed, assumptions)
		require.False(t, c.s.Value(1) || c.s.Value(-1), "seed %d: a model without one", c.seed)
	default:
		require.Error(t, c.s.Err(), "seed %d", c.seed)
		require.Nil(t, c.s.Failed())
		require.False(t, c.s.Value(1) || c.s.Value(-1), "seed %d: a model without one", c.seed)
	}
}

// randomClause has 1 to 4 literals, and now and then none, repetitions or a literal with its
// opposite.
func randomClause(r *rand.Rand, vars int) []solver.Lit {
	n := 1 + r.IntN(4)
	if r.IntN(400) == 0 {
		n = 0
	}
	if n == 1 && r.IntN(3) > 0 {
		n = 3
	}
	return randomLits(r, n, vars)
}

func randomLits(r *rand.Rand, n, vars int) []solver.Lit {
	lits := make([]solver.Lit, n)
	for i := range lits {
		lits[i] = solver.Lit(1 + r.IntN(vars))
		if r.IntN(2) == 0 {
			lits[i] = lits[i].Not()
		}
	}
	return lits
}

// incremental interleaves additions with solves under random assumptions, some of them stopped,
// until well after the formula has become unsatisfiable, where errors of solvers with state are
// most likely.
func incremental(t *testing.T, factory func() solver.Solver, oneIn uint64) {
	over, cancel := context.WithCancel(context.Background())
	cancel()
	sat, unsat := 0, 0
	for seed := range times(2000) / oneIn {
		r := rand.New(rand.NewPCG(seed, 1))
		c := &checked{t: t, seed: seed, s: factory()}
		c.brute.vars = 1 + r.IntN(10)
		after := 0
		for after < 8 {
			for range r.IntN(1 + 2*c.brute.vars) {
				c.add(randomClause(r, c.brute.vars))
			}
			ctx, stop := context.WithTimeout(context.Background(), time.Hour)
			if r.IntN(8) == 0 {
				require.Equal(t, solver.Unknown, c.solve(over, randomLits(r, r.IntN(3), c.brute.vars)...))
			}
			for range 1 + r.IntN(4) {
				assumptions := randomLits(r, r.IntN(5), c.brute.vars)
				if r.IntN(2) == 0 {
					ctx = context.Background()
				}
				require.NotEqual(t, solver.Unknown, c.solve(ctx, assumptions...), "seed %d", seed)
			}
			stop()
			if !c.brute.satisfiable(nil) || len(c.brute.clauses) > 12*c.brute.vars {
				after++
			}
		}
		sat, unsat = sat+c.sat, unsat+c.unsat
	}
	t.Logf("%d satisfiable, %d unsatisfiable answers", sat, unsat)
	require.Positive(t, sat)
	require.Positive(t, unsat)
}

// oneShot decides formulas around the point where half of them are satisfiable.
func oneShot(t *testing.T, factory func() solver.Solver, oneIn uint64) {
	sat, unsat := 0, 0
	for seed := range times(2000) / oneIn {
		r := rand.New(rand.NewPCG(seed, 2))
		c := &checked{t: t, seed: seed, s: factory()}
		c.brute.vars = 3 + r.IntN(9)
		for range c.brute.vars * 43 / 10 {
			c.add(randomLits(r, 3, c.brute.vars))
		}
		require.NotEqual(t, solver.Unknown, c.solve(context.Background()), "seed %d", seed)
		sat, unsat = sat+c.sat, unsat+c.unsat
	}
	t.Logf("%d satisfiable, %d unsatisfiable answers", sat, unsat)
	require.Positive(t, sat)
	require.Positive(t, unsat)
}

// interrupted stops a hard query, and then asks easy ones and adds clauses, over and over.
func interrupted(t *testing.T, factory func() solver.Solver) {
	stopped := 0
	for seed := range times(6) {
		r := rand.New(rand.NewPCG(seed, 3))
		c := &checked{t: t, seed: seed, s: factory()}
		c.brute.vars = 9
		hard := c.s.Reserve(c.brute.vars) + solver.Lit(c.brute.vars)
		require.Equal(t, hard, c.s.NewVar())
		Pigeonhole(c.s, 11, hard)
		for range 12 {
			for range r.IntN(6) {
				c.add(randomLits(r, 3, c.brute.vars))
			}
			ctx, cancel := context.WithTimeout(context.Background(), time.Duration(r.IntN(8000))*time.Microsecond)
			assumptions := append(randomLits(r, r.IntN(3), c.brute.vars), hard)
			switch c.s.Solve(ctx, assumptions...) {
			case solver.Unknown:
				stopped++
				require.ErrorIs(t, c.s.Err(), context.DeadlineExceeded)
				require.False(t, c.s.Value(1) || c.s.Value(-1))
			case solver.Unsatisfiable:
				require.Subset(t, assumptions, c.s.Failed())
			default:
				require.Fail(t, "satisfiable", "seed %d: eleven holes for twelve pigeons", seed)
			}
			cancel()
			assumptions = append(randomLits(r, r.IntN(4), c.brute.vars), hard.Not())
			require.NotEqual(t, solver.Unknown, c.solve(context.Background(), assumptions...), "seed %d", seed)
		}
	}
	t.Logf("stopped %d times", stopped)
	require.Positive(t, stopped)
}

// stopsInTime measures how late Solve returns on formulas it cannot decide. The machine may be busy
// with other things for longer than that, so each case has twenty attempts for one in time.
func stopsInTime(t *testing.T, factory func() solver.Solver) {
	for _, n := range []int{10, 11, 12} {
		s := factory()
		Pigeonhole(s, n)
		for _, after := range []time.Duration{0, 3 * time.Millisecond, 60 * time.Millisecond} {
			for _, deadline := range []bool{true, false} {
				least := time.Duration(math.MaxInt64)
				for try := 0; try < 20 && least > prompt; try++ {
					ctx, cancel := context.WithCancel(context.Background())
					if deadline {
						ctx, cancel = context.WithTimeout(context.Background(), after)
					} else {
						time.AfterFunc(after, cancel)
					}
					start := time.Now()
					status := s.Solve(ctx)
					least = min(least, time.Since(start)-after)
					cancel()
					if status == solver.Unsatisfiable {
						break // decided in time; so are the queries that follow
					}
					require.Equal(t, solver.Unknown, status)
					require.ErrorIs(t, s.Err(), ctx.Err())
				}
				assert.LessOrEqual(t, least, prompt, "pigeonhole %d stopped after %v, by deadline %v", n,
					after, deadline)
			}
		}
	}
}

func doneBefore(t *testing.T, factory func() solver.Solver) {
	cause := errors.New("enough")
	ctx, cancel := context.WithCancelCause(context.Background())
	cancel(cause)
	s := factory()
	s.Add([]solver.Lit{1})
	require.Equal(t, solver.Unknown, s.Solve(ctx))
	require.ErrorIs(t, s.Err(), cause)
	require.Equal(t, solver.Satisfiable, s.Solve(context.Background()))
	require.NoError(t, s.Err())
	s.Add([]solver.Lit{-1})
	require.Equal(t, solver.Unsatisfiable, s.Solve(context.Background()))
	require.Equal(t, solver.Unknown, s.Solve(ctx))
	require.Equal(t, solver.Unsatisfiable, s.Solve(context.Background()))
}

func unmentioned(t *testing.T, factory func() solver.Solver) {
	s := factory()
	require.False(t, s.Value(1) || s.Value(-1))
	require.Nil(t, s.Failed())
	require.NoError(t, s.Err())
	require.Equal(t, solver.Satisfiable, s.Solve(context.Background()))
	require.False(t, s.Value(1))
	require.True(t, s.Value(-1))
	last := s.Reserve(1000) + 999
	s.Add([]solver.Lit{3, -7})
	for _, assumptions := range [][]solver.Lit{nil, {7}, {500}, {-600, 1200}} {
		require.Equal(t, solver.Satisfiable, s.Solve(context.Background(), assumptions...))
		require.True(t, s.Value(3) || s.Value(-7))
		for _, l := range assumptions {
			require.True(t, s.Value(l))
			require.False(t, s.Value(l.Not()))
		}
		for _, l := range []solver.Lit{last - 2, last, 5000, 1 << 20, math.MaxInt32} {
			require.NotEqual(t, s.Value(l), s.Value(l.Not()), "%d", l)
		}
	}
	require.False(t, s.Value(1<<20))
}

func emptyClause(t *testing.T, factory func() solver.Solver) {
	for _, before := range []bool{false, true} {
		s := factory()
		s.Add([]solver.Lit{1, 2})
		if before {
			require.Equal(t, solver.Satisfiable, s.Solve(context.Background(), -1))
		}
		s.Add(nil)
		for range 3 {
			require.Equal(t, solver.Unsatisfiable, s.Solve(context.Background(), 1, 2))
			require.Empty(t, s.Failed())
			require.Equal(t, solver.Unsatisfiable, s.Solve(context.Background()))
			s.Add([]solver.Lit{2, 3})
			s.NewVar()
		}
	}
}

func degenerate(t *testing.T, factory func() solver.Solver) {
	s := factory()
	s.Add([]solver.Lit{1, -1})
	s.Add([]solver.Lit{2, 3, -2, 3, 2})
	s.Add([]solver.Lit{4, 4, 4})
	s.Add([]solver.Lit{-4, 5, -4, 5})
	require.Equal(t, solver.Satisfiable, s.Solve(context.Background(), -1, -3, 2, 2))
	require.True(t, s.Value(4) && s.Value(5) && s.Value(2) && s.Value(-1) && s.Value(-3))
	require.Equal(t, solver.Unsatisfiable, s.Solve(context.Background(), 1, -5, -5))
	require.Contains(t, s.Failed(), solver.Lit(-5))
	require.Subset(t, []solver.Lit{1, -5}, s.Failed())
	s.Add([]solver.Lit{-5, -5})
	require.Equal(t, solver.Unsatisfiable, s.Solve(context.Background(), 1))
	require.Equal(t, solver.Unsatisfiable, s.Solve(context.Background()))
	require.Empty(t, s.Failed())
}

func contradictory(t *testing.T, factory func() solver.Solver) {
	s := factory()
	s.Add([]solver.Lit{1, 2})
	for range 3 {
		for _, l := range []solver.Lit{1, 40} {
			require.Equal(t, solver.Unsatisfiable, s.Solve(context.Background(), 2, l, 3, l.Not()))
			require.ElementsMatch(t, []solver.Lit{l, l.Not()}, s.Failed())
			require.Equal(t, solver.Satisfiable, s.Solve(context.Background(), l, -2))
		}
		s.Add([]solver.Lit{1, 3})
	}
}

func modelStays(t *testing.T, factory func() solver.Solver) {
	s := factory()
	s.Add([]solver.Lit{1, 2})
	require.Equal(t, solver.Satisfiable, s.Solve(context.Background(), -1))
	s.Add([]solver.Lit{1, 3})
	s.Add([]solver.Lit{-2})
	s.NewVar()
	require.True(t, s.Value(-1) && s.Value(2) && !s.Value(1) && !s.Value(-2))
	require.Equal(t, solver.Satisfiable, s.Solve(context.Background()))
	require.True(t, s.Value(1) && s.Value(-2))
}

func notKept(t *testing.T, factory func() solver.Solver) {
	s := factory()
	buf := []solver.Lit{1, 2}
	s.Add(buf)
	buf[0], buf[1] = 3, 4
	assumptions := []solver.Lit{-1, -2}
	require.Equal(t, solver.Unsatisfiable, s.Solve(context.Background(), assumptions...))
	assumptions[0], assumptions[1] = 5, 6
	failed := s.Failed()
	require.ElementsMatch(t, []solver.Lit{-1, -2}, failed)
	failed[0] = 7
	require.ElementsMatch(t, []solver.Lit{-1, -2}, s.Failed())
}

func freshVars(t *testing.T, factory func() solver.Solver) {
	s := factory()
	require.Equal(t, solver.Lit(1), s.NewVar())
	require.Equal(t, solver.Lit(2), s.Reserve(5))
	require.Equal(t, solver.Lit(7), s.NewVar())
	s.Add([]solver.Lit{-20, 3})
	require.Equal(t, solver.Lit(21), s.NewVar())
	require.Equal(t, solver.Satisfiable, s.Solve(context.Background(), 300))
	require.Equal(t, solver.Lit(301), s.NewVar())
	require.Equal(t, 301, s.Stats().Vars)
}

func invalid(t *testing.T, factory func() solver.Solver) {
	s := factory()
	s.Add([]solver.Lit{1, 2})
	require.Panics(t, func() { s.Add([]solver.Lit{-1, 0, 3}) })
	require.Panics(t, func() { s.Add([]solver.Lit{-1, math.MinInt32}) })
	require.Panics(t, func() { s.Solve(context.Background(), -2, 0) })
	require.Equal(t, solver.Satisfiable, s.Solve(context.Background(), 1), "nothing of a refused call may stay behind")
	require.Equal(t, solver.Unsatisfiable, s.Solve(context.Background(), -2, -1))
}

func counts(t *testing.T, factory func() solver.Solver) {
	s := factory()
	s.Add([]solver.Lit{1, -2, 9})
	s.Add([]solver.Lit{1, -1})
	s.Add([]solver.Lit{1, -2, 9})
	s.Solve(context.Background())
	s.Solve(context.Background(), -1)
	st := s.Stats()
	require.Equal(t, 9, st.Vars)
	require.Equal(t, int64(3), st.Clauses)
	require.Equal(t, int64(2), st.Solves)
}

// independent runs several solvers concurrently, which must not share state. It finds most under
// the race detector.
func independent(t *testing.T, factory func() solver.Solver, oneIn uint64) {
	var wg sync.WaitGroup
	for worker := range uint64(4) {
		wg.Add(1)
		go func() {
			defer wg.Done()
			r := rand.New(rand.NewPCG(worker, 4))
			for range max(10, 100/oneIn) {
				s, b := factory(), brute{vars: 8}
				for range 34 {
					clause := randomLits(r, 3, 8)
					s.Add(clause)
					b.add(clause)
				}
				ctx, cancel := context.WithTimeout(context.Background(), time.Hour)
				got := s.Solve(ctx)
				assert.Equal(t, b.satisfiable(nil), got == solver.Satisfiable, "answer %v: %v", got, s.Err())
				cancel()
			}
		}()
	}
	wg.Wait()
}
