//go:build unix

package roundup_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/linsat/linsat/explore"
	"github.com/linsat/linsat/explore/roundup"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/linsat/linsat/papers/objects/relaxed"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// bar is what all histories of the quasi queue with 4*4+0 calls may take, and tests that have them:
// the one of the tables, and the one with the most histories.
const bar = 2 * time.Second

func largest() []*explore.Case {
	m := roundup.Methods{Insert: "enq", Remove: "deq"}
	o := &explore.Object{Name: "quasiqueue", Spec: "queue", New: relaxed.QuasiQueue(3)}
	return []*explore.Case{m.Test(o, "", []string{"irir", "irir"}, ""), m.Test(o, "", []string{"iiii", "rrrr"}, "")}
}

// BenchmarkQuasiQueue44 judges all histories of the quasi queue with 4*4+0 calls at factor 2, which
// took Round-Up 41 minutes for 476 of them.
func BenchmarkQuasiQueue44(b *testing.B) {
	for _, c := range largest() {
		b.Run(strings.ReplaceAll(c.String(), " ", "_"), func(b *testing.B) {
			start := testenv.CPU()
			executions := 0
			for b.Loop() {
				r, err := roundup.Check(context.Background(), c, roundup.Options{Factor: "2"})
				if err != nil {
					b.Fatal(err)
				}
				if r.Quasi != engine.Linearizable || r.Linearizable != engine.NotLinearizable || r.Sequential != 70 {
					b.Fatal(r)
				}
				executions = r.All.Executions
			}
			b.ReportMetric((testenv.CPU()-start).Seconds()/float64(b.N)/bar.Seconds(), "cpu/bar")
			b.ReportMetric(float64(executions), "executions")
		})
	}
}

// The work is bounded, by what is counted: executions, the histories that differ among them, and
// questions about those. The time that it takes is measured by the benchmark, against the bar.
func TestQuasiQueue44(t *testing.T) {
	for i, most := range []struct{ executions, histories, asked int }{{508, 390, 306}, {13873, 8344, 1486}} {
		c := largest()[i]
		r, err := roundup.Check(context.Background(), c, roundup.Options{Factor: "2"})
		require.NoError(t, err)
		assert.Equal(t, engine.Linearizable, r.Quasi)
		assert.Equal(t, engine.NotLinearizable, r.Linearizable)
		assert.Equal(t, 70, r.Sequential)
		assert.Equal(t, most.executions, r.All.Executions, c.String())
		assert.Equal(t, most.histories, r.All.Histories, c.String())
		assert.LessOrEqual(t, r.Asked, most.asked, c.String())
	}
}
