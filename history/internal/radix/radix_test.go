package radix

import (
	"cmp"
	"math"
	"math/rand"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestSortByTimeIsStable(t *testing.T) {
	for seed := range int64(300) {
		rng := rand.New(rand.NewSource(seed))
		times := make([]int64, rng.Intn(2000))
		for i := range times {
			switch seed % 4 {
			case 0:
				times[i] = int64(rng.Intn(50))
			case 1:
				times[i] = int64(i + rng.Intn(20))
			case 2:
				times[i] = int64(rng.Uint64())
			default:
				times[i] = []int64{math.MinInt64, math.MaxInt64, -1, 0}[rng.Intn(4)]
			}
		}
		items := make([]int32, len(times))
		for i, k := range rng.Perm(len(times)) {
			items[i] = int32(k)
		}
		want := slices.Clone(items)
		slices.SortStableFunc(want, func(x, y int32) int { return cmp.Compare(times[x], times[y]) })
		SortByTime(items, func(i int32) int64 { return times[i] })
		require.Equal(t, want, items, "seed %d", seed)
	}
}
