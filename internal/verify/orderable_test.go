package verify_test

import (
	"math/rand/v2"
	"testing"

	"github.com/linsat/linsat/internal/gen/randomorder"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/linsat/linsat/internal/verify"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The verifier finds that completed operations have no order exactly where none can be found by
// trying.
func TestOrderableByDefinition(t *testing.T) {
	yes, no := 0, 0
	for seed := range uint64(testenv.Scale(20_000, 400_000)) {
		p := randomorder.Partition(rand.New(rand.NewPCG(seed, 43)))
		want := randomorder.Orderable(p)
		require.Equal(t, want, verify.Orderable(p), "seed %d: %+v", seed, p)
		if want {
			yes++
		} else {
			no++
		}
	}
	assert.Greater(t, min(yes, no), testenv.MoreThan(500))
}
