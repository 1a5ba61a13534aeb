package conformance

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/linsat/linsat"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/gen/cells"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/oracle"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Histories of operations that say which pieces they touch: every engine that answers agrees with
// the definition, and every verdict has a certificate that holds.
func TestAgreementOnPieces(t *testing.T) {
	s := cells.Spec()
	public, _ := s.(model.Public)
	count := map[linsat.Verdict]int{}
	for seed := range uint64(testenv.Scale(1500, 40_000)) {
		rng := rand.New(rand.NewPCG(seed, 81))
		h := cells.Small(rng)
		b, err := s.Bind(model.Whole(h))
		require.NoError(t, err)
		want := engine.NotLinearizable
		if ok, _ := oracle.Linearizable(b); ok {
			want = engine.Linearizable
		}
		by := []string{"key", "none"}[rng.IntN(2)]
		r, err := linsat.Check(context.Background(), public, h, linsat.Partition(linsat.Partitioning(by)))
		require.NoError(t, err, "seed %d", seed)
		require.Equal(t, want, r.Verdict, "seed %d", seed)
		c, err := linsat.Certify(h, &r)
		require.NoError(t, err, "seed %d", seed)
		require.NoError(t, linsat.Verify(context.Background(), public, h, c, linsat.Partition(linsat.Partitioning(by))),
			"seed %d", seed)
		count[r.Verdict]++
	}
	assert.Greater(t, count[engine.Linearizable], testenv.MoreThan(300))
	assert.Greater(t, count[engine.NotLinearizable], testenv.MoreThan(300))
}
