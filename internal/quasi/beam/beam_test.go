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
	found, missed := map[string]int{}, map[string]int{}
	for seed := range uint64(rounds) {
		name := []string{"stack", "priority-queue", "counter"}[seed%3]
		h, err := gen.Small(name, seed, gen.SmallOptions{Most: 7, NoEdges: true, Keys: 1, Values: 7,
			Relax: int(seed / 3 % 4)})
		require.NoError(t, err)
		spec := testkit.Spec(t, name)
		b, err := spec.Bind(model.Whole(h))
		require.NoError(t, err)
		q := &quasi.Question{Factor: moved(name, int32(seed/12%4)), Drain: seed/48%2 == 0}
		a := beam.Find(context.Background(), &engine.Task{Instance: b, Quasi: q}, int32(seed/96%4), 2,
			engine.NewBudget(0, 0))
		if a.Cause == engine.Unsupported {
			continue
		}
		yes, _, _ := oracle.SlotsLinearizable(b, *q)
		switch {
		case a.Verdict == engine.Linearizable:
			found[name]++
			require.True(t, yes, "seed %d", seed)
			q.Factor = moved(name, min(int32(seed/12%4), a.Bound))
			require.NoError(t, verify.Rearrangement(b, q, a.Witness, a.Rearranged, a.Drains), "seed %d", seed)
		case yes:
			missed[name]++
		}
	}
	t.Logf("found %v, missed %v", found, missed)
	for name, n := range found {
		require.Greater(t, n, testenv.MoreThan(rounds/24), name)
		require.Less(t, 15*missed[name], n, name)
	}
	require.Len(t, found, 3)
	all := func(of map[string]int) (n int) {
		for _, k := range of {
			n += k
		}
		return n
	}
	require.Less(t, 20*all(missed), all(found))
}

// moved is the factor that gives a bound to removals, or tickets.
func moved(name string, bound int32) quasi.Factor {
	if name == "counter" {
		return quasi.Factor{0, 0, bound, 0}
	}
	return quasi.Factor{0, bound, 0}
}

// TestLongHistoriesAreRearranged asks about relaxed histories of which some operations never
// returned.
func TestLongHistoriesAreRearranged(t *testing.T) {
	for _, name := range []string{"stack", "priority-queue", "counter"} {
		for seed := range uint64(testenv.Scale(4, 40)) {
			c, err := gen.Generate(gen.Options{Spec: name, Operations: 3000, Processes: 8,
				PendingRate: []float64{0, 0.01, 0.05, 0.2}[seed%4], Relax: 4, Seed: seed})
			require.NoError(t, err)
			b, err := testkit.Spec(t, name).Bind(model.Whole(c.History))
			require.NoError(t, err)
			q := &quasi.Question{Factor: moved(name, 6), Drain: true}
			low := int32(3)
			if name == "counter" {
				low = 4
			}
			a := beam.Find(t.Context(), &engine.Task{Instance: b, Quasi: q}, low, 8, engine.NewBudget(0, 0))
			require.Equal(t, engine.Linearizable, a.Verdict, "%s, seed %d", name, seed)
			require.NoError(t, verify.Rearrangement(b, q, a.Witness, a.Rearranged, a.Drains))
		}
	}
}
