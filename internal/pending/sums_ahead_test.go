package pending

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/gen"
	"github.com/linsat/linsat/internal/layout"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/specs"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/linsat/linsat/internal/wgl"
	"github.com/stretchr/testify/require"
)

// TestSumsAheadChangeNoVerdict searches histories of a bank with and without looking at what the
// next read needs: the verdict is the same, and many searches visit fewer nodes.
func TestSumsAheadChangeNoVerdict(t *testing.T) {
	yes, no, fewer := 0, 0, 0
	violations := append(gen.Violations(), gen.NoViolation, gen.NoViolation, gen.NoViolation)
	for seed := range uint64(testenv.Scale(1500, 100_000)) {
		rng := rand.New(rand.NewPCG(seed, 59))
		c, err := gen.Generate(gen.Options{Spec: "bank", Operations: 8 + rng.IntN(14), Processes: 3 + rng.IntN(5),
			Initial:     rng.IntN(2) == 0,
			PendingRate: float64(rng.IntN(2)) / 10, Violation: violations[rng.IntN(len(violations))], Seed: seed})
		if err != nil { // a violation that this history has no place for
			continue
		}
		b, err := specs.Bank().Bind(model.Whole(c.History))
		require.NoError(t, err)
		search := func(ahead bool) (wgl.Outcome, int64) {
			begin := wgl.NewRun
			if ahead {
				begin = NewRun
			}
			r := begin(layout.New(b, b.Partition.Len()), engine.Account{Ctx: context.Background(),
				Limit: math.MaxInt64})
			defer r.Close()
			return r.Search(), r.Nodes
		}
		want, nodes := search(false)
		got, visited := search(true)
		require.Equal(t, want, got, "seed %d", seed)
		require.LessOrEqual(t, visited, nodes+nodes/4+8, "seed %d", seed)
		if visited < nodes {
			fewer++
		}
		if got == wgl.Found {
			yes++
		} else {
			no++
		}
	}
	t.Log(yes, no, fewer)
	require.Greater(t, min(yes, no, fewer), testenv.Scale(100, 10_000))
}
