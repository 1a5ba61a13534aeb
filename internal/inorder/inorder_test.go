package inorder_test

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/linsat/linsat/internal/inorder"
	"github.com/stretchr/testify/require"
)

func TestSortIsStable(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for n := range 64 {
		list := make([][2]int, n)
		for i := range list {
			list[i] = [2]int{r.IntN(8), i}
		}
		compare := func(a, b [2]int) int { return cmp.Compare(a[0], b[0]) }
		want := slices.Clone(list)
		slices.SortStableFunc(want, compare)
		inorder.Sort(list, compare)
		require.Equal(t, want, list)
	}
}

func TestInsertGoesBehindEqualOnes(t *testing.T) {
	compare := func(a, b [2]int) int { return cmp.Compare(a[0], b[0]) }
	var list, want [][2]int
	for i, x := range []int{3, 1, 2, 3, 1, 2, 0, 4, 3} {
		list = inorder.Insert(list, [2]int{x, i}, compare)
		want = append(want, [2]int{x, i})
		slices.SortStableFunc(want, compare)
		require.Equal(t, want, list)
	}
}

func TestDistinct(t *testing.T) {
	require.Equal(t, []int{1, 2, 3}, inorder.Distinct([]int{3, 1, 3, 2, 1}))
	require.Empty(t, inorder.Distinct([]string{}))
}
