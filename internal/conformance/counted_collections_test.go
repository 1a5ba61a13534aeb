package conformance_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/linsat/linsat/encode"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/gen"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/oracle"
	"github.com/linsat/linsat/internal/solver/gini"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/linsat/linsat/internal/testkit"
	"github.com/linsat/linsat/solver"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestSizesAndDrainsAgreeWithTheDefinition compares the clauses about collections with sizes and
// drains, which have no theory, with the definition.
func TestSizesAndDrainsAgreeWithTheDefinition(t *testing.T) {
	sat := encode.New(func() solver.Solver { return gini.New() })
	for _, name := range []string{"queue", "stack", "priority-queue", "deque", "unordered-queue"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, n := testkit.Spec(t, name), testenv.Scale(600, 20_000)
			tallied, linearizable, drains := 0, 0, 0
			for seed := uint64(0); tallied < n; seed++ {
				h, err := gen.Small(name, seed, gen.SmallOptions{Most: 7, All: true, Values: 1 + int(seed%4)})
				require.NoError(t, err)
				b, err := s.Bind(model.Whole(h))
				require.NoError(t, err)
				if b.Tallies == nil {
					continue
				}
				tallied++
				if len(b.Items.Bulk) > 0 {
					drains++
				}
				about := fmt.Sprintf("%s seed %d: %s", name, seed, show(h))
				a, err := engine.Open(sat).Check(context.Background(), &engine.Problem{Instance: b}, nil)
				require.NoError(t, err, about)
				want := engine.NotLinearizable
				if ok, _ := oracle.Linearizable(b); ok {
					want = engine.Linearizable
					linearizable++
				}
				require.Equal(t, want, a.Verdict, about)
				if want == engine.Linearizable {
					require.NoError(t, oracle.Replay(b, a.Witness), about)
				}
			}
			t.Log(tallied, linearizable, drains)
			assert.Greater(t, linearizable, tallied/10)
			assert.Less(t, linearizable, tallied*9/10)
			assert.Greater(t, drains, tallied/20)
		})
	}
}
