package conformance_test

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/linsat/linsat"
	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/gen"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/oracle"
	"github.com/linsat/linsat/internal/specs"
	"github.com/linsat/linsat/internal/subhistory"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestACoreIsAViolationWithAnyOfTheOthers looks at the core that Check reports: alone, and with
// some of the other operations, it is a violation by the definition.
func TestACoreIsAViolationWithAnyOfTheOthers(t *testing.T) {
	cores := map[string]int{}
	for _, s := range specs.All() {
		name := s.Info().Name
		for seed := range uint64(testenv.Scale(120, 4000)) {
			h, err := gen.Small(name, seed, gen.SmallOptions{NoEdges: true, Keys: 1, Values: 1 + int(seed%4)})
			require.NoError(t, err)
			rng := rand.New(rand.NewPCG(seed, 5))
			for _, options := range [][]linsat.Option{{},
				{linsat.Explain(linsat.ExplainOptions{Cores: linsat.AnyCore})},
				{linsat.Explain(linsat.ExplainOptions{Cores: linsat.AnyCore}), linsat.Engine("monitor")}} {
				r, err := linsat.Check(context.Background(), s, h, options...)
				require.NoError(t, err)
				if r.Core == nil {
					continue
				}
				for k := range 4 {
					ops := append([]history.OpID(nil), r.Core...)
					for i := range h.Ops {
						if k > 0 && rng.IntN(2) == 0 {
							ops = append(ops, history.OpID(i))
						}
					}
					part, err := subhistory.Of(h, ops)
					require.NoError(t, err)
					b, err := s.Bind(model.Whole(part))
					require.NoError(t, err)
					ok, _ := oracle.Linearizable(b)
					assert.False(t, ok, "%s, seed %d: of core %v, %v are linearizable: %s", name, seed, r.Core,
						ops, kindOf(&r))
				}
				cores[name]++
			}
		}
	}
	for _, s := range specs.All() {
		assert.Greater(t, cores[s.Info().Name], testenv.MoreThan(0), s.Info().Name)
	}
}

func kindOf(r *linsat.Result) string {
	if p := full(r).Proof; p != nil {
		return string(p.Kind())
	}
	return "no proof"
}
