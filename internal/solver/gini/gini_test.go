package gini_test

import (
	"bytes"
	"context"
	"math/rand/v2"
	"os"
	"os/exec"
	"testing"
	"time"

	"github.com/linsat/linsat/internal/solver/clauses"
	"github.com/linsat/linsat/internal/solver/gini"
	"github.com/linsat/linsat/internal/solver/solvertest"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/linsat/linsat/solver"
	"github.com/stretchr/testify/require"
)

func factory() solver.Solver { return gini.New() }

func TestLaws(t *testing.T) { solvertest.Run(t, factory) }

func TestLawsSized(t *testing.T) {
	solvertest.Run(t, func() solver.Solver { return gini.NewSized(4, 10) })
}

func clauses3(r *rand.Rand, n, vars int) [][]solver.Lit {
	all := make([][]solver.Lit, n)
	for i := range all {
		for range 3 {
			l := solver.Lit(1 + r.IntN(vars))
			if r.IntN(2) == 0 {
				l = l.Not()
			}
			all[i] = append(all[i], l)
		}
	}
	return all
}

func model(s solver.Solver) []bool {
	m := make([]bool, s.Stats().Vars+1)
	for v := 1; v < len(m); v++ {
		m[v] = s.Value(solver.Lit(v))
	}
	return m
}

// The result is a function of the calls, whether a context can stop the solve or not, and whatever
// the clock does.
func TestDeterministic(t *testing.T) {
	models := 0
	for seed := range uint64(12) {
		all := clauses3(rand.New(rand.NewPCG(seed, 1)), 600, 150)
		var first []bool
		for run := range 4 {
			s := factory()
			for i, c := range all {
				s.Add(c)
				if i == 300 {
					require.Equal(t, solver.Satisfiable, s.Solve(context.Background(), 7))
				}
			}
			ctx, cancel := context.WithCancel(context.Background())
			if run%2 == 0 {
				ctx = context.Background()
			}
			status := s.Solve(ctx)
			cancel()
			require.NotEqual(t, solver.Unknown, status)
			got := append(model(s), status == solver.Satisfiable)
			if run == 0 {
				first = got
				if status == solver.Satisfiable {
					models++
				}
			}
			require.Equal(t, first, got, "seed %d, run %d", seed, run)
		}
	}
	require.Positive(t, models)
}

// Formulas that take thousands of conflicts, so that clauses are learned, collected and moved
// between solves, and solves are stopped in between: a model must satisfy every clause, failed
// assumptions and refutations must stand up to a solver that saw only them, fresh.
func TestLargerIncremental(t *testing.T) {
	seeds := uint64(3)
	if testenv.Full() {
		seeds = 25
	}
	sat, unsat, stopped := 0, 0, 0
	for seed := range seeds {
		r := rand.New(rand.NewPCG(seed, 2))
		const vars = 160
		s := factory()
		var all [][]solver.Lit
		add := func(n int) {
			for _, c := range clauses3(r, n, vars) {
				s.Add(c)
				all = append(all, c)
			}
		}
		fresh := func(assumptions []solver.Lit) solver.Status {
			f := factory()
			for _, c := range all {
				f.Add(c)
			}
			for _, l := range assumptions {
				f.Add([]solver.Lit{l})
			}
			return f.Solve(context.Background())
		}
		add(560)
		for range 30 {
			add(r.IntN(14))
			var assumptions []solver.Lit
			for _, c := range clauses3(r, r.IntN(3), vars) {
				assumptions = append(assumptions, c...)
			}
			ctx, cancel := context.WithTimeout(context.Background(), time.Duration(r.IntN(3000))*time.Microsecond)
			status := s.Solve(ctx, assumptions...)
			cancel()
			if status == solver.Unknown {
				stopped++
				status = s.Solve(context.Background(), assumptions...)
			}
			switch status {
			case solver.Satisfiable:
				sat++
				for _, c := range all {
					require.True(t, holds(s, c), "seed %d: %v", seed, c)
				}
				for _, l := range assumptions {
					require.True(t, s.Value(l), "seed %d", seed)
				}
			case solver.Unsatisfiable:
				unsat++
				require.Subset(t, assumptions, s.Failed())
				require.Equal(t, solver.Unsatisfiable, fresh(s.Failed()), "seed %d: failed %v", seed, s.Failed())
			default:
				require.Fail(t, "no answer", "seed %d", seed)
			}
		}
	}
	t.Logf("%d satisfiable, %d unsatisfiable, %d stopped", sat, unsat, stopped)
	require.Positive(t, sat)
	require.Positive(t, unsat)
	require.Positive(t, stopped)
}

func holds(s solver.Solver, clause []solver.Lit) bool {
	for _, l := range clause {
		if s.Value(l) {
			return true
		}
	}
	return false
}

// On a big formula gini does not look at the stop signal for long; Solve must return all the same,
// and what comes after it must wait for the straggler and be right.
func TestStopsBigFormula(t *testing.T) {
	vars, n := 200_000, 1_000_000
	if testenv.Full() {
		vars, n = 1_000_000, 5_000_000
	}
	r := rand.New(rand.NewPCG(1, 3))
	s := gini.NewSized(vars, n)
	s.Reserve(vars)
	for range n { // all true satisfies it
		base := r.IntN(vars - 64)
		a, b, c := base+r.IntN(20), base+20+r.IntN(20), base+40+r.IntN(20)
		s.Add([]solver.Lit{solver.Lit(a + 1), solver.Lit(b + 1), solver.Lit(-c - 1)})
	}
	stopped := 0
	for _, after := range []time.Duration{0, time.Millisecond, 10 * time.Millisecond} {
		least := time.Hour
		// the machine may be busy with other things
		for try := 0; try < 20 && least > 30*time.Millisecond; try++ {
			s.Add([]solver.Lit{1, -1}) // waits for the last straggler
			ctx, cancel := context.WithTimeout(context.Background(), after)
			start := time.Now()
			status := s.Solve(ctx)
			late := time.Since(start) - after
			cancel()
			t.Logf("deadline %v: %v, %v late", after, status, late)
			least = min(least, late)
			if status == solver.Unknown {
				stopped++
				require.ErrorIs(t, s.Err(), context.DeadlineExceeded)
			}
		}
		require.LessOrEqual(t, least, 30*time.Millisecond)
	}
	require.Positive(t, stopped)
	s.Add([]solver.Lit{5})
	s.Add([]solver.Lit{-6, -5})
	require.Equal(t, solver.Satisfiable, s.Solve(context.Background()))
	require.True(t, s.Value(5) && s.Value(-6))
}

// A straggler that refutes the clauses after Solve gave up on it must not be forgotten: gini itself
// would not find the conflict again. The first propagation here is a long chain in random order,
// and gini does not look up before its end.
func TestLateRefutationsAreRemembered(t *testing.T) {
	const n = 1_000_000
	for _, assumptions := range [][]solver.Lit{nil, {n + 5}} {
		s := gini.NewSized(n+5, n+5)
		order := rand.New(rand.NewPCG(1, 5)).Perm(n)
		for i := range n - 1 {
			s.Add([]solver.Lit{-solver.Lit(order[i] + 1), solver.Lit(order[i+1] + 1)})
		}
		last := solver.Lit(order[n-1] + 1)
		s.Add([]solver.Lit{-last, n + 1, n + 2})
		s.Add([]solver.Lit{-last, n + 1, -n - 2})
		s.Add([]solver.Lit{-last, -n - 1})
		s.Add([]solver.Lit{solver.Lit(order[0] + 1)})
		ctx, cancel := context.WithTimeout(context.Background(), time.Millisecond)
		require.Equal(t, solver.Unknown, s.Solve(ctx, assumptions...))
		require.Equal(t, solver.Unknown, s.Solve(ctx), "the context is over, and the straggler may be busy")
		cancel()
		s.Add([]solver.Lit{n + 3, n + 4})
		for range 2 {
			require.Equal(t, solver.Unsatisfiable, s.Solve(context.Background(), n+3))
			require.Empty(t, s.Failed())
		}
	}
}

func TestTooLargeFormulasAreRefused(t *testing.T) {
	s := gini.New()
	s.Add([]solver.Lit{1})
	require.Equal(t, solver.Unknown, s.Solve(context.Background(), gini.MaxVars+1))
	require.ErrorIs(t, s.Err(), clauses.ErrTooLarge)
	require.Equal(t, solver.Satisfiable, s.Solve(context.Background(), 1), "the formula is not too large without it")
	s.Add([]solver.Lit{1, gini.MaxVars + 1})
	for range 2 {
		require.Equal(t, solver.Unknown, s.Solve(context.Background()))
		require.ErrorIs(t, s.Err(), clauses.ErrTooLarge)
		s.Add([]solver.Lit{1, 2})
	}
	s.Add(nil)
	require.Equal(t, solver.Unsatisfiable, s.Solve(context.Background()))
	require.NoError(t, s.Err())
}

// A chain of implications as long as allowed must fit gini's recursion, both in blaming and in
// learning. In a process of its own, because running out of stack ends it.
func TestLongestChain(t *testing.T) {
	if !testenv.Full() {
		t.Skip("takes gigabytes of memory: LINSAT_FULL=1")
	}
	for _, what := range []string{"blame", "learn"} {
		out, err := child(t, "chain "+what)
		require.NoError(t, err, "%s: %.2000s", what, out)
	}
}

func chain(learn bool) {
	const n = gini.MaxVars - 4
	s := gini.NewSized(gini.MaxVars, gini.MaxVars)
	for i := solver.Lit(1); i < n; i++ {
		s.Add([]solver.Lit{-i, i + 1})
	}
	const y, u, w = n + 1, n + 2, n + 3
	if learn { // all of it follows from 1, then either value of y fails
		s.Add([]solver.Lit{-n, -y, u})
		s.Add([]solver.Lit{-n, -y, -u})
		s.Add([]solver.Lit{-n, y, w})
		s.Add([]solver.Lit{-n, y, -w})
	} else {
		s.Add([]solver.Lit{-n, y})
		s.Add([]solver.Lit{-n, -y})
	}
	if s.Solve(context.Background(), 1) != solver.Unsatisfiable || len(s.Failed()) != 1 {
		os.Exit(3)
	}
}

// child runs this test binary again to do the named thing, and returns what it wrote.
func child(t *testing.T, what string) (string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, os.Args[0], "-test.run=^$")
	cmd.Env = append(os.Environ(), "LINSAT_GINI_CHILD="+what)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	err := cmd.Run()
	require.NoError(t, ctx.Err())
	return out.String(), err
}

func TestMain(m *testing.M) {
	switch os.Getenv("LINSAT_GINI_CHILD") {
	case "":
		os.Exit(m.Run())
	case "chain blame":
		chain(false)
	case "chain learn":
		chain(true)
	case "refuted twice":
		refutedTwice()
	case "refuted, added to":
		refutedAddedTo()
	case "stack":
		stackOverflow()
	default:
		os.Exit(2)
	}
}
