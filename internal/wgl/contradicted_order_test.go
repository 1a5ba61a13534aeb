package wgl

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/gen/randomorder"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Operations are ordered in a circle iff no order of the completed ones extends times and edges,
// and what is returned is such a circle.
func TestContradictedOrder(t *testing.T) {
	yes, no := 0, 0
	for seed := range uint64(testenv.Scale(20_000, 400_000)) {
		p := randomorder.Partition(rand.New(rand.NewPCG(seed, 41)))
		circle := contradicted(p)
		if randomorder.Orderable(p) {
			yes++
			require.Empty(t, circle, "seed %d: %+v", seed, p)
			continue
		}
		no++
		require.NotEmpty(t, circle, "seed %d: %+v", seed, p)
		for k, i := range circle {
			require.False(t, p.Ops[i].Pending())
			if k > 0 {
				require.True(t, slices.Contains(p.Edges, history.Edge{Before: circle[k-1], After: i}), "seed %d: %v, %+v", seed, circle, p)
			}
		}
		first, last := circle[0], circle[len(circle)-1]
		require.True(t, p.Ops[last].Return < p.Ops[first].Call || slices.Contains(p.Edges, history.Edge{Before: last, After: first}), "seed %d: %v, %+v", seed, circle, p)
	}
	assert.Greater(t, min(yes, no), 500)
}
