package wgl

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
	"github.com/linsat/linsat/internal/verify"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// What is found in the order of calls is a linearization, and on small histories, where the limit
// of steps is out of reach, one is found wherever the definition says that there is one.
func TestEarlyAgreesWithTheDefinition(t *testing.T) {
	for _, name := range []string{"register", "cas-register", "kv", "queue", "stack", "counter", "mutex", "set", "log", "rwmutex"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := named(t, name)
			applied, yes := 0, 0
			for seed := range uint64(testenv.Scale(2000, 100_000)) {
				h, err := gen.Small(name, seed, gen.SmallOptions{Most: 4 + int(seed%5), Distinct: seed%3 > 0})
				require.NoError(t, err)
				b, err := s.Bind(model.Whole(h))
				require.NoError(t, err)
				r, _ := start(context.Background(), &engine.Problem{Instance: b}, nil)
				if r.Classes == 0 || len(b.Partition.Edges) > 0 || r.Component != nil {
					require.Equal(t, undecided, r.decideEarly().outcome)
					if len(b.Partition.Edges) > 0 || r.Component != nil {
						continue
					}
					r.Words = 2 // as if more were open at once
				}
				applied++
				want, _ := oracle.Linearizable(b)
				withSeed(t, seed, func() {
					d := r.decideEarly()
					require.NoError(t, r.broken)
					require.Equal(t, want, d.outcome == found, "brute force says %v\n%s", want, randomspec.Show(b.Partition))
					if want {
						yes++
						require.NoError(t, verify.Witness(b, d.witness), "%s", randomspec.Show(b.Partition))
					}
				})
			}
			t.Logf("%d histories, %d linearizable", applied, yes)
			assert.Greater(t, applied, 100)
			assert.Greater(t, yes, 20)
		})
	}
}

// The same for random specifications, most of them nondeterministic.
func TestEarlyAgreesOnRandomMachines(t *testing.T) {
	applied, yes := 0, 0
	for seed := range uint64(testenv.Scale(4000, 200_000)) {
		rng := rand.New(rand.NewPCG(seed, 23))
		s := randomspec.New(rng, rng.IntN(3) == 0)
		p := model.Whole(randomspec.History(rng, s, 1+rng.IntN(9), max(0, rng.IntN(12)-7)))
		b, err := s.Bind(p)
		require.NoError(t, err)
		r, _ := start(context.Background(), &engine.Problem{Instance: b}, nil)
		if len(b.Partition.Edges) > 0 || r.Component != nil {
			continue
		}
		if r.Classes == 0 {
			r.Words = 2 // as if more were open at once
		}
		applied++
		want, _ := oracle.Linearizable(b)
		withSeed(t, seed, func() {
			d := r.decideEarly()
			require.Equal(t, want, d.outcome == found, "brute force says %v\n%s", want, randomspec.Show(p))
			if want {
				yes++
				require.NoError(t, oracle.Replay(b, d.witness))
			}
		})
	}
	t.Logf("%d histories, %d linearizable", applied, yes)
	assert.Greater(t, applied, 200)
	assert.Greater(t, yes, 50)
}
