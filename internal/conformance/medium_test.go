package conformance_test

import (
	"context"
	"testing"
	"time"

	"github.com/linsat/linsat"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/gen"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/linsat/linsat/internal/testkit"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestEnginesAgreeOnMediumHistories runs all engines to the end on histories that brute force
// cannot decide any more, and compares them with each other and with what is known by construction.
func TestEnginesAgreeOnMediumHistories(t *testing.T) {
	n := uint64(testenv.Scale(12, 250))
	for _, name := range gen.Specs() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := testkit.Spec(t, name)
			compared, no := 0, 0
			for seed := range n {
				o := gen.Options{Spec: name, Seed: seed, Operations: 20 + int(seed*37%120), Processes: 3 + int(seed%6),
					PendingRate: []float64{0, 0.02, 0.1}[seed%3], Values: []int{0, 3, 8}[seed/3%3],
					EmptyRate: []float64{0, 0.2}[seed%2]}
				if seed%2 == 1 {
					v := gen.Violations()
					o.Violation = v[seed/2%uint64(len(v))]
				}
				g, err := gen.Generate(o)
				if err != nil {
					continue // this kind of violation does not exist for this specification
				}
				r, err := linsat.Check(context.Background(), s, g.History, linsat.Engine("all"),
					linsat.Timeout(5*time.Second), linsat.Explain(linsat.ExplainOptions{Cores: linsat.NoCore}))
				require.NoError(t, err, "%+v", o)
				switch r.Verdict {
				case engine.Unknown:
					// the search bounds what it keeps
					assert.Contains(t, []engine.Cause{engine.Timeout, engine.Memory}, r.Cause, "%+v: %s", o, r.Detail)
					continue
				case engine.NotLinearizable:
					no++
					assert.NotEqual(t, gen.Yes, g.Known, "%+v", o)
				default:
					assert.NotEqual(t, gen.No, g.Known, "%+v", o)
				}
				compared++
			}
			t.Logf("%d compared, %d of them not linearizable", compared, no)
			assert.Greater(t, compared, int(n)/4)
		})
	}
}
