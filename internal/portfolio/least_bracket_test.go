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

// TestBoundsComeFromTheWidestGap: the next bound is as far as can be from those that are known or
// were passed over, whose neighbours are as hard.
func TestBoundsComeFromTheWidestGap(t *testing.T) {
	x := &bracket{minimiser: &minimiser{}, refused: 7, accepted: 100, yes: &decision{}, passed: map[int32]bool{}}
	var asked []int32
	for range 5 {
		k, more := x.question()
		require.True(t, more)
		asked = append(asked, k)
		x.passed[k] = false
	}
	require.Equal(t, []int32{53, 76, 30, 88, 18}, asked)
	x.accepted = 9
	k, more := x.question()
	require.True(t, more)
	require.EqualValues(t, 8, k)
	x.passed[8] = false
	_, more = x.question()
	require.False(t, more)
}
