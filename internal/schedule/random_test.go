package schedule

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestRandomDrawsBeforeAnExecution: what is drawn while threads run is drawn before them, and the
// numbers are those of the generator in order, however many an execution takes.
func TestRandomDrawsBeforeAnExecution(t *testing.T) {
	r := Random(7, 3).(*random)
	for run, picks := range []int{drawnAhead, 5 * drawnAhead, 4 * drawnAhead} {
		require.True(t, r.Begin())
		before, err := r.pcg.MarshalBinary()
		require.NoError(t, err)
		want := rand.NewPCG(7, uint64(run+1))
		for range picks {
			n := int(want.Uint64() >> 61)
			assert.Equal(t, n, r.Choose(8))
		}
		after, err := r.pcg.MarshalBinary()
		require.NoError(t, err)
		assert.Equal(t, run != 1, string(before) == string(after), "execution %d", run)
	}
	assert.False(t, r.Begin())
}
