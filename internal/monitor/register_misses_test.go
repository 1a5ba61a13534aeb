package monitor

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/gen"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestFailedSwapsAgreeWithTheDefinition has few values and many swaps that say which one they did
// not find.
func TestFailedSwapsAgreeWithTheDefinition(t *testing.T) {
	for _, pending := range []bool{false, true} {
		var n tally
		for seed := range uint64(sample(40_000)) {
			rng := rand.New(rand.NewPCG(seed, 7))
			steps := randomCell(rng, cellOptions{most: 6, swaps: true, fails: true, pending: pending})
			fresh := 100
			for range 1 + rng.IntN(4) {
				s := step{f: "cas", fails: true, old: rng.IntN(4), new: fresh}
				s.call = rng.IntN(12)
				s.ret = s.call + rng.IntN(5)
				fresh++
				steps = append(steps, s)
			}
			if !n.compare(t, bindCell(t, steps, 0), fmt.Sprintf("seed %d: %+v", seed, steps)) {
				return
			}
		}
		assert.Greater(t, min(n.yes, n.no), testenv.MoreThan(100))
		t.Logf("pending %v: %+v", pending, n)
	}
}

// A failed swap whose value is held from the first write on can stand before that write.
func TestAFailedSwapStandsBeforeTheFirstWrite(t *testing.T) {
	a := plainly(t, bindCell(t, []step{{f: "write", new: 1, call: 0, ret: 10},
		{f: "cas", fails: true, old: 1, new: 2, call: 5, ret: 6}, {f: "read", new: 1, call: 20, ret: 21}}, 0))
	assert.Equal(t, engine.Linearizable, a.Verdict, a.Detail)
}

// TestLongRunsWithFailedSwapsAreProved counts which linearizable histories are decided: in each, a
// few failed swaps have no place in the first order.
func TestLongRunsWithFailedSwapsAreProved(t *testing.T) {
	proved, all := 0, 0
	for _, processes := range []int{2, 4, 8, 16, 64} {
		for seed := range uint64(testenv.Scale(2, 20)) {
			c, err := gen.Generate(gen.Options{Spec: "cas-register", Operations: 20_000,
				Processes: processes, Seed: seed})
			require.NoError(t, err)
			b := bindAs(t, "cas-register", model.Whole(c.History))
			a := plainly(t, b)
			if all++; a.Verdict != engine.Unknown {
				proved++
				require.Equal(t, engine.Linearizable, a.Verdict)
				require.NoError(t, judged(b, a))
			}
		}
	}
	t.Logf("%d of %d", proved, all)
	assert.Greater(t, 10*proved, 9*all)
}
