package gini_test

import (
	"context"
	"math/rand/v2"
	"testing"
	"time"

	upstream "github.com/go-air/gini"
	"github.com/go-air/gini/z"
	"github.com/linsat/linsat/internal/solver/clauses"
	"github.com/linsat/linsat/internal/solver/gini"
	"github.com/linsat/linsat/internal/solver/solvertest"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/linsat/linsat/solver"
	"github.com/stretchr/testify/require"
)

// The tests in this file are about gini itself: that it (still) does what this package works
// around. One that fails after a new version means that a workaround may go, or must be looked at
// again.

// raw is gini without the wrapper, with the helpers that the tests here need.
func raw(clauses ...[]int) *upstream.Gini {
	g := upstream.New()
	for _, c := range clauses {
		rawAdd(g, c...)
	}
	return g
}

func rawAdd(g *upstream.Gini, clause ...int) {
	for _, l := range clause {
		g.Add(z.Dimacs2Lit(l))
	}
	g.Add(z.LitNull)
}

var square = [][]int{{1, 2}, {-1, 2}, {1, -2}, {-1, -2}}

func refutedTwice() {
	g := raw(square...)
	g.Solve()
	g.Solve()
}

func refutedAddedTo() {
	g := raw(square...)
	g.Solve()
	rawAdd(g, 3, 4)
	g.Solve()
}

func TestUpstreamDiesWhenRefutedIsAskedAgain(t *testing.T) {
	for _, what := range []string{"refuted twice", "refuted, added to"} {
		out, err := child(t, what)
		require.Error(t, err, what)
		require.Contains(t, out, "internal error in solve: sat model", what)
	}
	s := factory()
	for _, c := range square {
		s.Add([]solver.Lit{solver.Lit(c[0]), solver.Lit(c[1])})
	}
	for range 3 {
		require.Equal(t, solver.Unsatisfiable, s.Solve(context.Background()))
		s.Add([]solver.Lit{3, 4})
	}
}

// rawPigeonhole is hard enough to run until it is stopped.
func rawPigeonhole() *upstream.Gini {
	r := &clauses.Recorder{}
	solvertest.Pigeonhole(r, 11)
	g := upstream.New()
	for c := range r.Clauses() {
		for _, l := range c {
			g.Add(z.Dimacs2Lit(int(l)))
		}
		g.Add(z.LitNull)
	}
	return g
}

func TestUpstreamDeadlineSticks(t *testing.T) {
	g := rawPigeonhole()
	require.Zero(t, g.Try(time.Millisecond))
	h := g.GoSolve()
	for start := time.Now(); time.Since(start) < 2*time.Second; time.Sleep(time.Millisecond) {
		if r, ok := h.Test(); ok {
			require.Zero(t, r, "given up by the old deadline")
			return
		}
	}
	h.Stop()
	require.Fail(t, "the old deadline was forgotten")
}

func TestUpstreamStopAfterResultBlocks(t *testing.T) {
	h := raw([]int{1, 2}).GoSolve()
	require.Equal(t, 1, h.Wait())
	done := make(chan int)
	go func() { done <- h.Stop() }() // and there it stays
	select {
	case <-done:
		require.Fail(t, "it returned")
	case <-time.After(200 * time.Millisecond):
	}
}

func TestUpstreamCopyIsSlow(t *testing.T) {
	if !testenv.Full() {
		t.Skip("takes seconds: LINSAT_FULL=1")
	}
	g := upstream.New()
	for _, c := range clauses3(rand.New(rand.NewPCG(1, 4)), 950, 220) {
		for _, l := range c {
			g.Add(z.Dimacs2Lit(int(l)))
		}
		g.Add(z.LitNull)
	}
	other := g.Copy()
	start := time.Now()
	require.NotZero(t, g.Solve())
	direct := time.Since(start)
	t.Logf("original: %v", direct)
	require.Zero(t, other.Try(4*direct), "a copy is as good as the original")
}

func TestUpstreamValuePanics(t *testing.T) {
	g := raw([]int{1})
	require.Equal(t, 1, g.Solve())
	require.Panics(t, func() { g.Value(z.Dimacs2Lit(100_000)) })
}

// The stack that a chain beyond MaxVars takes: half again as many variables are too many.
func TestUpstreamStackOverflow(t *testing.T) {
	if !testenv.Full() {
		t.Skip("takes gigabytes of memory: LINSAT_FULL=1")
	}
	out, err := child(t, "stack")
	require.Error(t, err)
	require.Contains(t, out, "stack exceeds")
}

func stackOverflow() {
	const n = gini.MaxVars / 2 * 3
	g := upstream.NewVc(n+1, n+1)
	for i := 1; i < n; i++ {
		rawAdd(g, -i, i+1)
	}
	rawAdd(g, -n, n+1)
	rawAdd(g, -n, -n-1)
	g.Assume(z.Dimacs2Lit(1))
	g.Solve()
	g.Why(nil)
}
