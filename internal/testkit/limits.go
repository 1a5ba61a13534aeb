package testkit

import (
	"context"
	"testing"

	"github.com/linsat/linsat/internal/engine"
	"github.com/stretchr/testify/require"
)

// KeepsLimits requires that an engine that is asked of a long history stops at a number of steps,
// at bytes and when it is cancelled, and gives back what it used.
func KeepsLimits(t *testing.T, ask func(context.Context, *engine.Budget) (engine.Answer, error)) {
	t.Helper()
	ends := func(ctx context.Context, b *engine.Budget, cause engine.Cause) {
		a, err := ask(ctx, b)
		require.NoError(t, err)
		require.Equal(t, engine.Answer{Cause: cause}, a)
	}
	ends(context.Background(), engine.NewBudget(1000, 0), engine.Steps)
	m := engine.NewBudget(0, 1<<20)
	ends(context.Background(), m, engine.Memory)
	require.Zero(t, m.Bytes())
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	ends(ctx, nil, engine.Cancelled)
}
