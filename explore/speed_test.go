//go:build unix

package explore

import (
	"context"
	"testing"

	"github.com/linsat/linsat/explore/mem"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/specs"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/stretchr/testify/require"
)

// BenchmarkExecutions counts executions a second of whole searches with at most 30 accesses, and
// one of about 50. What a search finds is asserted: the number of executions and of classes, and
// that no execution blocks.
func BenchmarkExecutions(b *testing.B) {
	for _, p := range []struct {
		name                string
		new                 func(*mem.Memory) Instance
		calls               [][]Call
		s                   func() Strategy
		executions, classes int
	}{
		{"treiber3x1", treiber, [][]Call{calls("push", 1), calls("push", 2), calls("pop")}, Exhaustive, 68, 22},
		{"treiber2x3", treiber, [][]Call{calls("push", 1, "pop", "push", 2), calls("pop", "push", 3, "pop")},
			Exhaustive, 2666, 239},
		{"treiber3x3", treiber, [][]Call{calls("push", 1, "pop", "push", 2), calls("push", 3, "pop", "pop"),
			calls("pop", "push", 4, "pop")}, func() Strategy { return Bounded(2) }, 874, 824},
		{"msqueue2x1", msqueue, [][]Call{calls("enq", 1), calls("deq")}, Exhaustive, 216, 4},
		{"msqueue2x2", msqueue, [][]Call{calls("enq", 1, "deq"), calls("enq", 2, "deq")}, func() Strategy {
			return Bounded(2)
		}, 190, 26},
		{"msqueue3x3", msqueue, [][]Call{calls("enq", 1, "deq", "enq", 2), calls("deq", "enq", 3, "deq"),
			calls("enq", 4, "deq", "deq")}, func() Strategy { return Bounded(2) }, 7728, 1487},
	} {
		b.Run(p.name, func(b *testing.B) {
			c := &Case{Object: &Object{New: p.new}, Threads: p.calls}
			stats, classes := collect(b, c.Program(), p.s(), Options{})
			require.True(b, stats.Complete)
			require.Equal(b, stats.Executions, stats.Outcomes[Completed])
			require.Equal(b, []int{p.executions, p.classes}, []int{stats.Executions, len(classes)})
			b.ReportAllocs()
			runs, steps := 0, int64(0)
			start := testenv.CPU()
			for b.Loop() {
				stats, err := Run(c.Program(), p.s(), Options{}, func(*Execution) bool { return true })
				require.NoError(b, err)
				runs += stats.Executions
				steps += stats.Steps
			}
			seconds := (testenv.CPU() - start).Seconds()
			b.ReportMetric(float64(runs)/seconds, "executions/cpu-s")
			if steps <= 30*int64(runs) {
				require.Greater(b, float64(runs)/seconds, 150_000.0)
			}
			b.ReportMetric(float64(steps)/float64(runs), "accesses")
			b.ReportMetric(seconds*1e9/float64(steps), "cpu-ns/access")
		})
	}
}

// BenchmarkCheck runs the mixed 3×3 test of the queue with at most two preemptions and judges every
// history that differs; Line-Up's paper needed minutes for a test of that size.
func BenchmarkCheck(b *testing.B) {
	c, err := ParseCase(&Object{Name: "msqueue", New: msqueue}, "enq(1) deq enq(2) | deq enq(3) deq | enq(4) deq deq")
	require.NoError(b, err)
	start, runs := testenv.CPU(), 0
	for b.Loop() {
		r, err := Check(context.Background(), c, specs.Queue(), CheckOptions{Strategy: Bounded(2)})
		require.NoError(b, err)
		require.Equal(b, engine.Linearizable, r.Verdict)
		require.Equal(b, []int{7728, 1487}, []int{r.Stats.Executions, r.Classes})
		runs++
	}
	seconds := (testenv.CPU() - start).Seconds() / float64(runs)
	b.ReportMetric(seconds*1000, "cpu-ms/op")
	require.Less(b, seconds, 0.3)
}
