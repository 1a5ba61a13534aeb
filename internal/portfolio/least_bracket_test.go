package portfolio

import (
	"testing"

	"github.com/linsat/linsat/quasi"
	"github.com/stretchr/testify/require"
)

// TestUndecidedBoundsComeAgain: where no bound was decided in its time, those that more time may
// help are asked again, whatever was said of the others.
func TestUndecidedBoundsComeAgain(t *testing.T) {
	x := &bracket{minimiser: &minimiser{}, refused: -1, accepted: quasi.Unbounded, next: quasi.Unbounded, patience: 1,
		passed: map[int32]bool{0: false, 1: false, 3: true, quasi.Unbounded: true}}
	_, more := x.question()
	require.False(t, more)
	require.True(t, x.again())
	k, more := x.question()
	require.True(t, more)
	require.Zero(t, k)
	require.Equal(t, map[int32]bool{3: true, quasi.Unbounded: true}, x.passed)
	require.False(t, x.again(), "more time helps none of them")
}
