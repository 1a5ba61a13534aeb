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

// TestGrowthConflictsHold names random operations and elements of small sets: what the verifier
// accepts is a violation by the definition.
func TestGrowthConflictsHold(t *testing.T) {
	accepted, refused := map[proof.GrowthRule]int{}, map[proof.GrowthRule]int{}
	for seed := range uint64(testenv.Scale(6000, 300_000)) {
		h, err := gen.GrowingSet(seed, 8)
		require.NoError(t, err)
		b, err := specs.Set().Bind(model.Whole(h))
		require.NoError(t, err)
		theory := model.As[*model.GrowingTheory](b)
		if theory == nil || len(theory.Values) == 0 {
			continue
		}
		rng := rand.New(rand.NewPCG(seed, 59))
		linearizable, _ := oracle.Linearizable(b)
		for range 50 {
			r := &proof.GrowthConflict{Rule: proof.GrowthRule(rng.IntN(8))}
			operations, elements := 1+rng.IntN(3), 1+rng.IntN(2)
			if rng.IntN(8) > 0 { // as many as the rule has
				operations, elements = 2, 1
				switch r.Rule {
				case proof.GrowthTwice, proof.GrowthUnadded:
					operations = 1
				case proof.GrowthIncomparable, proof.GrowthTooEarly:
					elements = 2
				case proof.GrowthCrossed:
					operations, elements = 3, 2
				}
			}
			beyond := 2 * rng.IntN(2) // the start, and what is not there
			for range operations {
				r.Ops = append(r.Ops, history.OpID(rng.IntN(len(h.Ops)+beyond)-beyond/2))
			}
			for range elements {
				r.Elements = append(r.Elements, int32(rng.IntN(len(theory.Values)+beyond)-beyond/2))
			}
			if verify.Growth(b, r) != nil {
				refused[r.Rule]++
				continue
			}
			accepted[r.Rule]++
			require.False(t, linearizable, "seed %d: %v", seed, r)
		}
	}
	t.Log(accepted, refused)
	for rule := proof.GrowthTwice; rule <= proof.GrowthTooEarly; rule++ {
		require.Greater(t, refused[rule], 100, "%v", rule)
	}
	require.Greater(t, len(accepted), testenv.MoreThan(4))
	require.Zero(t, accepted[proof.GrowthTooEarly+1])
}
