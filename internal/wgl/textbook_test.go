package wgl

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/gen"
	"github.com/linsat/linsat/internal/gen/randomspec"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/oracle"
	"github.com/linsat/linsat/internal/specs"
	"github.com/linsat/linsat/internal/testkit"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestTextbookAgreesWithTheDefinition compares the textbook, with any cache, with the definition on
// 24,000 random histories, half of random machines and half of all specifications.
func TestTextbookAgreesWithTheDefinition(t *testing.T) {
	yes, no, pending, unknown := 0, 0, 0, 0
	judge := func(seed uint64, b *model.Instance) {
		want, _ := oracle.Linearizable(b)
		for i := range b.Partition.Ops {
			if b.Partition.Ops[i].Pending() {
				pending++
			} else if b.Partition.Ops[i].Unknown {
				unknown++
			}
		}
		for _, most := range []int{math.MaxInt, 8 + int(seed%32)} {
			a, err := (&Textbook{most}).Check(context.Background(), &engine.Problem{Instance: b}, nil)
			require.NoError(t, err)
			require.Equal(t, map[bool]engine.Verdict{true: engine.Linearizable, false: engine.NotLinearizable}[want],
				a.Verdict,
				"seed %d, cache of %d\n%s", seed, most, randomspec.Show(b.Partition))
			if want {
				require.NoError(t, oracle.Replay(b, a.Witness), "seed %d\n%s", seed, randomspec.Show(b.Partition))
			}
		}
		if want {
			yes++
		} else {
			no++
		}
	}
	for seed := range uint64(12_000) {
		rng := rand.New(rand.NewPCG(seed, 41))
		s := randomspec.New(rng, rng.IntN(2) == 0)
		p := model.Whole(randomspec.History(rng, s, 1+rng.IntN(8), 0))
		if p.Edges = nil; rng.IntN(3) == 0 {
			p = randomspec.Forget(rng, p)
		}
		b, err := s.Bind(p)
		require.NoError(t, err)
		judge(seed, b)
	}
	all := specs.All()
	for seed := range uint64(12_000) {
		s := all[seed%uint64(len(all))]
		if s.Info().Name == "max-priority-queue" {
			continue // the generator knows it by the other order only
		}
		h, err := gen.Small(s.Info().Name, seed, gen.SmallOptions{Most: 4 + int(seed%4), Values: int(seed % 4),
			NoEdges: true})
		require.NoError(t, err)
		p := model.Whole(h)
		if p.Edges = nil; seed%4 == 0 {
			p = randomspec.Forget(rand.New(rand.NewPCG(seed, 42)), p)
		}
		b, err := s.Bind(p)
		require.NoError(t, err)
		judge(seed, b)
	}
	t.Logf("%d linearizable, %d not; %d pending operations, %d unknown results", yes, no, pending, unknown)
	for _, n := range []int{yes, no, pending, unknown} {
		assert.Greater(t, n, 2000)
	}
}

// TestTextbookStopsAtItsLimits: steps, memory, a cancelled context and explicit order.
func TestTextbookStopsAtItsLimits(t *testing.T) {
	c, err := gen.Generate(gen.Options{Spec: "queue", Operations: 400, Processes: 8, Seed: 1})
	require.NoError(t, err)
	b, err := testkit.Spec(t, "queue").Bind(model.Whole(c.History))
	require.NoError(t, err)
	ask := func(ctx context.Context, m *engine.Budget) engine.Answer {
		a, err := NewTextbook(false).Check(ctx, &engine.Problem{Instance: b}, m)
		require.NoError(t, err)
		return a
	}
	assert.Equal(t, engine.Steps, ask(context.Background(), engine.NewBudget(100, 0)).Cause)
	assert.Equal(t, engine.Memory, ask(context.Background(), engine.NewBudget(0, 1<<12)).Cause)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	assert.Equal(t, engine.Unknown, ask(ctx, engine.NewBudget(0, 0)).Verdict)
	assert.Equal(t, "textbook", NewTextbook(false).Name())
	assert.Equal(t, "textbook:lru", NewTextbook(true).Name())
}
