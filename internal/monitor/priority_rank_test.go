package monitor

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// Values sorted by digits of their rank stand as comparing them says, however far apart ranks are.
func TestValuesByRank(t *testing.T) {
	for seed := range uint64(400) {
		r := rand.New(rand.NewPCG(seed, 1))
		rank := make([]int64, 1+r.IntN(4*fewRanks))
		var values []int32
		for v := range rank {
			switch seed % 5 {
			case 0:
				rank[v] = r.Int64N(50) - 25
			case 1:
				rank[v] = r.Int64N(1<<33) - 1<<32
			case 2:
				rank[v] = r.Int64N(1 << 61)
			case 3:
				rank[v] = int64(r.Uint64())
			default:
				rank[v] = []int64{math.MinInt64, math.MaxInt64, 0, -1}[r.IntN(4)]
			}
			if r.IntN(8) > 0 {
				values = append(values, int32(v))
			}
		}
		want := slices.Clone(values)
		slices.SortStableFunc(want, func(a, b int32) int { return cmp.Compare(rank[a], rank[b]) })
		require.Equal(t, want, byRank(values, rank), "seed %d", seed)
	}
}
