package monitor

import (
	"testing"

	"github.com/linsat/linsat/internal/gen"
	"github.com/linsat/linsat/internal/gen/randomspec"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/oracle"
	"github.com/linsat/linsat/internal/verify"
	"github.com/stretchr/testify/require"
)

// TestUnorderedQueuesAgreeWithTheDefinition: without empty and unknown results, what is not
// accepted is not linearizable.
func TestUnorderedQueuesAgreeWithTheDefinition(t *testing.T) {
	accepted, refused := 0, 0
	for seed := range uint64(sample(60_000)) {
		h, err := gen.Small("unordered-queue", seed, gen.SmallOptions{Most: 5 + int(seed%6), Values: 1 + int(seed%4),
			NoEdges: true, Keys: 1, All: seed%2 == 0})
		require.NoError(t, err)
		b := bindTo(t, "unordered-queue", h)
		theory, is := b.Theory.(*model.CollectionTheory)
		if !is {
			continue
		}
		applies := len(theory.Initial) == 1 && len(b.Partition.Edges) == 0
		for i, v := range theory.Value {
			applies = applies && (v >= 0 || b.Partition.Ops[i].Pending())
		}
		a, ok := unordered(b, theory)
		want, _ := oracle.Linearizable(b)
		switch {
		case ok:
			accepted++
			require.True(t, want && applies, "seed %d\n%s", seed, randomspec.Show(b.Partition))
			require.NoError(t, verify.Witness(b, a.Witness), "seed %d\n%s", seed, randomspec.Show(b.Partition))
		case applies:
			refused++
			require.False(t, want, "seed %d\n%s", seed, randomspec.Show(b.Partition))
		}
	}
	t.Log(accepted, refused)
	require.Greater(t, accepted, sample(500))
	require.Greater(t, refused, sample(500))
}
