package proof_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/linsat/linsat/internal/proof"
	"github.com/linsat/linsat/internal/wide"
	"github.com/stretchr/testify/require"
)

// TestCanSum compares sums of some of a few numbers with all subsets: small ones, which are bits of
// a word, and such as need more.
func TestCanSum(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 20_000 {
		numbers := make([]int64, r.IntN(9))
		most := []int64{2, 4, 9, 40, math.MaxInt64}[r.IntN(5)]
		for k := range numbers {
			if numbers[k] = r.Int64N(most); r.IntN(2) == 0 {
				numbers[k] = -numbers[k] - 1
			}
		}
		sums := map[wide.Int]bool{}
		for chosen := range 1 << len(numbers) {
			sum := wide.Of(0)
			for k, d := range numbers {
				if chosen>>k&1 != 0 {
					sum = sum.Add(d)
				}
			}
			sums[sum] = true
		}
		for sum := range sums {
			for _, target := range []wide.Int{sum, sum.Add(1), sum.Sub(1)} {
				fits, known := proof.CanSum(numbers, target, 1<<10)
				require.True(t, known)
				require.Equal(t, sums[target], fits, "%v of %v", target, numbers)
			}
			if r.IntN(4) == 0 {
				break
			}
		}
	}
}
