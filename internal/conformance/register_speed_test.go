package conformance_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/linsat/linsat"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/gen"
	"github.com/linsat/linsat/internal/specs"
	"github.com/stretchr/testify/require"
)

// BenchmarkCheckCells checks long runs of registers and sets from the history in memory to the
// certified answer.
func BenchmarkCheckCells(b *testing.B) {
	for _, n := range []int{100_000, 1_000_000} {
		for _, o := range []gen.Options{
			{Spec: "register", Processes: 16},
			{Spec: "set", Processes: 16},
			{Spec: "set", Processes: 16, Values: n / 8},
			{Spec: "register", Processes: 16, Keys: n / 8},
		} {
			o.Operations, o.Seed = n, 1
			b.Run(fmt.Sprintf("%s/values=%d/keys=%d/n=%d", o.Spec, o.Values, o.Keys, n), func(b *testing.B) {
				g, err := gen.Generate(o)
				require.NoError(b, err)
				s, _ := specs.Lookup(o.Spec)
				b.ReportAllocs()
				for b.Loop() {
					r, err := linsat.Check(context.Background(), s, g.History)
					require.NoError(b, err)
					require.Equal(b, engine.Linearizable, r.Verdict)
					require.True(b, r.Certified)
				}
			})
		}
	}
}
