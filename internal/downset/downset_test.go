package downset_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/downset"
	"github.com/linsat/linsat/internal/gen"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/stretchr/testify/require"
)

// TestSetsAreClosed checks the representation of used sets against the definition.
func TestSetsAreClosed(t *testing.T) {
	for seed := range testenv.Scale(2_000, 20_000) {
		rng := rand.New(rand.NewPCG(uint64(seed), 5))
		h, err := gen.Small("register", uint64(seed), gen.SmallOptions{Most: 14, NoPending: true, Keys: 1})
		require.NoError(t, err)
		ops := h.Ops
		all := make([]history.OpID, len(ops))
		for i := range all {
			all[i] = history.OpID(i)
		}
		c, ok := downset.New(ops, all)
		require.True(t, ok)
		var s downset.Set
		done := map[history.OpID]bool{}
		for len(done) < len(ops) {
			first, latest := history.Never, history.Rank(-1)
			for _, i := range all {
				if !done[i] {
					first = min(first, ops[i].Return)
				} else {
					latest = max(latest, ops[i].Call)
				}
			}
			require.Equal(t, first, c.First(s))
			require.Equal(t, latest, c.LatestCall(s))
			var free, want []history.OpID
			for _, i := range c.Open(s) {
				require.Equal(t, done[i], c.Has(s, i))
				if !done[i] {
					free = append(free, i)
				}
			}
			for _, i := range all {
				if !done[i] && ops[i].Call < first {
					want = append(want, i)
				}
			}
			require.ElementsMatch(t, want, free)
			require.True(t, slices.IsSortedFunc(free, func(a, b history.OpID) int {
				return int(ops[a].Return - ops[b].Return)
			}))
			op := free[rng.IntN(len(free))]
			done[op] = true
			s = c.Use(s, op)
		}
	}
}
