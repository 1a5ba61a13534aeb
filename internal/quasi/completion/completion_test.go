package completion_test

import (
	"context"
	"testing"

	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/gen"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/oracle"
	"github.com/linsat/linsat/internal/quasi/completion"
	"github.com/linsat/linsat/internal/quasi/monitor"
	"github.com/linsat/linsat/internal/quasi/search"
	"github.com/linsat/linsat/internal/specs"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/linsat/linsat/internal/testkit"
	"github.com/linsat/linsat/quasi"
	"github.com/stretchr/testify/require"
)

// TestCompletionsAreOfTheHistory compares a completion with its history by brute force: if the
// completion is quasi-linearizable, so is the history.
func TestCompletionsAreOfTheHistory(t *testing.T) {
	rounds := testenv.Scale(8_000, 200_000)
	some, found := 0, 0
	for seed := range uint64(rounds) {
		name := []string{"queue", "stack", "priority-queue", "unordered-queue"}[seed%4]
		h, err := gen.Small(name, seed, gen.SmallOptions{Most: 7, NoEdges: true, Keys: 1, Values: 1 + int(seed/4%3),
			Relax: int(seed / 4 % 4)})
		require.NoError(t, err)
		spec := testkit.Spec(t, name)
		b, err := spec.Bind(model.Whole(h))
		require.NoError(t, err)
		p, index := completion.Of(t.Context(), b)
		if p == nil {
			continue
		}
		some++
		for k := range p.Ops {
			given := &b.Partition.Ops[index[k]]
			require.False(t, p.Ops[k].Pending())
			require.Equal(t, given.Call, p.Ops[k].Call)
			if !given.Pending() {
				require.Equal(t, *given, p.Ops[k])
			}
		}
		completed, err := spec.Bind(p)
		require.NoError(t, err)
		q := quasi.Question{Factor: quasi.Factor{0, int32(seed / 16 % 3), 0}, Drain: seed/4%2 == 0}
		if yes, _, _ := oracle.SlotsLinearizable(completed, q); yes {
			found++
			given, _, _ := oracle.SlotsLinearizable(b, q)
			require.True(t, given, "seed %d", seed)
		}
	}
	require.Greater(t, some, rounds/8)
	require.Greater(t, found, rounds/32)
}

// TestNoCompletionPastTheLimit: a stack of two values, of which each removal looks at many items,
// is given up if the time is over.
func TestNoCompletionPastTheLimit(t *testing.T) {
	c, err := gen.Generate(gen.Options{Spec: "stack", Operations: 10_000, Processes: 4, PendingRate: 0.01, Values: 2})
	require.NoError(t, err)
	b, err := testkit.Spec(t, "stack").Bind(model.Whole(c.History))
	require.NoError(t, err)
	over, cancel := context.WithCancel(t.Context())
	p, _ := completion.Of(over, b)
	require.NotNil(t, p)
	cancel()
	p, _ = completion.Of(over, b)
	require.Nil(t, p)
}

// TestLongHistoriesAreDecidedByTheirCompletions asks about relaxed histories of 1,000 operations,
// of which one in twenty never returned.
func TestLongHistoriesAreDecidedByTheirCompletions(t *testing.T) {
	for _, name := range []string{"queue", "priority-queue", "unordered-queue"} {
		for seed := range uint64(3) {
			c, err := gen.Generate(gen.Options{Spec: name, Operations: 1000, Processes: 4, PendingRate: 0.05,
				Relax: 2, Seed: seed})
			require.NoError(t, err)
			spec, _ := specs.Lookup(name)
			b, err := spec.Bind(model.Whole(c.History))
			require.NoError(t, err)
			p, _ := completion.Of(t.Context(), b)
			require.NotNil(t, p)
			completed, err := spec.Bind(p)
			require.NoError(t, err)
			q := &engine.Task{Instance: completed, Quasi: &quasi.Question{Factor: quasi.Factor{0, 2, 0}, Drain: true}}
			var verdict engine.Verdict
			for _, e := range []engine.Decider{monitor.New(), search.New()} {
				if verdict != engine.Unknown {
					break
				}
				a, err := e.Check(context.Background(), q, engine.NewBudget(200_000, 0))
				require.NoError(t, err)
				verdict = a.Verdict
			}
			require.Equal(t, engine.Linearizable, verdict, "%s, seed %d", name, seed)
		}
	}
}
