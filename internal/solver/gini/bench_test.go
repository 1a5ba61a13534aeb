package gini_test

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/linsat/linsat/internal/solver/clauses"
	"github.com/linsat/linsat/internal/solver/gini"
	"github.com/linsat/linsat/internal/solver/solvertest"
	"github.com/linsat/linsat/solver"
)

// Clauses of three literals that lie near each other and move on, as an encoder emits them row by
// row.
func benchmarkAdd(b *testing.B, sized func(n int) solver.Solver) {
	const vars = 100_000
	r := rand.New(rand.NewPCG(1, 1))
	pattern := [3 * 1024]solver.Lit{}
	for i := range pattern {
		pattern[i] = solver.Lit(r.IntN(64) + 1)
		if r.IntN(2) == 0 {
			pattern[i] = -pattern[i]
		}
	}
	s := sized(b.N)
	clause := make([]solver.Lit, 3)
	b.ReportAllocs()
	b.ResetTimer()
	for i := range b.N {
		base := solver.Lit(i / 10 % vars)
		p := pattern[i%1024*3:]
		for j := range clause {
			clause[j] = shift(p[j], base)
		}
		s.Add(clause)
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds()/1e6, "Mclauses/s")
}

func shift(l, by solver.Lit) solver.Lit {
	if l < 0 {
		return l - by
	}
	return l + by
}

func BenchmarkAdd(b *testing.B) {
	b.Run("new", func(b *testing.B) { benchmarkAdd(b, func(int) solver.Solver { return gini.New() }) })
	b.Run("sized", func(b *testing.B) {
		benchmarkAdd(b, func(n int) solver.Solver { return gini.NewSized(100_064, n) })
	})
	b.Run("recorder", func(b *testing.B) { benchmarkAdd(b, func(int) solver.Solver { return &clauses.Recorder{} }) })
}

// What a solve of next to nothing costs, with and without a context that can end.
func BenchmarkSmallSolve(b *testing.B) {
	for name, ctx := range map[string]func() (context.Context, context.CancelFunc){
		"background": func() (context.Context, context.CancelFunc) { return context.Background(), func() {} },
		"cancelable": func() (context.Context, context.CancelFunc) { return context.WithCancel(context.Background()) },
	} {
		b.Run(name, func(b *testing.B) {
			c, cancel := ctx()
			defer cancel()
			s := gini.New()
			solvertest.Pigeonhole(s, 3, 100)
			for b.Loop() {
				s.Solve(c, -100)
			}
		})
	}
}
