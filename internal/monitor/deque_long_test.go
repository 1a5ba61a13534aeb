package monitor

import (
	"context"
	"fmt"
	"testing"

	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/gen"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/linsat/linsat/internal/verify"
	"github.com/stretchr/testify/require"
)

// TestLongDeques decides long runs: those without a violation are linearizable, and all that is
// said of the others is verified.
func TestLongDeques(t *testing.T) {
	n := 2000
	if testenv.Full() {
		n = 20_000
	}
	yes, no := 0, 0
	for _, processes := range []int{2, 4, 16, 64} {
		for _, o := range []gen.Options{{}, {EmptyRate: 0.2}, {Violation: gen.Swap}, {Violation: gen.Lost},
			{Violation: gen.Duplicate, EmptyRate: 0.2}, {PendingRate: 0.02}, {PendingRate: 0.02, EmptyRate: 0.2}} {
			o.Spec, o.Operations, o.Processes, o.Seed = "deque", n, processes, 3
			t.Run(fmt.Sprintf("%+v", o), func(t *testing.T) {
				g, err := gen.Generate(o)
				require.NoError(t, err)
				b := bindTo(t, "deque", g.History)
				a := decideCollection(t, b)
				switch a.Verdict {
				case engine.Linearizable:
					yes++
					require.NoError(t, verify.Witness(b, a.Witness))
				case engine.NotLinearizable:
					no++
					require.NotEmpty(t, o.Violation)
					require.NoError(t, verify.Proof(context.Background(), nil, b, a.Proof))
				default:
					require.Fail(t, "undecided", "%v %s", a.Cause, a.Detail)
				}
			})
		}
	}
	require.Positive(t, yes)
	require.Positive(t, no)
}
