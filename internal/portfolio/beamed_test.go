package portfolio

import (
	"context"
	"testing"

	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/explain"
	"github.com/linsat/linsat/internal/gen"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/quasi/beam"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/linsat/linsat/internal/testkit"
	"github.com/linsat/linsat/internal/verify"
	"github.com/linsat/linsat/quasi"
	"github.com/stretchr/testify/require"
)

// TestWhereBeamsDieIsRefuted asks about the places where a beam died out: clauses about few values
// near to them refute small bounds, and never the one that the history keeps to.
func TestWhereBeamsDieIsRefuted(t *testing.T) {
	const kept = 3
	ctx := context.Background()
	refuted := 0
	for seed := range uint64(testenv.Scale(4, 40)) {
		name := []string{"stack", "priority-queue"}[seed%2]
		c, err := gen.Generate(gen.Options{Spec: name, Operations: 800, Processes: 6,
			PendingRate: []float64{0, 0, 0.02, 0.1}[seed%4], Relax: kept, Seed: seed})
		require.NoError(t, err)
		b, err := testkit.Spec(t, name).Bind(model.Whole(c.History))
		require.NoError(t, err)
		at := func(k int32) *quasi.Question { return &quasi.Question{Factor: quasi.Factor{0, k, 0}, Drain: true} }
		found := beam.Find(ctx, &engine.Task{Instance: b, Quasi: at(9)}, 1, 4, engine.NewBudget(0, 0))
		for _, p := range found.Places {
			require.Nil(t, explain.RefuteNear(ctx, b, at(kept), p.Near, fewValues), "%s, seed %d", name, seed)
			if why := explain.RefuteNear(ctx, b, at(1), p.Near, fewValues); why != nil {
				refuted++
				require.NoError(t, verify.Proof(ctx, at(1), b, why), "%s, seed %d", name, seed)
			}
		}
	}
	require.Greater(t, refuted, testenv.MoreThan(0))
}
