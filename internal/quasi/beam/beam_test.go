package beam_test

import (
	"context"
	"testing"

	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/gen"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/oracle"
	"github.com/linsat/linsat/internal/quasi/beam"
	"github.com/linsat/linsat/internal/quasi/verify"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/linsat/linsat/internal/testkit"
	"github.com/linsat/linsat/quasi"
	"github.com/stretchr/testify/require"
)

// TestBeamsAgreeWithTheDefinition compares the beam with the definition by brute force: what it
// finds is a rearrangement, and it misses few.
func TestBeamsAgreeWithTheDefinition(t *testing.T) {
	rounds := testenv.Scale(8_000, 200_000)
	found, missed := 0, 0
	for seed := range uint64(rounds) {
		name := []string{"stack", "priority-queue"}[seed%2]
		h, err := gen.Small(name, seed, gen.SmallOptions{Most: 7, NoEdges: true, Keys: 1, Values: 7,
			Relax: int(seed / 2 % 4)})
		require.NoError(t, err)
		spec := testkit.Spec(t, name)
		b, err := spec.Bind(model.Whole(h))
		require.NoError(t, err)
		q := &quasi.Question{Factor: quasi.Factor{0, int32(seed / 8 % 4), 0}, Drain: seed/32%2 == 0}
		a := beam.Find(context.Background(), &engine.Task{Instance: b, Quasi: q}, int32(seed/64%4), 2,
			engine.NewBudget(0, 0))
		if a.Cause == engine.Unsupported {
			continue
		}
		yes, _, _ := oracle.SlotsLinearizable(b, *q)
		switch {
		case a.Verdict == engine.Linearizable:
			found++
			require.True(t, yes, "seed %d", seed)
			q.Factor[1] = min(q.Factor[1], a.Bound)
			require.NoError(t, verify.Rearrangement(b, q, a.Witness, a.Rearranged, a.Drains), "seed %d", seed)
		case yes:
			missed++
		}
	}
	t.Logf("%d found, %d missed", found, missed)
	require.Greater(t, found, testenv.MoreThan(rounds/8))
	require.Less(t, 20*missed, found)
}

// TestLongHistoriesAreRearranged asks about relaxed histories of which some operations never
// returned.
func TestLongHistoriesAreRearranged(t *testing.T) {
	for _, name := range []string{"stack", "priority-queue"} {
		for seed := range uint64(testenv.Scale(4, 40)) {
			c, err := gen.Generate(gen.Options{Spec: name, Operations: 3000, Processes: 8,
				PendingRate: []float64{0, 0.01, 0.05, 0.2}[seed%4], Relax: 4, Seed: seed})
			require.NoError(t, err)
			b, err := testkit.Spec(t, name).Bind(model.Whole(c.History))
			require.NoError(t, err)
			q := &quasi.Question{Factor: quasi.Factor{0, 6, 0}, Drain: true}
			a := beam.Find(context.Background(), &engine.Task{Instance: b, Quasi: q}, 3, 8, engine.NewBudget(0, 0))
			require.Equal(t, engine.Linearizable, a.Verdict, "%s, seed %d", name, seed)
			require.NoError(t, verify.Rearrangement(b, q, a.Witness, a.Rearranged, a.Drains))
		}
	}
}
