//go:build unix

package main

import (
	"context"
	"testing"

	"github.com/linsat/linsat/internal/gen"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/oracle"
	"github.com/linsat/linsat/internal/specs"
	"github.com/linsat/linsat/internal/verify/clausal"
	"github.com/stretchr/testify/require"
)

// TestSelectorsAgreeWithTheDefinition: operations are named exactly if the history is not
// linearizable, and the formula of what a minimal set of them retains is refuted, too, but not
// without any one of them.
func TestSelectorsAgreeWithTheDefinition(t *testing.T) {
	n := uint64(1000)
	if testing.Short() {
		n = 100
	}
	ctx := context.Background()
	for _, name := range []string{"register", "cas-register", "kv", "set", "queue", "stack", "priority-queue"} {
		s, _ := specs.Lookup(name)
		refuted, explained := 0, 0
		for seed := range n {
			h, err := gen.Small(name, seed, gen.SmallOptions{})
			require.NoError(t, err)
			for _, p := range model.Split(s, h, model.ByKey) {
				b, err := s.Bind(p)
				require.NoError(t, err)
				f, err := clausal.Build(b, nil)
				if err != nil {
					continue
				}
				x := newSelectors(f, p.Len())
				named, err := x.minimal(ctx)
				require.NoError(t, err)
				if yes, _ := oracle.Linearizable(b); yes {
					require.Nil(t, named, "%s seed %d", name, seed)
					explained++
					continue
				}
				require.NotNil(t, named, "%s seed %d", name, seed)
				require.True(t, x.refuted(ctx, named))
				for k := range named {
					require.False(t, x.refuted(ctx, append(named[:k:k], named[k+1:]...)), "%s seed %d", name, seed)
				}
				refuted++
			}
		}
		require.Greater(t, refuted, 20)
		require.Greater(t, explained, 20)
	}
}
