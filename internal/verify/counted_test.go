package verify_test

import (
	"errors"
	"testing"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/gen"
	"github.com/linsat/linsat/internal/gen/randomspec"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/oracle"
	"github.com/linsat/linsat/internal/proof"
	"github.com/linsat/linsat/internal/specs"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/linsat/linsat/internal/verify"
	"github.com/linsat/linsat/internal/verify/base"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Not telling unknown outcomes of etcd apart accepts an exhaustion exactly where there is no
// linearization.
func TestCountedTrialsAgreeWithTheDefinition(t *testing.T) {
	defer verify.ShortenTrials(0)()
	yes, no := 0, 0
	for seed := range uint64(testenv.Scale(20_000, 400_000)) {
		h, err := gen.Small("etcd", seed, gen.SmallOptions{Most: 5 + int(seed%5), Distinct: seed%3 > 0,
			All: seed%2 == 1})
		require.NoError(t, err)
		b, err := specs.Etcd().Bind(model.Whole(h))
		require.NoError(t, err)
		want, _ := oracle.Linearizable(b)
		_, err = verify.Exhausted(b, &proof.Weakening{Cut: history.Never}, base.MaxNodes)
		if want {
			yes++
			require.True(t, errors.Is(err, verify.ErrLinearizable), "seed %d: %v\n%s", seed, err,
				randomspec.Show(b.Partition))
			continue
		}
		no++
		require.NoError(t, err, "seed %d\n%s", seed, randomspec.Show(b.Partition))
	}
	t.Logf("%d yes, %d no", yes, no)
	assert.Greater(t, min(yes, no), testenv.MoreThan(500))
}
