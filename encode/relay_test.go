package encode

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/linsat/linsat/check"
	"github.com/linsat/linsat/internal/oracle"
	"github.com/linsat/linsat/spec"
)

// inPieces compares random histories, cut into pieces of a few operations, with the definition.
func inPieces(t *testing.T, make func(r *rand.Rand) (*spec.Bound, func(i int) string)) {
	t.Helper()
	var verdicts [3]int
	cut, n := 0, full(1200, 8000)
	for seed := range uint64(n) {
		r := rand.New(rand.NewPCG(seed, 11))
		b, show := make(r)
		b.Part.Edges = nil
		e := New(newSolver)
		e.size = 1 + r.IntN(3)
		what := func() string { return fmt.Sprintf("size %d %s", e.size, describe(seed, b, show)) }
		a, err := e.Check(context.Background(), &check.Problem{Bound: b}, nil)
		require.NoError(t, err, what())
		want := check.NotLinearizable
		if ok, _ := oracle.Linearizable(b); ok {
			want = check.Linearizable
			if a.Verdict == want {
				if err := oracle.Replay(b, a.Witness); err != nil {
					require.NoError(t, err, what())
				}
			}
		}
		if want != a.Verdict {
			require.Equal(t, want, a.Verdict, "%s %s %s", a.Cause, a.Detail, what())
		}
		verdicts[want]++
		if theoryCuts(b, e.size) > 0 {
			cut++
		}
	}
	t.Logf("%d linearizable, %d not, %d of all in pieces", verdicts[check.Linearizable], verdicts[check.NotLinearizable], cut)
	require.Greater(t, verdicts[check.Linearizable], n/20)
	require.Greater(t, verdicts[check.NotLinearizable], n/20)
}

// theoryCuts says how often a part is cut that is as it is.
func theoryCuts(b *spec.Bound, size int) int {
	keep := make([]int32, b.Part.Len())
	var modes [][]spec.Mode
	for i := range keep {
		keep[i] = int32(i)
		if c, ok := b.Theory.(*spec.Cells); ok {
			modes = append(modes, c.Of(int32(i)))
		}
	}
	return len(cuts(b, keep, modes, size))
}

func TestPiecesOfCells(t *testing.T) {
	for _, k := range cellKinds {
		t.Run(k.name, func(t *testing.T) {
			inPieces(t, func(r *rand.Rand) (*spec.Bound, func(int) string) { return randomCells(r, k) })
		})
	}
}

func TestPiecesOfCounters(t *testing.T) {
	for _, k := range countingKinds {
		t.Run(k.name, func(t *testing.T) {
			inPieces(t, func(r *rand.Rand) (*spec.Bound, func(int) string) {
				return randomCounting(r, k.objects, k.deltas, k.tickets)
			})
		})
	}
}
