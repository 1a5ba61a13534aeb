package portfolio

import (
	"context"
	"testing"
	"time"

	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/gen"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/specs"
	"github.com/linsat/linsat/quasi"
	"github.com/stretchr/testify/require"
)

// TestPendingOperationsUnderAFactor asks about long histories with pending operations, which are
// linearizable, or have a completion that is within the bound.
func TestPendingOperationsUnderAFactor(t *testing.T) {
	for _, o := range []gen.Options{
		{Spec: "counter", Operations: 5000, Processes: 16, PendingRate: 0.05},
		{Spec: "deque", Operations: 1000, Processes: 4, PendingRate: 0.05},
		{Spec: "unordered-queue", Operations: 1000, Processes: 64, Relax: 2},
		{Spec: "queue", Operations: 2000, Processes: 16, PendingRate: 0.05, Relax: 2},
		{Spec: "queue", Operations: 2000, Processes: 64, PendingRate: 0.01, Relax: 2, Values: 4},
		{Spec: "priority-queue", Operations: 1000, Processes: 8, PendingRate: 0.05, Relax: 2},
	} {
		c, err := gen.Generate(o)
		require.NoError(t, err)
		spec, ok := specs.Lookup(o.Spec)
		require.True(t, ok)
		request, err := quasi.Parse(spec.Info(), "2")
		require.NoError(t, err)
		q := &Question{Spec: spec, History: c.History, Quasi: &quasi.Question{Factor: request.Factor, Drain: true}}
		ctx, stop := context.WithTimeout(context.Background(), time.Minute)
		a, err := New(Options{Engines: Auto, Quasi: true, Workers: 1, Partitioning: model.ByKey}).Check(ctx, q, engine.NewBudget(0, 0))
		stop()
		require.NoError(t, err)
		require.Equal(t, engine.Linearizable, a.Verdict, "%+v", o)
	}
}
