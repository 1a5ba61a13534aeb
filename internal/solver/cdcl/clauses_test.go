package cdcl

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestMinimalLeavesOutWhatARefutationDoesNotNeed(t *testing.T) {
	list := [][]int32{{5}, {-7, 3}, {2, -5}, {4, 6}, {7}, {-2, -3}}
	f := &Clauses{7, list}
	lemmas, left, ok := f.Minimal(t.Context())
	require.True(t, ok)
	require.Equal(t, []int{0, 1, 2, 4, 5}, left, "4 or 6 is not needed")
	require.NotEmpty(t, lemmas)
	for _, l := range lemmas {
		for _, x := range l.Clause {
			require.LessOrEqual(t, max(x, -x), int32(4), "four variables are left: 5, 7, 3 and 2")
		}
	}
	require.Len(t, f.List, len(list))

	_, _, ok = (&Clauses{2, [][]int32{{1, 2}, {-1}}}).Minimal(t.Context())
	require.False(t, ok, "it has a model")
}
