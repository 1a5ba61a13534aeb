package verify_test

import (
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/linsat/linsat/internal/gen/cells"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/oracle"
	"github.com/linsat/linsat/internal/proof"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/linsat/linsat/internal/verify"
	"github.com/linsat/linsat/internal/verify/base"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Trying only what is connected says what the definition says.
func TestPiecesAgreeWithTheDefinition(t *testing.T) {
	s := cells.Spec()
	no, yes := 0, 0
	for seed := range uint64(testenv.Scale(6000, 200_000)) {
		rng := rand.New(rand.NewPCG(seed, 78))
		h := cells.Small(rng)
		b, err := s.Bind(model.Whole(h))
		require.NoError(t, err)
		want, _ := oracle.Linearizable(b)
		_, err = verify.Exhausted(b, proof.Everything(), base.MaxNodes)
		if want {
			require.True(t, errors.Is(err, verify.ErrLinearizable), "seed %d: %v", seed, err)
			yes++
		} else {
			require.NoError(t, err, "seed %d", seed)
			no++
		}
	}
	assert.Greater(t, no, testenv.MoreThan(1000))
	assert.Greater(t, yes, testenv.MoreThan(1000))
}
