package wide_test

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/linsat/linsat/internal/wide"
	"github.com/stretchr/testify/require"
)

// edge draws a number near one of the ends of int64, near 0, or anywhere.
func edge(r *rand.Rand) int64 {
	near := r.Int64N(4)
	switch r.IntN(4) {
	case 0:
		return math.MinInt64 + near
	case 1:
		return math.MaxInt64 - near
	case 2:
		return near - 2
	}
	return int64(r.Uint64())
}

// TestAgreesWithBig compares sums, differences, order and text with math/big.
func TestAgreesWithBig(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 20_000 {
		sum, want := wide.Of(0), new(big.Int)
		for range 1 + r.IntN(6) {
			x := edge(r)
			before, wantBefore := sum, new(big.Int).Set(want)
			if r.IntN(2) == 0 {
				sum, want = sum.Add(x), want.Add(want, big.NewInt(x))
			} else {
				sum, want = sum.Sub(x), want.Sub(want, big.NewInt(x))
			}
			require.Equal(t, want.String(), sum.String())
			require.Equal(t, want.Cmp(wantBefore), sum.Compare(before))
			require.Equal(t, want.Cmp(wantBefore) < 0, sum.Less(before))
			require.Equal(t, want.Cmp(wantBefore) == 0, sum == before)
			small, fits := sum.Int64()
			require.Equal(t, want.IsInt64(), fits)
			if fits {
				require.Equal(t, want.Int64(), small)
			}
		}
	}
}
