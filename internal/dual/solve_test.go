package dual_test

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/linsat/linsat/internal/dual"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/gen/randomspec"
	"github.com/linsat/linsat/internal/layout"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/oracle"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/linsat/linsat/internal/transition"
	"github.com/linsat/linsat/internal/verify"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Refutations are verified and right, and a path is only found where there is a linearization.
// Pauses change nothing.
func TestAnswersAgreeWithTheDefinition(t *testing.T) {
	seen, paused := map[dual.Outcome]int{}, 0
	for seed := range uint64(testenv.Scale(4000, 20000)) {
		rng := rand.New(rand.NewPCG(seed, 31))
		s := randomspec.New(rng, rng.IntN(3) > 0)
		b, err := s.Bind(model.Whole(randomspec.History(rng, s, 4+rng.IntN(8), 0)))
		require.NoError(t, err)
		account := engine.Account{Ctx: context.Background(), Limit: math.MaxInt64}
		l := layout.New(b, b.Partition.Len())
		table := transition.New(b.NewMachine(), b.EquivID)
		space := dual.NewSpace(l, &table, &account)
		require.NotNil(t, space, "seed %d", seed)
		want, _ := oracle.Linearizable(b)
		x := space.Solver(&account).GoOn(math.MaxInt64, 20)
		seen[x.Status]++
		spent := account.Steps
		again := space.Solver(&account)
		y := again.GoOn(1, 20)
		for ; y.Status == dual.Paused; y = again.GoOn(1, 20) {
			paused++
		}
		require.Equal(t, x.Status, y.Status, "seed %d: pauses change the answer", seed)
		require.Equal(t, spent, account.Steps-spent, "seed %d: pauses take steps", seed)
		require.Equal(t, x.Refutation, y.Refutation, "seed %d", seed)
		require.Equal(t, x.Path, y.Path, "seed %d", seed)
		switch x.Status {
		case dual.Refuted:
			require.False(t, want, "seed %d: refuted what is linearizable\n%s", seed, randomspec.Show(b.Partition))
			require.NoError(t, verify.Proof(context.Background(), nil, b, x.Refutation), "seed %d", seed)
		case dual.Linearizable:
			require.True(t, want, "seed %d: found a path of what is not linearizable\n%s", seed,
				randomspec.Show(b.Partition))
		default:
			require.Equal(t, dual.Undecided, x.Status, "seed %d", seed)
			require.NotNil(t, x.Bounds)
			require.LessOrEqual(t, x.Bounds.Rest(x.Bounds.Goal()), int64(0))
		}
		account.Close()
	}
	t.Logf("%v, %d pauses", seen, paused)
	assert.Greater(t, paused, testenv.MoreThan(100))
	assert.Greater(t, seen[dual.Refuted], testenv.MoreThan(100))
	assert.Greater(t, seen[dual.Linearizable], testenv.MoreThan(100))
}

// A search with one step less than it needs is stopped, and says by what.
func TestStepLimitsStopTheDual(t *testing.T) {
	stopped := 0
	for seed := range uint64(200) {
		rng := rand.New(rand.NewPCG(seed, 32))
		s := randomspec.New(rng, true)
		b, err := s.Bind(model.Whole(randomspec.History(rng, s, 8+rng.IntN(8), 0)))
		require.NoError(t, err)
		solve := func(limit int64) (dual.Outcome, engine.Account) {
			account := engine.Account{Ctx: context.Background(), Limit: limit}
			table := transition.New(b.NewMachine(), b.EquivID)
			space := dual.NewSpace(layout.New(b, b.Partition.Len()), &table, &account)
			require.NotNil(t, space, "seed %d", seed)
			return space.Solver(&account).GoOn(math.MaxInt64, 20).Status, account
		}
		_, free := solve(math.MaxInt64)
		if free.Steps == 0 {
			continue
		}
		status, account := solve(free.Steps - 1)
		assert.Equal(t, dual.Stopped, status, "seed %d", seed)
		assert.Equal(t, engine.Steps, account.Cause, "seed %d", seed)
		stopped++
	}
	assert.Greater(t, stopped, 20)
}
