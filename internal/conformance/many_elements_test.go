package conformance_test

import (
	"context"
	"testing"

	"github.com/linsat/linsat"
	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/gen"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/specs"
	"github.com/linsat/linsat/internal/verify"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A set of very many elements is looked at as a whole first; a no comes from the one element that
// it is about.
func TestSetsOfManyElementsAreDecided(t *testing.T) {
	yes, no := 0, 0
	for _, wrong := range []bool{false, true} {
		for seed := range uint64(4) {
			k, err := gen.Generate(gen.Options{Spec: "set", Operations: 70_000, Processes: 8, Values: 24_000,
				PendingRate: 0.0001, Seed: seed})
			require.NoError(t, err)
			h := k.History
			for i := 30_000; wrong; i++ { // one more look finds an element, or does not
				o := &h.Ops[i]
				if name, _ := h.Values.AsString(o.F); name == "contains" && !o.Unknown {
					o.Result = map[history.Value]history.Value{history.True: history.False,
						history.False: history.True}[o.Result]
					break
				}
			}
			require.True(t, specs.ManySmallPartitions(specs.Set(), h))
			r, err := linsat.Check(context.Background(), specs.Set(), h)
			require.NoError(t, err)
			apart, err := linsat.Check(context.Background(), specs.Set(), h, linsat.Engine("monitor"))
			require.NoError(t, err)
			require.Equal(t, apart.Verdict, r.Verdict, "seed %d", seed)
			require.Greater(t, apart.Partitions, 1000)
			require.True(t, r.Certified, "seed %d", seed)
			if !wrong {
				require.Equal(t, engine.Linearizable, r.Verdict, "seed %d", seed)
			}
			if r.Verdict == engine.Linearizable {
				yes++
				b, err := specs.Set().Bind(model.Whole(h))
				require.NoError(t, err)
				require.NoError(t, verify.Witness(b, r.Witness), "seed %d", seed)
				require.Len(t, full(&r).PartitionVerdicts, 1)
				continue
			}
			no++
			assert.Greater(t, r.Partitions, 1000)
			assert.NotNil(t, full(&r).Core)
		}
	}
	assert.NotZero(t, yes)
	assert.NotZero(t, no)
}
