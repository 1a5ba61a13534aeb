package portfolio

import (
	"context"
	"testing"

	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/gen"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/testkit"
	"github.com/linsat/linsat/quasi"
	"github.com/stretchr/testify/require"
)

// TestLongHistoriesWithinBoundsOnSets asks about more operations than the search for sets takes,
// none of which need move by more than the bound of the set.
func TestLongHistoriesWithinBoundsOnSets(t *testing.T) {
	c, err := gen.Generate(gen.Options{Spec: "queue", Operations: 1000, Processes: 8, Relax: 1, Seed: 3})
	require.NoError(t, err)
	spec := testkit.Spec(t, "queue")
	request, err := quasi.Parse(spec.Info(), "deq=4,deq(1|3|17|200|201|202|203|204|205|206|207|208|209)=1")
	require.NoError(t, err)
	q := &Question{Spec: spec, History: c.History,
		Quasi: &quasi.Question{Factor: request.Factor, Sets: request.Sets, Drain: true}}
	a, err := New(Options{Engines: Auto, Quasi: true, Workers: 1, Partitioning: model.ByKey}).Check(
		context.Background(), q, engine.NewBudget(0, 0))
	require.NoError(t, err)
	require.Equal(t, engine.Linearizable, a.Verdict)
}
