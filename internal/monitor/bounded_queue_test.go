package monitor

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/gen"
	"github.com/linsat/linsat/internal/gen/randomspec"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/oracle"
	"github.com/linsat/linsat/internal/proof"
	"github.com/linsat/linsat/internal/verify"
	"github.com/stretchr/testify/require"
)

// TestBoundedQueuesAreRefutedByQueues compares what a queue of unlimited capacity refutes with
// brute force and with the verifier. Where all removals returned, what it leaves open is a
// violation only if something counts: a size, or an offer that found no room or may have.
func TestBoundedQueuesAreRefutedByQueues(t *testing.T) {
	rules, repeated, uncounted := map[proof.CollectionRule]int{}, 0, 0
	for seed := range uint64(sample(200_000)) {
		rng := rand.New(rand.NewPCG(seed, 43))
		h, err := gen.Small("bounded-queue", seed, gen.SmallOptions{Values: rng.IntN(5), NoEdges: rng.IntN(5) > 0,
			Keys: 1})
		require.NoError(t, err)
		b := bindTo(t, "bounded-queue", h)
		theory := b.Taken()
		if theory == nil {
			continue
		}
		a := boundedQueue(context.Background(), b, theory, engine.NewBudget(0, 0))
		want, _ := oracle.Linearizable(b)
		if a.Verdict == engine.NotLinearizable {
			require.False(t, want, "seed %d: %v\n%s", seed, a.Proof, randomspec.Show(b.Partition))
			if a.Proof == nil {
				repeated++
				continue
			}
			flaw := a.Proof.(*proof.CollectionConflict)
			rules[flaw.Rule]++
			require.NoError(t, verify.Collection(b, flaw), "seed %d: %v\n%s", seed, flaw, randomspec.Show(b.Partition))
			continue
		}
		require.Equal(t, engine.Unknown, a.Verdict)
		decided := !h.HasInitial && len(h.Edges) == 0
		for i := range theory.Does {
			done := !b.Partition.Ops[i].Pending()
			decided = decided && (theory.Does[i] != model.Aside || !done) && theory.Value[i] != model.Anything
		}
		if decided {
			uncounted++
			require.True(t, want, "seed %d\n%s", seed, randomspec.Show(b.Partition))
		}
	}
	t.Log(rules, repeated, uncounted)
	for _, rule := range []proof.CollectionRule{proof.NeverInserted, proof.Disordered, proof.Covered, proof.Overtaken,
		proof.Overdrawn} {
		require.Positive(t, rules[rule], "rule %v", rule)
	}
	require.Greater(t, repeated, sample(400))
	require.Greater(t, uncounted, sample(400))
}
