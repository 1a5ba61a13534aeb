package search

import (
	"context"
	"testing"

	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/gen"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/oracle"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/linsat/linsat/internal/testkit"
	"github.com/stretchr/testify/require"
)

// The engine decides long histories of few values, and both steps and witness are the same each
// time.
func TestLongHistoriesOfFewValuesAreDecided(t *testing.T) {
	for _, o := range []gen.Options{
		{Spec: "queue", Operations: 3000, Processes: 16, Values: 4, Seed: 3},
		{Spec: "queue", Operations: 3000, Processes: 8, Values: 1, EmptyRate: 0.2, Seed: 4},
		{Spec: "queue", Operations: 1000, Processes: 6, Values: 3, PendingRate: 0.01, Initial: true, Seed: 5},
		{Spec: "stack", Operations: 1000, Processes: 16, Values: 4, Seed: 3},
		{Spec: "stack", Operations: 5000, Processes: 16, Values: 4, Seed: 3},
		{Spec: "stack", Operations: 2000, Processes: 4, Values: 2, EmptyRate: 0.3, Seed: 4},
		{Spec: "stack", Operations: 300, Processes: 4, Values: 3, PendingRate: 0.01, Initial: true, Seed: 5},
		{Spec: "deque", Operations: 3000, Processes: 16, Seed: 3},
		{Spec: "deque", Operations: 2000, Processes: 8, Values: 5, Seed: 3},
		{Spec: "deque", Operations: 2000, Processes: 8, Values: 5, Seed: 7},
		{Spec: "deque", Operations: 2000, Processes: 8, Values: 5, Seed: 12},
		{Spec: "deque", Operations: 1000, Processes: 4, Values: 4, EmptyRate: 0.2, Seed: 4},
	} {
		c, err := gen.Generate(o)
		require.NoError(t, err)
		b, err := testkit.Spec(t, o.Spec).Bind(model.Whole(c.History))
		require.NoError(t, err)
		a, err := New().Check(context.Background(), &engine.Problem{Instance: b}, nil)
		require.NoError(t, err)
		require.Equal(t, engine.Linearizable, a.Verdict, "%+v", o)
		require.NoError(t, oracle.Replay(b, a.Witness), "%+v", o)
		if o.Operations > 1000 && !testenv.Full() {
			continue // whether the answer is always the same, the shorter ones tell
		}
		again, err := New().Check(context.Background(), &engine.Problem{Instance: b}, nil)
		require.NoError(t, err)
		require.Equal(t, a, again)
	}
}
