package pending

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/gen"
	"github.com/linsat/linsat/internal/gen/randomspec"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/oracle"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/linsat/linsat/internal/testkit"
	"github.com/linsat/linsat/internal/verify"
	"github.com/linsat/linsat/internal/wgl"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// What is found with few pending operations at each place is a linearization. Of the small
// histories that have one, few are missed.
func TestFewAgreesWithTheDefinition(t *testing.T) {
	for _, name := range []string{"register", "cas-register", "kv", "queue", "stack", "counter", "mutex", "set", "log",
		"rwmutex", "bank"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := testkit.Spec(t, name)
			applied, yes, missed := 0, 0, 0
			for seed := range uint64(testenv.Scale(2000, 100_000)) {
				h, err := gen.Small(name, seed, gen.SmallOptions{Most: 4 + int(seed%5), Distinct: seed%3 > 0})
				require.NoError(t, err)
				b, err := s.Bind(model.Whole(h))
				require.NoError(t, err)
				r, _ := wgl.Begin(context.Background(), &engine.Problem{Instance: b}, nil, NewRun)
				if r.Classes == 0 {
					require.Equal(t, wgl.Undecided, Few(r).Outcome)
					continue
				}
				applied++
				want, _ := oracle.Linearizable(b)
				testkit.WithSeed(t, seed, func() {
					d := Few(r)
					require.NoError(t, r.Broken)
					require.NotEqual(t, wgl.Failed, d.Outcome)
					if d.Outcome == wgl.Found {
						require.True(t, want, "%s", randomspec.Show(b.Partition))
						require.NoError(t, verify.Witness(b, d.Witness), "%s", randomspec.Show(b.Partition))
					}
					if want && len(b.Partition.Edges) == 0 {
						yes++
						if d.Outcome != wgl.Found {
							missed++
						}
					}
				})
			}
			t.Logf("%d histories, %d linearizable, %d of these missed", applied, yes, missed)
			assert.Greater(t, applied, testenv.MoreThan(100))
			assert.Greater(t, yes, testenv.MoreThan(20))
			assert.Less(t, missed, 1+yes/20)
		})
	}
}

// The same for random specifications, most of them nondeterministic.
func TestFewAgreesOnRandomMachines(t *testing.T) {
	applied, yes, missed := 0, 0, 0
	for seed := range uint64(testenv.Scale(4000, 200_000)) {
		rng := rand.New(rand.NewPCG(seed, 29))
		s := randomspec.New(rng, rng.IntN(3) == 0)
		p := model.Whole(randomspec.History(rng, s, 1+rng.IntN(9), max(0, rng.IntN(12)-7)))
		b, err := s.Bind(p)
		require.NoError(t, err)
		r, _ := wgl.Begin(context.Background(), &engine.Problem{Instance: b}, nil, NewRun)
		if r.Classes == 0 {
			continue
		}
		applied++
		want, _ := oracle.Linearizable(b)
		testkit.WithSeed(t, seed, func() {
			d := Few(r)
			if d.Outcome == wgl.Found {
				require.True(t, want, "%s", randomspec.Show(p))
				require.NoError(t, oracle.Replay(b, d.Witness))
				require.NoError(t, verify.Witness(b, d.Witness))
			}
			if want && len(p.Edges) == 0 {
				yes++
				if d.Outcome != wgl.Found {
					missed++
				}
			}
		})
	}
	t.Logf("%d histories, %d linearizable, %d of these missed", applied, yes, missed)
	assert.Greater(t, applied, testenv.MoreThan(200))
	assert.Greater(t, yes, testenv.MoreThan(50))
	assert.Less(t, missed, 1+yes/20)
}

// Long histories of objects without a bound on their states, whose operations tell the state soon,
// are found within the limits.
func TestFewFindsLongHistories(t *testing.T) {
	for _, name := range []string{"bank", "log", "counter"} {
		for seed := range uint64(4) {
			processes := 4 + 4*int(seed%2)
			c, err := gen.Generate(gen.Options{Spec: name, Operations: 3000, Processes: processes,
				PendingRate: 0.03, Seed: seed})
			require.NoError(t, err)
			b, err := testkit.Spec(t, name).Bind(model.Whole(c.History))
			require.NoError(t, err)
			r, _ := wgl.Begin(context.Background(), &engine.Problem{Instance: b}, nil, NewRun)
			d := Few(r)
			require.Equal(t, wgl.Found, d.Outcome, "%s, seed %d", name, seed)
			require.NoError(t, verify.Witness(b, d.Witness))
		}
	}
}
