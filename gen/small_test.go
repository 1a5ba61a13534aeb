package gen_test

import (
	"testing"

	"github.com/linsat/linsat/gen"
	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/oracle"
	"github.com/linsat/linsat/spec"
	"github.com/stretchr/testify/require"
)

func bind(t *testing.T, name string, h *history.History) *spec.Bound {
	t.Helper()
	s, ok := spec.Lookup(name)
	if name == "queue" {
		s, ok = spec.Queue(), true
	}
	if name == "stack" {
		s, ok = spec.Stack(), true
	}
	if !ok {
		t.Skip("no specification yet")
	}
	b, err := s.Bind(spec.Whole(h))
	require.NoError(t, err)
	return b
}

func TestSmall(t *testing.T) {
	for _, name := range gen.Specs() {
		t.Run(name, func(t *testing.T) {
			yes, n := 0, 3000
			for seed := range n {
				h, err := gen.Small(name, uint64(seed), gen.SmallOptions{Exact: true})
				require.NoError(t, err)
				b := bind(t, name, h)
				ok, w := oracle.Linearizable(b)
				require.True(t, ok, "seed %d", seed)
				require.NoError(t, oracle.Replay(b, w), "seed %d", seed)
				h, err = gen.Small(name, uint64(seed), gen.SmallOptions{})
				require.NoError(t, err)
				b = bind(t, name, h)
				if ok, w := oracle.Linearizable(b); ok {
					yes++
					require.NoError(t, oracle.Replay(b, w), "seed %d", seed)
				}
			}
			t.Logf("%d of %d linearizable", yes, n)
		})
	}
}
