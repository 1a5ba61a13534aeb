package encode

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/cnf"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/oracle"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/stretchr/testify/require"
)

// decideBy decides a partition by an encoding.
func decideBy(t *testing.T, b *model.Instance, enc encoding) engine.Verdict {
	keep := make([]history.OpID, b.Partition.Len())
	for i := range keep {
		keep[i] = history.OpID(i)
	}
	keep, contradiction := enc.reduce(keep)
	if contradiction != "" {
		return engine.NotLinearizable
	}
	f := cnf.NewBuilder(context.Background(), nil, b.Partition.Ops, keep, nil)
	require.True(t, f.InTime(func() { f.Build(newSolver, b, enc) }))
	defer f.Release()
	a, err := f.Decide(b.Partition)
	require.NoError(t, err)
	return a.Verdict
}

// Counters whose sums are added up bit by bit agree with the definition.
func TestAddedCountersAgreeWithTheDefinition(t *testing.T) {
	large := []int64{0, 0, 1, -3, 1 << 20, 1<<20 + 1, -1 << 21, 1<<27 - 1, -1 << 27}
	yes, n := 0, testenv.Scale(2_000, 20_000)
	for seed := range uint64(n) {
		r := rand.New(rand.NewPCG(seed, 7))
		k := countingKinds[seed%uint64(len(countingKinds))]
		if seed%2 == 0 {
			k.deltas = large
		}
		b, _ := randomCounting(r, 1, k.deltas, k.tickets)
		theory := b.Theory.(*model.CountingTheory)
		c := newCounting(theory, b.Partition)
		c.left = -1
		want := engine.NotLinearizable
		if ok, _ := oracle.Linearizable(b); ok {
			yes++
			want = engine.Linearizable
		}
		require.Equal(t, want, decideBy(t, b, c), "seed %d", seed)
	}
	require.Greater(t, yes, n/10)
}

// Sums at the ends of 64 bits are exact, whether they are listed from both ends or added.
func TestSumsMeetAndAreAdded(t *testing.T) {
	for seed := range uint64(testenv.Scale(2_000, 20_000)) {
		r := rand.New(rand.NewPCG(seed, 8))
		n := 1 + r.IntN(8)
		deltas := make([]int64, n)
		up, down := int64(math.MaxInt64), int64(math.MinInt64)
		for k := range deltas {
			switch r.IntN(4) {
			case 0:
				deltas[k] = 1 + r.Int64N(up)/int64(1+r.IntN(3))
			case 1:
				deltas[k] = -1 - r.Int64N(-(down+1))/int64(1+r.IntN(3))
			default:
				deltas[k] = r.Int64N(7) - 3
			}
			if deltas[k] > 0 {
				deltas[k] = min(deltas[k], up)
				up = max(1, up-deltas[k])
			} else if deltas[k] < 0 {
				deltas[k] = max(deltas[k], down)
				down = min(-2, down-deltas[k])
			}
		}
		target := int64(0)
		for _, d := range deltas {
			if r.IntN(2) == 0 {
				target += d
			}
		}
		target += r.Int64N(3) - 1
		times, kind := make([][2]history.Rank, n+1), make([]int32, n+1)
		theory := &model.CountingTheory{Object: make([]model.CellID, n+1), Delta: append(deltas, 0),
			Observes: make([]bool, n+1), Observed: make([]int64, n+1), Init: []int64{0}}
		for i := range times {
			times[i], kind[i] = [2]history.Rank{1, 9}, int32(i)
		}
		theory.Observes[n], theory.Observed[n] = true, target
		if !theory.Exact() {
			continue
		}
		b := &model.Instance{Partition: part(times), Theory: theory, EquivID: kind}
		want := engine.NotLinearizable
		for set := range 1 << n {
			sum := int64(0)
			for k, d := range deltas {
				if set>>k&1 != 0 {
					sum += d
				}
			}
			if sum == target {
				want = engine.Linearizable
			}
		}
		for _, left := range []int{maxSums, -1} {
			c := newCounting(theory, b.Partition)
			c.left = left
			require.Equal(t, want, decideBy(t, b, c), "seed %d, left %d: %v make %d", seed, left, deltas, target)
		}
	}
}
