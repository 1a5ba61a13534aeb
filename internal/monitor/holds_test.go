package monitor

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/gen"
	"github.com/linsat/linsat/internal/gen/randomspec"
	"github.com/linsat/linsat/internal/oracle"
	"github.com/linsat/linsat/internal/proof"
	"github.com/linsat/linsat/internal/verify"
	"github.com/stretchr/testify/require"
)

// TestHoldsAgreeWithTheDefinition decides small histories of locks with owners, and compares the
// verdict with brute force and the evidence with the verifier. Complete histories without tokens
// and without explicit order are always decided.
func TestHoldsAgreeWithTheDefinition(t *testing.T) {
	for _, name := range []string{"owned-mutex", "reentrant-mutex", "fenced-mutex"} {
		rules, yes, open := map[proof.HoldRule]int{}, 0, 0
		for seed := range uint64(sample(100_000)) {
			rng := rand.New(rand.NewPCG(seed, 47))
			h, err := gen.Small(name, seed, gen.SmallOptions{NoEdges: rng.IntN(5) > 0, Keys: 1})
			require.NoError(t, err)
			b := bindTo(t, name, h)
			if b.Holding() == nil {
				continue
			}
			a := checkHolds(context.Background(), b, b.Holding())
			want, _ := oracle.Linearizable(b)
			about := func() string { return randomspec.Show(b.Partition) }
			switch a.Verdict {
			case engine.NotLinearizable:
				conflict := a.Proof.(*proof.HoldConflict)
				rules[conflict.Rule]++
				require.False(t, want, "%s seed %d: %v\n%s", name, seed, conflict, about())
				require.NoError(t, verify.Hold(b, conflict), "%s seed %d: %v\n%s", name, seed, conflict, about())
			case engine.Linearizable:
				yes++
				require.True(t, want, "%s seed %d\n%s", name, seed, about())
				require.NoError(t, verify.Witness(b, a.Witness), "%s seed %d\n%s", name, seed, about())
			default:
				open++
				complete := name != "fenced-mutex" && len(h.Edges) == 0 && a.Detail != "operations of one owner overlap"
				for i := range h.Ops {
					complete = complete && !h.Ops[i].Pending()
				}
				require.False(t, complete, "%s seed %d: %s\n%s", name, seed, a.Detail, about())
			}
		}
		t.Log(name, rules, yes, open)
		for _, rule := range []proof.HoldRule{proof.HoldOwn, proof.HoldTwice, proof.HoldNobody} {
			require.Greater(t, rules[rule], sample(500), "%s: %v", name, rule)
		}
		if name != "fenced-mutex" {
			require.Greater(t, yes, sample(1000))
		}
	}
}
