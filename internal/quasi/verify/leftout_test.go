package verify_test

import (
	"math/rand/v2"
	"testing"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/gen"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/oracle"
	"github.com/linsat/linsat/internal/proof"
	"github.com/linsat/linsat/internal/testkit"
	"github.com/linsat/linsat/internal/verify"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Whatever may be left out of a linearizable history, the rest is linearizable: by brute force,
// with values and what counts them left out at random, the future forgotten or not, and initial
// states, pending operations and repeated values among the histories.
func TestLeavingOutKeepsLinearizability(t *testing.T) {
	rounds := uint64(6000)
	if testing.Short() {
		rounds = 600
	}
	for _, name := range []string{"deque", "bounded-queue"} {
		s := testkit.Spec(t, name)
		tried, counted, refused := 0, 0, 0
		for seed := range rounds {
			rng := rand.New(rand.NewPCG(seed, 5))
			h, err := gen.Small(name, seed, gen.SmallOptions{Least: 3, Most: 8, Keys: 1, Values: 1 + rng.IntN(4),
				NoEdges: true, NoPending: rng.IntN(2) == 0})
			require.NoError(t, err)
			b, err := s.Bind(model.Whole(h))
			require.NoError(t, err)
			yes, _ := oracle.Linearizable(b)
			moves := b.Contents()
			if !yes || moves == nil {
				continue
			}
			weakening := &proof.Weakening{Cut: history.Never, Retain: make([]proof.Retained, b.Partition.Len())}
			if rng.IntN(3) == 0 {
				weakening.Cut = history.Rank(rng.IntN(2 * b.Partition.Len()))
			}
			gone := map[int32]bool{}
			for i, v := range moves.Value {
				if _, known := gone[v]; !known {
					gone[v] = v >= 0 && rng.IntN(2) == 0
				}
				counts := b.CountsValues(history.OpID(i))
				if gone[v] || counts && rng.IntN(4) > 0 || v == model.Nothing && rng.IntN(4) == 0 && b.ReadOnly[i] {
					weakening.Retain[i] = proof.RetainNothing
				}
				if counts {
					counted++
				}
			}
			weak, _, err := verify.Left(b, weakening)
			if err != nil {
				refused++
				continue
			}
			tried++
			left, _ := oracle.Linearizable(weak)
			require.True(t, left, "%s, seed %d: %v", name, seed, weakening)
		}
		t.Logf("%s: %d tried, %d refused, %d operations that count", name, tried, refused, counted)
		assert.Greater(t, tried, int(rounds/30))
		assert.Positive(t, refused)
		if name == "bounded-queue" {
			assert.Greater(t, counted, int(rounds/100))
		}
	}
}
