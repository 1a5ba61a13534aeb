package verify_test

import (
	"context"
	"testing"

	"github.com/linsat/linsat/internal/gen"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/oracle"
	"github.com/linsat/linsat/internal/quasi/verify"
	"github.com/linsat/linsat/internal/specs"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/linsat/linsat/quasi"
	"github.com/stretchr/testify/require"
)

// TestPairingsRefuteUnderAFactor compares the verifier of pairings with the definition.
func TestPairingsRefuteUnderAFactor(t *testing.T) {
	queue := specs.Queue()
	counts := map[bool]int{}
	rounds := testenv.Scale(5_000, 200_000)
	for seed := range uint64(rounds) {
		h, err := gen.Small("queue", seed, gen.SmallOptions{Most: 8, NoEdges: true, Keys: 1, Values: 1 + int(seed%3),
			NoPending: seed%9 != 0, Relax: int(seed % 5)})
		require.NoError(t, err)
		b, err := queue.Bind(model.Whole(h))
		require.NoError(t, err)
		q := &quasi.Question{Factor: quasi.Factor{0, int32(seed % 4), 0}, Drain: seed/4%3 > 0}
		cases, err := verify.Paired(context.Background(), b, q, 1_000_000)
		if cases == 0 {
			continue // not a question for pairings, or nothing to try
		}
		want, w, x := oracle.SlotsLinearizable(b, *q)
		counts[want]++
		if want {
			require.ErrorIs(t, err, verify.ErrRearranged, "seed %d: %v %v", seed, w, x)
		} else {
			require.NoError(t, err, "seed %d", seed)
		}
	}
	t.Log(counts)
	require.Greater(t, counts[true], rounds/8)
	require.Greater(t, counts[false], rounds/8)
}
