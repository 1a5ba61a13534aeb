package lineup

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/linsat/linsat/explore"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// What the paper proves, on random objects under all schedules.

func unbounded(t *testing.T, seed uint64, c *explore.Case) *Result {
	t.Helper()
	r, err := Check(context.Background(), c, Options{Bound: -1})
	require.NoError(t, err, "seed %d", seed)
	require.NotEqual(t, Unknown, r.Verdict, "seed %d", seed)
	return r
}

// TestCompleteness is Theorem 5: an object that is linearizable with respect to a deterministic
// specification never fails. The models are, blocking included: their operations take effect in one
// compare-and-swap.
func TestCompleteness(t *testing.T) {
	rounds := testenv.Scale(200, 20000)
	stuck := 0
	for seed := range uint64(rounds) {
		r := rand.New(rand.NewPCG(seed, 5))
		m := randomModel(r)
		c := randomCase(r, m.object(), 6)
		result := unbounded(t, seed, c)
		require.Equal(t, Pass, result.Verdict, "seed %d: %s", seed, c)
		stuck += result.Concurrent.Stuck
	}
	assert.Greater(t, stuck, testenv.MoreThan(rounds))
}

// TestFailuresStay is Lemma 8: if a test fails, every test that it is a prefix of fails. And a test
// fails whatever the order of its threads, which AutoCheck and Shrink rely on.
func TestFailuresStay(t *testing.T) {
	rounds := testenv.Scale(600, 20000)
	failed := 0
	for seed := range uint64(rounds) {
		r := rand.New(rand.NewPCG(seed, 6))
		m := randomModel(r)
		c := randomCase(r, m.sloppy(seed%2 == 0), 4)
		c.After = nil // the lemma is about threads
		verdict := unbounded(t, seed, c).Verdict
		turned := *c
		turned.Threads = slices.Clone(c.Threads)
		slices.Reverse(turned.Threads)
		require.Equal(t, verdict, unbounded(t, seed, &turned).Verdict, "seed %d: %s", seed, c)
		if verdict == Pass {
			continue
		}
		failed++
		longer := turned
		for range 1 + r.IntN(2) {
			k := r.IntN(len(longer.Threads))
			longer.Threads[k] = append(slices.Clone(longer.Threads[k]), explore.Call{F: names[r.IntN(3)]})
		}
		require.Equal(t, Fail, unbounded(t, seed, &longer).Verdict, "seed %d: %s is a prefix of %s", seed, c, &longer)
	}
	assert.Greater(t, failed, testenv.MoreThan(rounds/20))
}
