package displacement_test

import (
	"slices"
	"testing"

	"github.com/linsat/linsat/internal/quasi/displacement"
	"github.com/linsat/linsat/quasi"
	"github.com/stretchr/testify/assert"
)

func rearrangements(m int, bound int32) [][]int32 {
	var all [][]int32
	displacement.Rearrangements(m, bound, func(a []int32) bool {
		all = append(all, slices.Clone(a))
		return true
	})
	return all
}

// In every row of Round-Up's Tables III and V, permutations = linearizations × 2 × one of these
// numbers.
func TestRearrangementsCount(t *testing.T) {
	for _, c := range []struct {
		m     int
		bound int32
		want  int
	}{{0, 2, 1}, {1, 2, 1}, {2, 2, 2}, {3, 2, 6}, {4, 2, 14}, {5, 2, 31}, {6, 2, 73}, {4, 3, 24},
		{5, 0, 1}, {5, 1, 8}, {5, quasi.Unbounded, 120}} {
		assert.Len(t, rearrangements(c.m, c.bound), c.want, "%d places at bound %d", c.m, c.bound)
	}
	assert.Equal(t, 1708, 61*2*len(rearrangements(4, 2)))
	assert.Equal(t, 8112, 169*2*len(rearrangements(4, 3)))
}

// Round-Up, Fig. 7: of the six orders of deq(1) deq(2) deq(3), histories 0, 1 and 2 are within
// bound 1.
func TestRearrangementsFig7(t *testing.T) {
	assert.Equal(t, [][]int32{{0, 1, 2}, {0, 2, 1}, {1, 0, 2}}, rearrangements(3, 1))
}

// By the definition: filter all permutations.
func TestRearrangementsByDefinition(t *testing.T) {
	for m := range 7 {
		for bound := range int32(m + 2) {
			var want [][]int32
			for _, a := range rearrangements(m, quasi.Unbounded) {
				if !slices.ContainsFunc(a, func(c int32) bool {
					move := c - int32(slices.Index(a, c))
					return max(move, -move) > bound
				}) {
					want = append(want, a)
				}
			}
			assert.Equal(t, want, rearrangements(m, bound), "%d places at bound %d", m, bound)
		}
	}
	assert.Len(t, rearrangements(6, quasi.Unbounded), 720)
}

func TestRearrangementsStopWhenAsked(t *testing.T) {
	n := 0
	assert.False(t, displacement.Rearrangements(4, 2, func([]int32) bool { n++; return n < 3 }))
	assert.Equal(t, 3, n)
}
