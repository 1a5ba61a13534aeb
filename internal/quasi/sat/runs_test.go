package sat

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/gen"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/quasi/verify"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/linsat/linsat/internal/testkit"
	"github.com/linsat/linsat/quasi"
	"github.com/stretchr/testify/require"
)

// relaxedRun generates a long history whose removals are displaced.
func relaxedRun(t testing.TB, o gen.Options) *model.Instance {
	t.Helper()
	c, err := gen.Generate(o)
	require.NoError(t, err)
	require.Equal(t, gen.Yes, c.Known)
	s := testkit.Spec(t, o.Spec)
	b, err := s.Bind(model.Whole(c.History))
	require.NoError(t, err)
	return b
}

// A history whose removals were displaced by up to K is accepted at K under both meanings, and at K
// and beyond only.
func TestDisplacedRemovalsAreAcceptedAtTheirBound(t *testing.T) {
	for _, name := range relaxedSpecs {
		for i, o := range []gen.Options{
			{Operations: 150, Processes: 8, EmptyRate: 0.1, Relax: 2},
			{Operations: 300, Processes: 4, Relax: 4},
			{Operations: 60, Processes: 4, EmptyRate: 0.1, Relax: 2, Values: 4},
			{Operations: 80, Processes: 6, Relax: 1, PendingRate: 0.05},
			{Operations: 60, Processes: 4, Relax: 2, Values: 8, PendingRate: 0.05, Initial: true},
		} {
			for seed := range uint64(testenv.Scale(1, 5)) {
				o.Spec, o.Seed = name, seed
				b := relaxedRun(t, o)
				for _, drain := range []bool{false, true} {
					for _, meaning := range []quasi.Meaning{quasi.Slots, quasi.Classes} {
						yes := false
						for k := range int32(o.Relax) + 1 {
							relax := &quasi.Question{Factor: quasi.Factor{0, k, 0}, Meaning: meaning, Drain: drain}
							ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
							start := time.Now()
							e := &Engine{newQuasiSolver, []history.OpID{0, 12}[k%2]}
							a, err := e.Check(ctx, &engine.Task{Instance: b, Quasi: relax}, nil)
							cancel()
							where := fmt.Sprintf("%s %d, seed %d, %v, drain %v, K %d: %v %v", name, i, seed, meaning,
								drain, k, a.Cause, time.Since(start))
							require.NoError(t, err, where)
							require.NotEqual(t, engine.Unknown, a.Verdict, where)
							if a.Verdict == engine.Linearizable {
								yes = true
								require.NoError(t, verify.Rearrangement(b, relax, a.Witness, a.Rearranged, a.Drains),
									where)
							}
							require.True(t, !yes || a.Verdict == engine.Linearizable, where)
						}
						require.True(t, yes, "%s %d, seed %d, %v, drain %v", name, i, seed, meaning, drain)
					}
				}
			}
		}
	}
}

func TestRelaxedQuestionsKeepLimits(t *testing.T) {
	b := relaxedRun(t, gen.Options{Spec: "stack", Operations: 20000, Processes: 16, Overlap: 15, Relax: 4})
	p := &engine.Task{Instance: b, Quasi: &quasi.Question{Factor: quasi.Factor{0, 4, 0}, Drain: true}}
	for _, limit := range []time.Duration{0, 20 * time.Millisecond, 300 * time.Millisecond} {
		least := time.Hour // of three: other work on the machine counts as little as can be
		for range 3 {
			ctx, cancel := context.WithTimeout(context.Background(), limit)
			start := time.Now()
			a, err := New(newQuasiSolver).Check(ctx, p, nil)
			least = min(least, time.Since(start)-limit)
			cancel()
			require.NoError(t, err)
			require.Equal(t, engine.Timeout, a.Cause)
		}
		// 100 ms on a machine of its own
		require.Less(t, least, 700*time.Millisecond, "so late after the deadline")
		t.Log(least)
	}
	m := engine.NewBudget(0, 8<<20)
	a, err := New(newQuasiSolver).Check(context.Background(), p, m)
	require.NoError(t, err)
	require.Equal(t, engine.Memory, a.Cause)
	require.Zero(t, m.Bytes())

	p.Quasi.Factor[1] = quasi.Unbounded
	a, err = New(newQuasiSolver).Check(context.Background(), p, nil)
	require.NoError(t, err)
	require.Equal(t, engine.Unsupported, a.Cause)
	require.NotEmpty(t, a.Detail)
}

// The engine takes collections and counters only.
func TestOtherTheoriesAreUnsupported(t *testing.T) {
	b := relaxedBound(t, "register", 1, gen.SmallOptions{})
	a, err := New(newQuasiSolver).Check(context.Background(), &engine.Task{Instance: b, Quasi: &quasi.Question{}}, nil)
	require.NoError(t, err)
	require.Equal(t, engine.Unsupported, a.Cause)
	require.Equal(t, "sat", New(newQuasiSolver).Name())
}

// Peeks that may move, and causality of deques and counters.
func TestUnsupportedRelaxedQuestionsAreRefused(t *testing.T) {
	for _, c := range []struct {
		spec   string
		factor quasi.Factor
	}{
		{"deque", quasi.Factor{0, 0, 1, 1, 0, 0}},
		{"counter", quasi.Factor{1}},
		{"queue", quasi.Factor{0, 1, 1}},
	} {
		s := testkit.Spec(t, c.spec)
		relax := &quasi.Question{Factor: c.factor, Causal: c.spec != "queue"}
		mine := 0
		for seed := range uint64(20) {
			b := relaxedBound(t, c.spec, seed, gen.SmallOptions{})
			a, err := New(newQuasiSolver).Check(context.Background(), &engine.Task{Instance: b, Quasi: relax}, nil)
			require.NoError(t, err)
			if a.Cause != engine.Unsupported {
				mine++
				continue
			}
			require.NotEmpty(t, a.Detail)
		}
		if c.spec == "queue" { // those without peeks
			require.Positive(t, mine)
			require.Less(t, mine, 20)
		} else {
			require.Zero(t, mine, s.Info().Name)
		}
	}
}

func BenchmarkRelaxed(b *testing.B) {
	for _, c := range []struct {
		options gen.Options
		k       int32
		want    engine.Verdict
	}{
		{gen.Options{Spec: "queue", Operations: 2000, Processes: 8, EmptyRate: 0.1, Relax: 2}, 2, engine.Linearizable},
		{gen.Options{Spec: "queue", Operations: 2000, Processes: 8, EmptyRate: 0.1, Relax: 4}, 4, engine.Linearizable},
		{gen.Options{Spec: "queue", Operations: 10000, Processes: 4, EmptyRate: 0.1, Relax: 2}, 2, engine.Linearizable},
		{gen.Options{Spec: "queue", Operations: 10000, Processes: 4, EmptyRate: 0.1, Relax: 2}, 1,
			engine.NotLinearizable},
		{gen.Options{Spec: "queue", Operations: 10000, Processes: 4, EmptyRate: 0.1, Relax: 4}, 4, engine.Linearizable},
		{gen.Options{Spec: "stack", Operations: 1000, Processes: 8, Relax: 4}, 4, engine.Linearizable},
		{gen.Options{Spec: "stack", Operations: 1000, Processes: 8, EmptyRate: 0.1, Relax: 4}, 4, engine.Linearizable},
		{gen.Options{Spec: "stack", Operations: 1000, Processes: 4, Relax: 4}, 0, engine.NotLinearizable},
		{gen.Options{Spec: "priority-queue", Operations: 1000, Processes: 8, Relax: 4}, 4, engine.Linearizable},
		{gen.Options{Spec: "priority-queue", Operations: 1000, Processes: 4, EmptyRate: 0.1, Relax: 2}, 2,
			engine.Linearizable},
		{gen.Options{Spec: "priority-queue", Operations: 1000, Processes: 4, EmptyRate: 0.1, Relax: 2}, 1,
			engine.NotLinearizable},
	} {
		o := c.options
		o.Seed, o.Overlap = 1, 0.9*float64(o.Processes)
		for _, meaning := range []quasi.Meaning{quasi.Slots, quasi.Classes} {
			if meaning == quasi.Classes && c.want != engine.Linearizable {
				continue
			}
			b.Run(fmt.Sprintf("%s/n=%d/p=%d/empty=%g/K=%d/%v/%v", o.Spec, o.Operations, o.Processes, o.EmptyRate, c.k,
				meaning, c.want), func(b *testing.B) {
				part := relaxedRun(b, o)
				relax := &quasi.Question{Factor: quasi.Factor{0, c.k, 0}, Meaning: meaning, Drain: true}
				for b.Loop() {
					a, err := New(newQuasiSolver).Check(context.Background(),
						&engine.Task{Instance: part, Quasi: relax}, nil)
					require.NoError(b, err)
					require.Equal(b, c.want, a.Verdict)
					b.ReportMetric(float64(a.Effort.Clauses), "clauses")
				}
			})
		}
	}
}
