package solve

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/linsat/linsat/internal/gen/randomtxn"
	"github.com/linsat/linsat/internal/isolation"
	"github.com/linsat/linsat/internal/isolation/isolationtest"
	"github.com/linsat/linsat/internal/isolation/verify"
	"github.com/linsat/linsat/internal/oracle"
	"github.com/linsat/linsat/internal/solver/gini"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/linsat/linsat/solver"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func newGini() solver.Solver { return gini.New() }

// TestAnswersAreTheAxioms compares all levels with their definition on random histories, and has
// every certificate judged. Every second history is decided with chains where it would have bits.
func TestAnswersAreTheAxioms(t *testing.T) {
	ctx := context.Background()
	rng := rand.New(rand.NewPCG(37, 1))
	var holds, fails, choices int
	for n := range testenv.Scale(400, 100_000) {
		h := randomtxn.History(rng, 2+n%6)
		for _, l := range isolation.Levels() {
			alwaysChains = n%2 == 0
			a := Decide(ctx, h, l, newGini, 0)
			alwaysChains = false
			want := oracle.Isolated(h, l)
			require.True(t, a.Holds || a.Fails, "%d: %v of %+v: %s", n, l, h, a.Unclear)
			require.Equal(t, want, a.Holds, "%d: %v of %+v", n, l, h)
			require.NotEqual(t, a.Holds, a.Fails)
			require.NotNil(t, a.Certificate, "%d: %v of %+v", n, l, h)
			require.NoError(t, verify.Check(ctx, h, a.Certificate), "%d: %v of %+v: %+v", n, l, h, a.Certificate)
			if a.Holds {
				holds++
			} else {
				fails++
			}
			if a.Choices > 0 {
				choices++
			}
		}
	}
	assert.Positive(t, min(holds, fails, choices), "%d hold, %d fail, %d with choices", holds, fails, choices)
	t.Logf("%d hold, %d fail, %d with choices", holds, fails, choices)
}

// A transaction that reads of a list what it appends later, and after it what another one appends,
// is refuted by this read alone.
func TestReadOfWhatItAppendsLater(t *testing.T) {
	h := isolationtest.Parse(`z:[0 3] z+0
z+3
z:[0 3]`)
	for _, l := range isolation.Levels() {
		a := Decide(t.Context(), h, l, newGini, 0)
		require.True(t, a.Fails)
		require.NoError(t, verify.Check(t.Context(), h, a.Certificate))
		assert.Len(t, a.Certificate.Refutation.Clauses, 1)
	}
}
