package tables

import (
	"context"
	"testing"

	"github.com/linsat/linsat/papers/objects/sets"
	"github.com/stretchr/testify/require"
)

func TestSetsAreMeasured(t *testing.T) {
	o := sets.Recording{Threads: 4, Operations: 4000, Keys: 24}
	for name, refused := range map[string]string{"lazylist": "0 of 3", "skiplist-faulty1": ""} {
		m, err := measure(context.Background(), name, o, 3)
		require.NoError(t, err)
		at := []int{1, 2, 3, 4, 5, 6, 7, 8}
		row := m.cells(at, 9, 3)
		require.NotContains(t, row, "–")
		require.NotContains(t, row, "")
		if refused != "" {
			require.Equal(t, refused, row[0])
		}
	}
	_, err := measure(context.Background(), "bag", o, 1)
	require.EqualError(t, err, `there is no set "bag"`)
}
