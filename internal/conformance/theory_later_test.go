package conformance_test

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/linsat/linsat"
	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/spec"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestTheoriesOfManyPartitionsAreDerivedLater compares a register of the caller's own, of which the
// history has so many partitions that theories are derived only where they are needed, with the
// shipped register: the verdict of every partition, and that a violation is certified with a core.
func TestTheoriesOfManyPartitionsAreDerivedLater(t *testing.T) {
	mine, err := spec.Define(spec.Definition[int64]{Name: "mine", Step: func(s int64, c spec.Call) []spec.Outcome[int64] {
		switch c.F {
		case "write":
			return []spec.Outcome[int64]{spec.Leaves(c.Arg.(int64))}
		case "read":
			return []spec.Outcome[int64]{spec.Returns(s, s)}
		}
		return nil
	}})
	require.NoError(t, err)
	violations := 0
	for seed := range uint64(20) {
		r := rand.New(rand.NewPCG(seed, 1))
		rec := history.NewRecorder()
		for key := range 80 {
			rec.CallKey(0, key, "write", 0).Return(nil)
			a := rec.CallKey(0, key, "write", 1)
			b := rec.CallKey(10+key, key, "write", 2)
			a.Return(nil)
			if r.IntN(8) > 0 {
				b.Return(nil)
			}
			found := 1 + r.IntN(2)
			if r.IntN(100) == 0 {
				found = 0
			}
			rec.CallKey(2, key, "read", nil).Return(found)
		}
		h, err := rec.History()
		require.NoError(t, err)
		want, err := linsat.Check(context.Background(), spec.Register(), h)
		require.NoError(t, err)
		got, err := linsat.Check(context.Background(), mine, h)
		require.NoError(t, err)
		require.Equal(t, want.Verdict, got.Verdict, "seed %d", seed)
		require.Equal(t, len(want.PartitionVerdicts), len(got.PartitionVerdicts))
		for i := range want.PartitionVerdicts {
			assert.Equal(t, want.PartitionVerdicts[i].Verdict, got.PartitionVerdicts[i].Verdict, "seed %d, part %d", seed, i)
		}
		assert.True(t, got.Certified, "seed %d: %s", seed, got.Uncertified)
		if got.Verdict == linsat.NotLinearizable {
			violations++
			require.NotNil(t, got.Core, "seed %d", seed)
			assert.True(t, got.Core.Minimal, "seed %d", seed)
			assert.Equal(t, len(want.Core.Facts), len(got.Core.Facts), "seed %d", seed)
		}
	}
	assert.Greater(t, violations, 5)
}
