package pending

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/gen"
	"github.com/linsat/linsat/internal/gen/randomspec"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/oracle"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/linsat/linsat/internal/testkit"
	"github.com/linsat/linsat/internal/wgl"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// What is refuted with jumps has no linearization. Of the small histories that have none, many are
// refuted.
func TestJumpsAgreeWithTheDefinition(t *testing.T) {
	for _, name := range []string{"register", "cas-register", "kv", "queue", "stack", "counter", "set", "log", "bank"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := testkit.Spec(t, name)
			no, refuted := 0, 0
			for seed := range uint64(testenv.Scale(2000, 100_000)) {
				h, err := gen.Small(name, seed, gen.SmallOptions{Most: 4 + int(seed%5), Distinct: seed%3 > 0})
				require.NoError(t, err)
				b, err := s.Bind(model.Whole(h))
				require.NoError(t, err)
				checkJumps(t, seed, testkit.Opaque(b), &no, &refuted)
			}
			t.Logf("%d histories with pending operations not linearizable, %d of these refuted", no, refuted)
			assert.Greater(t, no, testenv.MoreThan(50))
			assert.Greater(t, refuted, no/4)
		})
	}
}

// The same for random specifications, most of them nondeterministic.
func TestJumpsAgreeOnRandomMachines(t *testing.T) {
	no, refuted := 0, 0
	for seed := range uint64(testenv.Scale(4000, 200_000)) {
		rng := rand.New(rand.NewPCG(seed, 31))
		s := randomspec.New(rng, rng.IntN(3) == 0)
		b, err := s.Bind(model.Whole(randomspec.History(rng, s, 1+rng.IntN(9), max(0, rng.IntN(12)-7))))
		require.NoError(t, err)
		checkJumps(t, seed, testkit.Opaque(b), &no, &refuted)
	}
	t.Logf("%d histories with pending operations not linearizable, %d of these refuted", no, refuted)
	assert.Greater(t, no, testenv.MoreThan(200))
	assert.Greater(t, refuted, no/4)
}

func checkJumps(t *testing.T, seed uint64, b *model.Instance, no, refuted *int) {
	r, _ := wgl.Begin(context.Background(), &engine.Problem{Instance: b}, nil, NewRun)
	if r.Classes == 0 || r.Component != nil {
		require.Equal(t, wgl.Undecided, Jumps(r).Outcome)
		return
	}
	want, _ := oracle.Linearizable(b)
	testkit.WithSeed(t, seed, func() {
		d := Jumps(r)
		require.NoError(t, r.Broken)
		require.Contains(t, []wgl.Outcome{wgl.Undecided, wgl.Failed}, d.Outcome)
		if d.Outcome == wgl.Failed {
			require.False(t, want, "%s", randomspec.Show(b.Partition))
			require.True(t, slices.ContainsFunc(r.Returns, func(i history.OpID) bool {
				return r.Ops[i].Return == d.Reached
			}))
			*refuted++
		}
		if !want {
			*no++
		}
	})
}

// Late violations of long histories of a register with many unknown writes are refuted within the
// limits, though nothing is known of it but its steps.
func TestJumpsRefuteLongHistories(t *testing.T) {
	for seed := range uint64(4) {
		c, err := gen.Generate(gen.Options{Spec: "register", Operations: 3000, Processes: 4 + 4*int(seed%2),
			PendingRate: 0.03, Seed: seed, Violation: "stale"})
		require.NoError(t, err)
		b, err := testkit.Spec(t, "register").Bind(model.Whole(c.History))
		require.NoError(t, err)
		r, _ := wgl.Begin(context.Background(), &engine.Problem{Instance: testkit.Opaque(b)}, nil, NewRun)
		require.Equal(t, wgl.Failed, Jumps(r).Outcome, "seed %d", seed)
	}
}
