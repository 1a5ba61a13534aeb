package gen_test

import (
	"testing"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/gen"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/oracle"
	"github.com/linsat/linsat/internal/specs"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func bind(t *testing.T, name string, h *history.History) *model.Instance {
	t.Helper()
	s, ok := specs.Lookup(name)
	require.True(t, ok, "no specification %s", name)
	b, err := s.Bind(model.Whole(h))
	require.NoError(t, err)
	return b
}

func TestSmall(t *testing.T) {
	n := max(200, testenv.Scale(400, 6000)) // enough to see the mix
	for _, name := range gen.Specs() {
		t.Run(name, func(t *testing.T) {
			yes, edges, pending, initial := 0, 0, 0, 0
			for seed := range uint64(n) {
				h, err := gen.Small(name, seed, gen.SmallOptions{Exact: true})
				require.NoError(t, err)
				ok, w := oracle.Linearizable(bind(t, name, h))
				require.True(t, ok, "seed %d", seed)
				require.NoError(t, oracle.Replay(bind(t, name, h), w), "seed %d", seed)

				h, err = gen.Small(name, seed, gen.SmallOptions{})
				require.NoError(t, err)
				if ok, w := oracle.Linearizable(bind(t, name, h)); ok {
					yes++
					require.NoError(t, oracle.Replay(bind(t, name, h), w), "seed %d", seed)
				}
				edges += min(1, len(h.Edges))
				pending += min(1, h.Pending())
				if h.HasInitial {
					initial++
				}
			}
			t.Logf("of %d: %d linearizable, %d with explicit edges, %d with pending operations, %d with an initial "+
				"state", n, yes, edges, pending, initial)
			assert.InDelta(t, 0.5, float64(yes)/float64(n), 0.2, "a mix of verdicts")
			assert.Greater(t, edges, testenv.MoreThan(0))
			assert.Greater(t, pending, testenv.MoreThan(0))
		})
	}
}

func TestSmallOptions(t *testing.T) {
	for seed := range uint64(300) {
		h, err := gen.Small("queue", seed, gen.SmallOptions{Least: 3, Most: 5, Keys: 1, Distinct: true, NoPending: true,
			NoEdges: true, NoFailed: true, NoInitial: true})
		require.NoError(t, err)
		assert.True(t, 3 <= len(h.Ops) && len(h.Ops) <= 5)
		assert.False(t, h.HasInitial)
		assert.Zero(t, h.Failed)
		// only what ranks cannot say of processes that return and call at one time
		for _, e := range h.Edges {
			assert.Equal(t, h.Ops[e.Before].Process, h.Ops[e.After].Process, "seed %d", seed)
		}
		inserted := map[history.Value]bool{}
		for _, o := range h.Ops {
			assert.False(t, o.Pending())
			assert.Equal(t, history.NoKey, o.Key)
			assert.False(t, o.Arg != history.Nil && inserted[o.Arg], "seed %d", seed)
			inserted[o.Arg] = true
		}
	}
	_, err := gen.Small("quue", 0, gen.SmallOptions{})
	assert.ErrorContains(t, err, `"quue"`)
}

func TestSmallIsDeterministic(t *testing.T) {
	for _, name := range gen.Specs() {
		for seed := range uint64(50) {
			g, err := gen.Small(name, seed, gen.SmallOptions{})
			require.NoError(t, err)
			h, err := gen.Small(name, seed, gen.SmallOptions{})
			require.NoError(t, err)
			require.Equal(t, g.Ops, h.Ops)
			require.Equal(t, g.Origins, h.Origins)
			require.Equal(t, g.Edges, h.Edges)
			require.Equal(t, g.Values.Len(), h.Values.Len())
			for v := range g.Values.Len() {
				require.Equal(t, g.Values.Format(history.Value(v)), h.Values.Format(history.Value(v)))
			}
		}
	}
}
