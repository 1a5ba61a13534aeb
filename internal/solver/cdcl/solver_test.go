package cdcl

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/linsat/linsat/internal/verify/clausal"
)

// formulaOf turns clauses into a formula of the verifier.
func formulaOf(vars int, clauses [][]int32) *clausal.Formula {
	f := clausal.NewFormula()
	f.Fresh(int32(vars))
	for _, c := range clauses {
		f.Add("", clausal.By(), c...)
	}
	return f
}

// satisfiable tries all assignments.
func satisfiable(vars int, clauses [][]int32) bool {
	for m := range 1 << vars {
		if !slices.ContainsFunc(clauses, func(c []int32) bool {
			return !slices.ContainsFunc(c, func(l int32) bool { return (m>>(variable(l)-1)&1 == 1) == (l > 0) })
		}) {
			return true
		}
	}
	return false
}

// TestRefutationsAreProved compares random formulas with all their assignments, and has the
// verifier check every refutation.
func TestRefutationsAreProved(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	refuted := 0
	for range 6000 {
		vars := 1 + rng.IntN(10)
		var clauses [][]int32
		for range rng.IntN(6*vars + 1) {
			var c []int32
			for range rng.IntN(4) + rng.IntN(2) {
				c = append(c, int32(1+rng.IntN(vars))*int32(1-2*rng.IntN(2)))
			}
			clauses = append(clauses, c)
		}
		f := formulaOf(vars, clauses)
		status, lemmas, model := Refute(context.Background(), f)
		if satisfiable(vars, clauses) {
			require.Equal(t, Satisfied, status, "%v", clauses)
			for _, c := range clauses {
				require.True(t, slices.ContainsFunc(c, func(l int32) bool { return model[variable(l)] == (l > 0) }))
			}
			continue
		}
		refuted++
		require.Equal(t, Refuted, status, "%v", clauses)
		require.NoError(t, f.Check(context.Background(), lemmas), "%v", clauses)
	}
	require.Greater(t, refuted, 1000)
}

// TestPigeonholesAreRefuted needs restarts and many learned clauses.
func TestPigeonholesAreRefuted(t *testing.T) {
	const holes = 7
	at := func(p, h int) int32 { return int32(p*holes + h + 1) }
	var clauses [][]int32
	for p := range holes + 1 {
		var some []int32
		for h := range holes {
			some = append(some, at(p, h))
			for q := range p {
				clauses = append(clauses, []int32{-at(p, h), -at(q, h)})
			}
		}
		clauses = append(clauses, some)
	}
	f := formulaOf(holes*(holes+1), clauses)
	status, lemmas, _ := Refute(context.Background(), f)
	require.Equal(t, Refuted, status)
	require.NoError(t, f.Check(context.Background(), lemmas))
	done, stop := context.WithCancel(context.Background())
	stop()
	status, _, _ = Refute(done, f)
	require.Equal(t, Stopped, status)
}

// TestFormulasAreNotReadPastTheLimit: a context that is done ends the reading of a formula.
func TestFormulasAreNotReadPastTheLimit(t *testing.T) {
	over, cancel := context.WithCancel(t.Context())
	cancel()
	status, lemmas, _ := Refute(over, formulaOf(1, [][]int32{{1}, {-1}}))
	require.Equal(t, Stopped, status)
	require.Empty(t, lemmas)
}
