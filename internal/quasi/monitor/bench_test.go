package monitor

import (
	"context"
	"fmt"
	"testing"

	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/gen"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/proof"
	"github.com/linsat/linsat/internal/quasi/verify"
	"github.com/linsat/linsat/quasi"
	"github.com/stretchr/testify/require"
)

func generate(b *testing.B, o gen.Options) *model.Instance {
	o.Spec, o.Seed = "queue", 1
	g, err := gen.Generate(o)
	require.NoError(b, err)
	return bindHistory(b, g.History)
}

// BenchmarkRelaxedQueue decides at the bound that the run was built for and at smaller ones; the
// verdict is asserted and a refutation judged, outside the clock.
func BenchmarkRelaxedQueue(b *testing.B) {
	for _, c := range []struct {
		gen.Options
		bound   int32
		verdict engine.Verdict
	}{
		{gen.Options{Operations: 1_000_000, Processes: 8, Relax: 2}, 2, engine.Linearizable},
		{gen.Options{Operations: 1_000_000, Processes: 8, Relax: 2}, 1, engine.NotLinearizable},
		{gen.Options{Operations: 1_000_000, Processes: 8, Relax: 2, Violation: gen.Swap}, 2, engine.NotLinearizable},
		{gen.Options{Operations: 2_000, Processes: 8, Relax: 2, EmptyRate: 0.1}, 2, engine.Linearizable},
		{gen.Options{Operations: 10_000, Processes: 4, Relax: 2, EmptyRate: 0.1}, 2, engine.Linearizable},
		{gen.Options{Operations: 10_000, Processes: 4, Relax: 2, EmptyRate: 0.1}, 1, engine.NotLinearizable},
	} {
		b.Run(fmt.Sprintf("n=%d/w=%d/empty=%v%v/K=%d", c.Operations, c.Processes, c.EmptyRate, c.Violation, c.bound),
			func(b *testing.B) {
				bound := generate(b, c.Options)
				relax := relaxation(c.bound, quasi.Slots, true)
				var a engine.Answer
				for b.Loop() {
					a = solve(b, bound, relax)
				}
				require.Equal(b, c.verdict, a.Verdict)
				if r, ok := a.Proof.(*proof.Displacement); ok {
					require.NoError(b, verify.Displacement(context.Background(), bound, relax, r))
					b.ReportMetric(float64(len(r.Steps)), "steps")
				}
			})
	}
}

func BenchmarkLeast(b *testing.B) {
	bound := generate(b, gen.Options{Operations: 1_000_000, Processes: 8, Relax: 2})
	p := &engine.Task{Instance: bound, Quasi: relaxation(0, quasi.Slots, true)}
	for b.Loop() {
		l, err := New().Least(context.Background(), p, []bool{false, true, false}, nil)
		require.NoError(b, err)
		require.True(b, l.Settled())
		require.Equal(b, int32(2), l.Low)
	}
}
