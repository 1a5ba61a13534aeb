package search

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/gen"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/pending"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/linsat/linsat/internal/testkit"
	"github.com/linsat/linsat/internal/verify"
	"github.com/linsat/linsat/internal/wgl"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Longer ones against their partitions.
func TestMediumHistoriesAgreeWithTheirPartitions(t *testing.T) {
	yes, no, jumps := 0, 0, 0
	for seed := range uint64(testenv.Scale(300, 3000)) {
		rng := rand.New(rand.NewPCG(seed, 15))
		name := []string{"kv", "cas-register", "register", "set", "queue"}[rng.IntN(5)]
		o := gen.Options{Spec: name, Operations: 20 + rng.IntN(100), Processes: 2 + rng.IntN(5),
			Values: 2 + rng.IntN(4), Keys: 2 + rng.IntN(4), PendingRate: 0.1 * rng.Float64(), Seed: seed}
		if name == "set" {
			o.Keys = 0
		}
		if rng.IntN(3) > 0 {
			o.Violation = []gen.Violation{gen.Swap, gen.Stale, gen.Lost}[rng.IntN(3)]
		}
		c, err := gen.Generate(o)
		if err != nil { // nothing to injure
			continue
		}
		x := recorded{"", testkit.Spec(t, name), c.History, false}
		testkit.WithSeed(t, seed, func() {
			want, _ := decideAll(t, New(VerdictOnly()), x)
			b, err := x.spec.Bind(model.Whole(c.History))
			require.NoError(t, err)
			r, _ := start(context.Background(), &engine.Problem{Instance: b}, engine.NewBudget(2_000_000, 0))
			d := decide(r, pending.DefaultPlan)
			if d.Outcome == wgl.GaveUp {
				return
			}
			require.Equal(t, want, d.Outcome == wgl.Found)
			if want {
				yes++
				require.NoError(t, verify.Witness(b, d.Witness))
			} else {
				no++
			}
			jumps += int(min(r.Jumps, 1))
		})
	}
	t.Logf("%d yes, %d no, jumps in %d", yes, no, jumps)
	for _, n := range []int{yes, no, jumps} {
		assert.Greater(t, n, testenv.MoreThan(30))
	}
}
