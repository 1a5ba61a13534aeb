//go:build unix

package dotnet

import (
	"context"
	"testing"
	"time"

	"github.com/linsat/linsat/explore"
	"github.com/linsat/linsat/explore/lineup"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/stretchr/testify/require"
)

// BenchmarkLineUpQueue3x3 is Line-Up on the queue of Michael and Scott: both phases of a 3×3 test
// with all its operations mixed, with at most two preemptions. The bar is 0.3 s of processor time
// for each.
func BenchmarkLineUpQueue3x3(b *testing.B) {
	for _, mixed := range []struct{ name, test string }{
		{"enqueue+dequeue",
			"enqueue(1) tryDequeue enqueue(2) | tryDequeue enqueue(3) tryDequeue | enqueue(4) tryDequeue enqueue(5)"},
		{"snapshots", "enqueue(1) toArray tryDequeue | count enqueue(2) tryPeek | tryDequeue enqueue(3) isEmpty"},
	} {
		b.Run(mixed.name, func(b *testing.B) {
			c, err := explore.ParseCase(named(b, "concurrentqueue").Object, mixed.test)
			require.NoError(b, err)
			var r *lineup.Result
			start := testenv.CPU()
			for b.Loop() {
				r, err = lineup.Check(context.Background(), c, lineup.Options{})
				require.NoError(b, err)
				require.Equal(b, lineup.Pass, r.Verdict)
				full, stuck := r.Observations.Histories()
				require.Equal(b, []int{1680, 0}, []int{full, stuck})
			}
			require.Less(b, (testenv.CPU()-start)/time.Duration(b.N), 300*time.Millisecond)
			b.ReportMetric(float64(r.Serial.Runs+r.Concurrent.Runs), "runs")
			b.ReportMetric(float64(r.Concurrent.Histories), "classes")
			b.ReportMetric(float64(r.Serial.Time.Microseconds())/1000, "phase1-ms")
			b.ReportMetric(float64(r.Concurrent.Time.Microseconds())/1000, "phase2-ms")
		})
	}
}

// BenchmarkTable2 checks the rows of papers/docs/lineup.md, the paper's Table 2: 100 random tests
// of 3×3 for every variant. `linsat-papers tables line-up` prints them.
func BenchmarkTable2(b *testing.B) {
	var subjects []lineup.Subject
	classes := Classes()
	for _, c := range classes {
		subjects = append(subjects, lineup.Subject{Object: c.Object, Cause: c.Cause})
	}
	for b.Loop() {
		rows, err := lineup.Table(context.Background(), subjects, 3, 3, 100, lineup.Options{Seed: 1})
		require.NoError(b, err)
		for i, row := range rows {
			require.Zero(b, row.Unknowns, row.Name)
			require.Equal(b, classes[i].Linearizable, row.Failed == 0, row.Name)
		}
	}
}
