package encode

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/oracle"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/linsat/linsat/solver"
	"github.com/stretchr/testify/require"
)

// inPieces compares random histories, cut into pieces of a few operations, with the definition.
func inPieces(t *testing.T, make func(r *rand.Rand) (*model.Instance, func(i int) string)) {
	t.Helper()
	var verdicts [3]int
	cut, n := 0, testenv.Scale(400, 8000)
	for seed := range uint64(n) {
		r := rand.New(rand.NewPCG(seed, 11))
		b, show := make(r)
		b.Partition.Edges = nil
		e := newSAT(newSolver)
		e.size = 1 + r.IntN(3)
		what := func() string { return fmt.Sprintf("size %d %s", e.size, describe(seed, b, show)) }
		a, err := e.Check(context.Background(), &engine.Problem{Instance: b}, nil)
		require.NoError(t, err, what())
		want := engine.NotLinearizable
		if ok, _ := oracle.Linearizable(b); ok {
			want = engine.Linearizable
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
	t.Logf("%d linearizable, %d not, %d of all in pieces", verdicts[engine.Linearizable],
		verdicts[engine.NotLinearizable], cut)
	require.Greater(t, verdicts[engine.Linearizable], testenv.MoreThan(n/20))
	require.Greater(t, verdicts[engine.NotLinearizable], testenv.MoreThan(n/20))
}

// theoryCuts says how often a partition is cut that is as it is.
func theoryCuts(b *model.Instance, size int) int {
	keep := make([]history.OpID, b.Partition.Len())
	var modes [][]model.Mode
	for i := range keep {
		keep[i] = history.OpID(i)
		if c, ok := b.Axiomatic().(*model.RegisterTheory); ok {
			modes = append(modes, c.Of(history.OpID(i)))
		}
	}
	return len(segmentsOf(b, keep, modes, size))
}

func TestSegmentsOfRegistersAgreeWithTheWhole(t *testing.T) {
	for _, k := range cellKinds {
		t.Run(k.name, func(t *testing.T) {
			inPieces(t, func(r *rand.Rand) (*model.Instance, func(int) string) { return randomCells(r, k) })
		})
	}
}

func TestSegmentsOfCountersAgreeWithTheWhole(t *testing.T) {
	for _, k := range countingKinds {
		t.Run(k.name, func(t *testing.T) {
			inPieces(t, func(r *rand.Rand) (*model.Instance, func(int) string) {
				return randomCounting(r, k.objects, k.deltas, k.tickets)
			})
		})
	}
}

// afresh is a solver that says that it starts afresh.
type afresh struct{ solver.Solver }

func (afresh) NonIncremental() {}

// The same answer whoever builds which piece when, and the same verdict of a solver that gets the
// formula of the whole.
func TestSegmentsAreDeterministic(t *testing.T) {
	for _, kind := range []string{"cas", "counter"} {
		for _, shifted := range []int{0, 2} {
			r := rand.New(rand.NewPCG(1, 2))
			p := &engine.Problem{Instance: large(kind, r, newRun(r, 2000, 6, shifted), 4)}
			first, err := newSAT(newSolver).Check(context.Background(), p, nil)
			require.NoError(t, err)
			require.NotEqual(t, engine.Unknown, first.Verdict)
			for range 3 {
				again, err := newSAT(newSolver).Check(context.Background(), p, nil)
				require.NoError(t, err)
				require.Equal(t, first, again)
			}
			if kind == "cas" {
				a, err := newSAT(func() solver.Solver {
					return afresh{newSolver()}
				}).Check(context.Background(), p, nil)
				require.NoError(t, err)
				require.Equal(t, first.Verdict, a.Verdict)
			}
		}
	}
}

// Limits hold in pieces, and what was counted is given back.
func TestSegmentsKeepLimits(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	p := &engine.Problem{Instance: large("register", r, newRun(r, 20000, 16, 0), 4)}
	m := engine.NewBudget(0, 100_000)
	a, err := newSAT(newSolver).Check(context.Background(), p, m)
	require.NoError(t, err)
	require.Equal(t, engine.Memory, a.Cause)
	require.Zero(t, m.Bytes())
	for _, limit := range []time.Duration{0, 20 * time.Millisecond, 50 * time.Millisecond} {
		m := engine.NewBudget(0, 0)
		ctx, cancel := context.WithTimeout(context.Background(), limit)
		a, err := newSAT(newSolver).Check(ctx, p, m)
		cancel()
		require.NoError(t, err)
		require.Equal(t, engine.Timeout, a.Cause)
		require.Zero(t, m.Bytes())
	}
}
