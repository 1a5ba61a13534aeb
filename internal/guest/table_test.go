package guest_test

import (
	"slices"
	"testing"

	"github.com/linsat/linsat/internal/guest"
	"github.com/linsat/linsat/internal/model"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A table that a caller's Equal decides finds the number that each state was given, although states
// that == compares and others are kept apart, and although equal states may have other contents.
func TestCoarseTableFindsNumbers(t *testing.T) {
	sum := func(s any) int {
		list, ok := s.([]int)
		if !ok {
			return 0
		}
		total := 1
		for _, n := range list {
			total += n
		}
		return total
	}
	table := guest.CoarseTable(guest.MixedTable[any](), func(a, b any) bool { return sum(a) == sum(b) })
	table.Add(nil, 0)
	for k := range 20 {
		s := []int{k, k}
		_, ok := table.Find(s)
		require.False(t, ok)
		table.Add(s, model.State(k+1))
		for range 2 {
			got, ok := table.Find(s)
			assert.True(t, ok)
			assert.Equal(t, model.State(k+1), got)
		}
		for range 2 { // the second time without Equal
			for again := range k + 1 {
				for _, equal := range []any{[]int{again, again}, []int{2 * again}, []int{0, 2 * again, 0}} {
					got, ok := table.Find(slices.Clone(equal.([]int)))
					assert.True(t, ok)
					assert.Equal(t, model.State(again+1), got)
				}
			}
			got, ok := table.Find(nil)
			assert.True(t, ok)
			assert.Equal(t, model.State(0), got)
		}
	}
}
