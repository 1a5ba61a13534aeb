package monitor_test

import (
	"context"
	"testing"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/gen"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/monitor"
	"github.com/linsat/linsat/internal/oracle"
	"github.com/linsat/linsat/internal/proof"
	"github.com/linsat/linsat/internal/specs"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/linsat/linsat/internal/verify"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// What the sums of a bank refute is not linearizable by the definition, and the verifier agrees.
func TestSumsRefuteOnlyViolations(t *testing.T) {
	violations, refuted, whole, unstarted := 0, 0, 0, 0
	for seed := range uint64(testenv.Scale(8000, 200_000)) {
		h, err := gen.Small("bank", seed, gen.SmallOptions{Keys: 1, NoEdges: true})
		require.NoError(t, err)
		b, err := specs.Bank().Bind(model.Whole(h))
		require.NoError(t, err)
		a, err := monitor.New().Check(context.Background(), &engine.Problem{Instance: b}, engine.NewBudget(0, 0))
		require.NoError(t, err)
		ok, _ := oracle.Linearizable(b)
		if !ok {
			violations++
		}
		if a.Verdict == engine.Unknown {
			continue
		}
		if a.By != "sums" { // a linearization was found
			require.Equal(t, engine.Linearizable, a.Verdict)
			require.True(t, ok, "seed %d", seed)
			continue
		}
		require.Equal(t, engine.NotLinearizable, a.Verdict)
		require.False(t, ok, "seed %d", seed)
		require.NoError(t, verify.Proof(context.Background(), nil, b, a.Proof), "seed %d", seed)
		refuted++
		conflict := a.Proof.(*proof.SumConflict)
		if conflict.View == 1 {
			whole++
		}
		other := *conflict
		other.View = 99
		require.Error(t, verify.Proof(context.Background(), nil, b, &other))
		if b.View(conflict.View).NoStart { // neither a sum from the start nor axioms may use it
			other = *conflict
			other.After = proof.Initial
			require.ErrorContains(t, verify.Proof(context.Background(), nil, b, &other),
				"does not tell what it starts with")
			_, err := verify.Window(b, &proof.Weakening{Cut: history.Never, View: conflict.View})
			require.ErrorContains(t, err, "does not tell what it starts with")
			unstarted++
		}
		other.View = 0
		require.Error(t, verify.Proof(context.Background(), nil, b, &other))
	}
	t.Logf("%d of %d violations are refuted by sums, %d of them by the total", refuted, violations, whole)
	assert.Greater(t, refuted, violations/4)
	assert.Greater(t, whole, testenv.MoreThan(100))
	assert.Greater(t, unstarted, testenv.MoreThan(100))
}
