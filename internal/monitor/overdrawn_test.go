package monitor

import (
	"math/rand/v2"
	"testing"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/gen"
	"github.com/linsat/linsat/internal/gen/randomspec"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/oracle"
	"github.com/linsat/linsat/internal/proof"
	"github.com/linsat/linsat/internal/verify"
	"github.com/stretchr/testify/require"
)

// TestOverdrawnCollectionsAreRefuted compares what counting refutes with brute force and with the
// verifier. Of unordered queues without peeks and empty results it decides everything.
func TestOverdrawnCollectionsAreRefuted(t *testing.T) {
	for _, name := range []string{"queue", "stack", "priority-queue", "unordered-queue", "deque", "bounded-queue"} {
		rules, exact := map[proof.CollectionRule]int{}, 0
		for seed := range uint64(sample(40_000)) {
			rng := rand.New(rand.NewPCG(seed, 41))
			h, err := gen.Small(name, seed, gen.SmallOptions{Values: 1 + rng.IntN(3), NoEdges: true, Keys: 1})
			require.NoError(t, err)
			b := bindTo(t, name, h)
			theory := b.Taken()
			if theory == nil {
				continue
			}
			flaw := overdrawn(b, theory)
			want, _ := oracle.Linearizable(b)
			if flaw != nil {
				rules[flaw.Rule]++
				require.False(t, want, "%s seed %d: %v", name, seed, flaw)
				require.NoError(t, verify.Collection(b, flaw), "%s seed %d: %v", name, seed, flaw)
				continue
			}
			simple := name == "unordered-queue" && len(b.Partition.Edges) == 0
			for i := range theory.Does {
				done := !b.Partition.Ops[i].Pending()
				simple = simple && theory.Does[i] != model.Peek && (theory.Value[i] >= 0 || !done)
			}
			if simple {
				exact++
				require.True(t, want, "%s seed %d\n%s", name, seed, randomspec.Show(b.Partition))
			}
		}
		t.Log(name, rules, exact)
		require.Greater(t, rules[proof.Overdrawn], sample(400))
		if name == "unordered-queue" {
			require.Greater(t, exact, sample(400))
		}
	}
}

// TestOverdrawnNamesTheFirstRemovalTooMany: three removals of a value that is inserted twice.
func TestOverdrawnNamesTheFirstRemovalTooMany(t *testing.T) {
	b := bindEvents(t, "stack", nil, nil, []collectionEvent{{model.Insert, 1, 0, 1}, {model.Remove, 1, 2, 3},
		{model.Insert, 1, 4, 5}, {model.Remove, 1, 6, 7}, {model.Remove, 1, 8, 9}})
	flaw := decideCollection(t, b).Proof.(*proof.CollectionConflict)
	require.Equal(t, proof.Overdrawn, flaw.Rule)
	require.Equal(t, history.OpID(4), flaw.Op)
	flaw.Op = 3
	require.ErrorContains(t, verify.Collection(b, flaw), "as often")
}
