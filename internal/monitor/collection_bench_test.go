package monitor

import (
	"fmt"
	"testing"

	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/gen"
	"github.com/linsat/linsat/internal/proof"
	"github.com/linsat/linsat/internal/verify"
	"github.com/stretchr/testify/require"
)

// BenchmarkCollection checks long runs; the verdict is asserted, the witness or refutation judged,
// outside the clock.
func BenchmarkCollection(b *testing.B) {
	for _, name := range collections {
		for _, n := range []int{100_000, 1_000_000} {
			for _, processes := range []int{4, 16} {
				for _, violation := range []gen.Violation{gen.NoViolation, gen.Swap} {
					b.Run(fmt.Sprintf("%s/n=%d/w=%d/%v", name, n, processes, violation), func(b *testing.B) {
						g, err := gen.Generate(gen.Options{Spec: name, Operations: n, Processes: processes,
							Violation: violation, Seed: 1})
						require.NoError(b, err)
						bound := bindTo(b, name, g.History)
						b.ReportAllocs()
						var a engine.Answer
						for b.Loop() {
							a = decideCollection(b, bound)
						}
						b.StopTimer()
						switch a.Verdict {
						case engine.Linearizable:
							require.NotEqual(b, gen.No, g.Known)
							require.NoError(b, verify.Witness(bound, a.Witness))
						case engine.NotLinearizable:
							require.NotEqual(b, gen.Yes, g.Known)
							require.NoError(b, verify.Collection(bound, a.Proof.(*proof.CollectionConflict)))
						default:
							require.Fail(b, "undecided")
						}
					})
				}
			}
		}
	}
}
