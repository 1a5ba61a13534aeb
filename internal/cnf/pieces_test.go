package cnf

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/solver/solvertest"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/linsat/linsat/solver"
	"github.com/stretchr/testify/require"
)

// Random formulas of clauses of neighbours and of any variables, whatever operations the variables
// belong to: what pieces answer is what a solver answers of the whole, and a model is one. What is
// added or assumed afterwards holds, too.
func TestPiecesDecideAsTheWholeDoes(t *testing.T) {
	var count [2]int
	repaired := 0
	for seed := range uint64(testenv.Scale(3000, 200_000)) {
		r := rand.New(rand.NewPCG(seed, 1))
		n := history.OpID(4 + r.IntN(12))
		whole, made := solvertest.NewDPLL(), 0
		p := newPieces(func() solver.Solver { made++; return solvertest.NewDPLL() }, n, history.OpID(1+r.IntN(4)))
		vars := 4 + r.IntN(13)
		p.Reserve(vars)
		whole.Reserve(vars)
		for v := range vars {
			if r.IntN(4) > 0 {
				p.postpone(Lit(v+1), 1, history.OpID(r.IntN(int(n))))
			}
		}
		var all [][]Lit
		add := func() {
			at := r.IntN(vars)
			var c []Lit
			for range 1 + r.IntN(3) {
				v := Lit(at + 1)
				if at = (at + 1 + r.IntN(2)) % vars; r.IntN(5) == 0 {
					at = r.IntN(vars)
				}
				if r.IntN(2) == 0 {
					v = -v
				}
				c = append(c, v)
			}
			all = append(all, c)
			p.Add(c)
			whole.Add(c)
		}
		judge := func(assumed ...Lit) {
			want := whole.Solve(context.Background(), assumed...)
			got := p.Solve(context.Background(), assumed...)
			require.Equal(t, want, got, "seed %d: %v", seed, all)
			if got != solver.Satisfiable {
				count[0]++
				return
			}
			count[1]++
			for _, c := range all {
				holds := false
				for _, l := range c {
					holds = holds || p.Value(l)
				}
				require.True(t, holds, "seed %d: %v of %v", seed, c, all)
			}
			for _, l := range assumed {
				require.True(t, p.Value(l), "seed %d", seed)
			}
		}
		for range r.IntN(4 * vars) {
			add()
		}
		judge()
		if made > int((n+p.size-1)/p.size) {
			repaired++
		}
		add()
		judge()
		judge(Lit(1+r.IntN(vars)), -Lit(1+r.IntN(vars)))
	}
	require.Greater(t, repaired, testenv.MoreThan(0))
	require.Greater(t, count[0], testenv.MoreThan(0))
	require.Greater(t, count[1], testenv.MoreThan(0))
}

// A context that is done ends it.
func TestPiecesStop(t *testing.T) {
	p := newPieces(solvertest.NewDPLL, 8, 2)
	p.Add([]Lit{p.NewVar(), p.NewVar()})
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	require.Equal(t, solver.Unknown, p.Solve(ctx))
	require.ErrorIs(t, p.Err(), context.Canceled)
	require.Equal(t, solver.Satisfiable, p.Solve(context.Background()))
}
