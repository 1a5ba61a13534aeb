package monitor

import (
	"context"
	"testing"

	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/gen"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/oracle"
	"github.com/linsat/linsat/internal/quasi/verify"
	"github.com/linsat/linsat/internal/specs"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/linsat/linsat/quasi"
	"github.com/stretchr/testify/require"
)

// TestRepeatedValuesAgreeWithTheDefinition compares the search with brute force, with and without
// draining, pending operations and initial contents, and replays every ρ′ and ρ″.
func TestRepeatedValuesAgreeWithTheDefinition(t *testing.T) {
	queue := specs.Queue()
	counts := map[engine.Verdict]int{}
	rounds := testenv.Scale(6_000, 200_000)
	for seed := range uint64(rounds) {
		bound := int32(seed % 4)
		h, err := gen.Small("queue", seed, gen.SmallOptions{Most: 8, NoEdges: true, Keys: 1, Values: 1 + int(seed%3),
			NoPending: seed%4 != 0, Relax: int(seed % 5)})
		require.NoError(t, err)
		b, err := queue.Bind(model.Whole(h))
		require.NoError(t, err)
		q := &quasi.Question{Factor: quasi.Factor{0, bound, 0}, Drain: seed/4%3 > 0}
		a := decideRepeated(context.Background(), &engine.Task{Instance: b, Quasi: q}, nil)
		if a.Verdict == engine.Unknown {
			continue
		}
		counts[a.Verdict]++
		want, w, x := oracle.SlotsLinearizable(b, *q)
		require.Equal(t, want, a.Verdict == engine.Linearizable, "seed %d bound %d drain %v: %v %v", seed,
			bound, q.Drain, w, x)
		if want {
			require.NoError(t, verify.Rearrangement(b, q, a.Witness, a.Rearranged, a.Drains), "seed %d: %v %v", seed,
				a.Witness, a.Rearranged)
		}
	}
	t.Log(counts)
	require.Greater(t, counts[engine.Linearizable], rounds/8)
	require.Greater(t, counts[engine.NotLinearizable], rounds/8)
}
