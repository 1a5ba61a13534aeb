package portfolio

import (
	"context"
	"testing"
	"time"

	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/gen"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/testkit"
	"github.com/linsat/linsat/quasi"
	"github.com/stretchr/testify/require"
)

// TestPendingOperationsUnderAFactor asks about long histories with pending operations, which are
// linearizable, or have a completion that is within the bound, or are refuted by their widening.
func TestPendingOperationsUnderAFactor(t *testing.T) {
	const violations = 2 // of those below
	for k, o := range []gen.Options{
		{Spec: "counter", Operations: 2000, Processes: 16, PendingRate: 0.05, Violation: gen.NeverWritten},
		{Spec: "queue", Operations: 1000, Processes: 4, PendingRate: 0.05, Relax: 2, Violation: gen.Swap},
		{Spec: "counter", Operations: 5000, Processes: 16, PendingRate: 0.05},
		{Spec: "deque", Operations: 1000, Processes: 4, PendingRate: 0.05},
		{Spec: "unordered-queue", Operations: 1000, Processes: 64, Relax: 2},
		{Spec: "queue", Operations: 2000, Processes: 16, PendingRate: 0.05, Relax: 2},
		{Spec: "queue", Operations: 2000, Processes: 64, PendingRate: 0.01, Relax: 2, Values: 4},
		{Spec: "priority-queue", Operations: 1000, Processes: 8, PendingRate: 0.05, Relax: 2},
	} {
		c, err := gen.Generate(o)
		require.NoError(t, err)
		spec := testkit.Spec(t, o.Spec)
		request, err := quasi.Parse(spec.Info(), "2")
		require.NoError(t, err)
		q := &Question{Spec: spec, History: c.History, Quasi: &quasi.Question{Factor: request.Factor, Drain: true}}
		ctx, stop := context.WithTimeout(context.Background(), time.Minute)
		a, err := New(Options{Engines: Auto, Quasi: true, Workers: 1, Partitioning: model.ByKey}).Check(ctx, q,
			engine.NewBudget(0, 0))
		stop()
		require.NoError(t, err)
		want := engine.Linearizable
		if k < violations {
			want = engine.NotLinearizable
		}
		require.Equal(t, want, a.Verdict, "%+v", o)
	}
}
