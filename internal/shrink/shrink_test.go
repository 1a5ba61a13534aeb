package shrink

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func lower(n int) (simpler []int) {
	for k := range n {
		simpler = append(simpler, k)
	}
	return simpler
}

// A test that fails if some calls are in it is shrunk to these calls.
func TestWhatIsNeededIsLeft(t *testing.T) {
	test := Test[int]{Before: []int{1, 2}, Threads: [][]int{{3, 4}, {5}, {6, 7, 8}}, After: []int{9}}
	tries := 0
	small := Smaller(test, func(int) []int { return nil }, func(s Test[int]) bool {
		tries++
		return slices.Contains(s.Before, 2) && slices.ContainsFunc(s.Threads, func(c []int) bool {
			return slices.Contains(c, 7)
		})
	})
	assert.Equal(t, Test[int]{[]int{2}, [][]int{{7}}, []int{}}, small)
	assert.Less(t, tries, 40)
	assert.Equal(t, Test[int]{Before: []int{1, 2}, Threads: [][]int{{3, 4}, {5}, {6, 7, 8}}, After: []int{9}}, test,
		"it is not changed")
}

// The result fails and no single step makes it smaller, for random conditions.
func TestNoStepIsLeft(t *testing.T) {
	for seed := range uint64(500) {
		r := rand.New(rand.NewPCG(seed, 1))
		var test Test[int]
		for range 1 + r.IntN(3) {
			var calls []int
			for range 1 + r.IntN(3) {
				calls = append(calls, r.IntN(5))
			}
			test.Threads = append(test.Threads, calls)
		}
		test.Before = []int{r.IntN(5)}
		modulus, size := 2+r.IntN(3), r.IntN(3)
		fails := func(s Test[int]) bool {
			sum, n := 0, 0
			for _, calls := range append([][]int{s.Before, s.After}, s.Threads...) {
				for _, c := range calls {
					sum += c
					n++
				}
			}
			return sum%modulus == 0 && n >= size
		}
		if !fails(test) {
			continue
		}
		small := Smaller(test, lower, fails)
		require.True(t, fails(small))
		_, found := step(small, lower, fails)
		require.False(t, found)
		for _, calls := range small.Threads {
			require.NotEmpty(t, calls)
		}
	}
}
