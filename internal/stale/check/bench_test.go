package check_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/linsat/linsat"
	"github.com/linsat/linsat/internal/gen"
	"github.com/linsat/linsat/internal/specs"
	"github.com/linsat/linsat/internal/stale"
	"github.com/linsat/linsat/internal/stale/check"
	"github.com/stretchr/testify/require"
)

// BenchmarkMillion asks about a million operations on one register whose reads are late by up to
// two; and, to compare with, whether one is linearizable whose reads are not late.
func BenchmarkMillion(b *testing.B) {
	s, _ := specs.Lookup("register")
	generate := func(relax int) *gen.Case {
		c, err := gen.Generate(gen.Options{Spec: "register", Operations: 1_000_000, Processes: 8, Relax: relax,
			Seed: 1})
		require.NoError(b, err)
		return c
	}
	b.Run("linearizable", func(b *testing.B) {
		c := generate(0)
		for b.Loop() {
			r, err := linsat.Check(context.Background(), s, c.History)
			require.NoError(b, err)
			require.Equal(b, linsat.Linearizable, r.Verdict)
		}
	})
	for relax := range 3 {
		c := generate(relax)
		for _, q := range []stale.Question{{Kind: stale.Late, Bound: int64(relax)}, {Kind: stale.WeaklyRegular},
			{Kind: stale.Regular}} {
			if q.Kind != stale.Late && relax > 0 {
				continue
			}
			b.Run(fmt.Sprintf("relax=%d/%v", relax, q), func(b *testing.B) {
				for b.Loop() {
					x, err := stale.Of(s, c.History)
					require.NoError(b, err)
					a := check.Ask(context.Background(), x, q)
					require.Equal(b, check.Holds, a.Verdict)
					require.True(b, a.Certified)
				}
			})
		}
	}
}
