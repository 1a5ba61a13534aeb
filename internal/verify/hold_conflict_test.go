package verify_test

import (
	"math/rand/v2"
	"testing"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/gen"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/oracle"
	"github.com/linsat/linsat/internal/proof"
	"github.com/linsat/linsat/internal/specs"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/linsat/linsat/internal/verify"
	"github.com/stretchr/testify/require"
)

// TestHoldConflictsHold names random operations of small histories of locks: what the verifier
// accepts is a violation by the definition.
func TestHoldConflictsHold(t *testing.T) {
	accepted, refused := map[proof.HoldRule]int{}, map[proof.HoldRule]int{}
	for _, s := range []model.Spec{specs.OwnedMutex(), specs.ReentrantMutex(), specs.FencedMutex()} {
		for seed := range uint64(testenv.Scale(4000, 200_000)) {
			h, err := gen.Small(s.Info().Name, seed, gen.SmallOptions{Keys: 1, NoEdges: seed%3 > 0})
			require.NoError(t, err)
			b, err := s.Bind(model.Whole(h))
			require.NoError(t, err)
			rng := rand.New(rand.NewPCG(seed, 53))
			linearizable, _ := oracle.Linearizable(b)
			for range 8 {
				r := &proof.HoldConflict{Rule: proof.HoldRule(rng.IntN(4))}
				for range 1 + rng.IntN(2) {
					r.Ops = append(r.Ops, history.OpID(rng.IntN(len(h.Ops)+2)-1))
				}
				if verify.Hold(b, r) != nil {
					refused[r.Rule]++
					continue
				}
				accepted[r.Rule]++
				require.False(t, linearizable, "%s, seed %d: %v", s.Info().Name, seed, r)
			}
		}
	}
	t.Log(accepted, refused)
	for rule := proof.HoldOwn; rule <= proof.HoldNobody; rule++ {
		require.Greater(t, accepted[rule], testenv.MoreThan(20), "%v", rule)
		require.Greater(t, refused[rule], 100, "%v", rule)
	}
	require.Zero(t, accepted[proof.HoldNobody+1])
}
