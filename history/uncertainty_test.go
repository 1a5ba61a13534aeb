package history

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestUncertaintyByDefinition compares ranks and edges with the closure of wider intervals and the
// order of each process.
func TestUncertaintyByDefinition(t *testing.T) {
	const rounds = 40_000
	left, wider, cycles := 0, 0, 0
	for seed := range uint64(rounds) {
		rng := rand.New(rand.NewPCG(seed, 33))
		records, processes, edges := randomRecords(rng)
		by := 1 + rng.Int64N(4)
		want := uncertainClosure(records, edges, by)
		b := NewBuilder()
		b.SetUncertainty(by)
		add(t, b, processes, records, edges)
		h, err := b.Finish()
		if cyclic(want) {
			cycles++
			require.Error(t, err)
			continue
		}
		require.NoError(t, err)
		RequireRanks(t, h, seed)
		requireOrder(t, h, want, input{seed, records, edges})
		left += len(h.Edges)
		for i, row := range closure(records, edges) {
			for j := range row {
				require.False(t, want[i][j] && !row[j])
				if row[j] && !want[i][j] {
					wider++
				}
			}
		}
		for i := range h.Ops {
			require.Equal(t, records[h.Origins[i].Position].Call, h.Origins[i].CallTime,
				"the times are those of the input")
		}
	}
	require.Greater(t, left, rounds/20)
	require.Greater(t, wider, rounds/2)
	require.Greater(t, cycles, rounds/100)
}

func TestUncertaintyIsRefused(t *testing.T) {
	for by, text := range map[int64]string{
		-1: `{"process":1,"f":"write","arg":1,"call":0,"return":1}`,
		5: `{"type":"invoke","process":1,"f":"write","value":1}` + "\n" +
			`{"type":"ok","process":1,"f":"write","value":1}`,
	} {
		_, err := Read(strings.NewReader(text), ReadOptions{Uncertainty: by})
		require.ErrorContains(t, err, "uncertain")
	}
	for _, by := range []int64{1, math.MaxInt64} { // times at the ends of all time
		b := NewBuilder()
		b.SetUncertainty(by)
		add(t, b, 2, []Record{{Key: NoKey, Call: math.MinInt64, Return: math.MaxInt64 - 1},
			{Process: 1, Key: NoKey, Call: 3, Return: 3}}, nil)
		_, err := b.Finish()
		require.NoError(t, err)
	}
}
