package conformance_test

import (
	"context"
	"testing"

	"github.com/linsat/linsat"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/gen"
	"github.com/linsat/linsat/internal/specs"
	"github.com/linsat/linsat/internal/verify"
	"github.com/stretchr/testify/require"
)

// The reasons of a no are found on long histories as well: a core with an argument, the failing
// return, and a witness of what is before it.
func TestLongHistoriesAreExplained(t *testing.T) {
	for _, name := range []string{"queue", "stack", "register"} {
		for _, f := range gen.Families() {
			if f.Name != "long" {
				continue
			}
			k, err := f.Make(gen.FamilyOptions{Spec: name, Size: 30, Processes: 8, Violated: true, Seed: 3})
			require.NoError(t, err)
			s, _ := specs.Lookup(name)
			r, err := linsat.Check(context.Background(), s, k.History)
			require.NoError(t, err)
			require.Equal(t, engine.NotLinearizable, r.Verdict, name)
			require.True(t, r.Certified, name)
			if name != "register" {
				require.NotNil(t, full(&r).Core, name)
				require.NoError(t, verify.Argument(full(&r).Instance(), full(&r).Core.Weakening,
					full(&r).Core.Argument), name)
			}
			require.NotNil(t, full(&r).Failure, name)
			at := *k.History
			at.Ops = full(&r).Partition.Prefix(full(&r).Failure.Cut).Ops
			before, err := s.Bind(full(&r).Partition.Prefix(full(&r).Failure.Cut - 1))
			require.NoError(t, err)
			require.NoError(t, verify.Witness(before, full(&r).Failure.Longest), name)
			a, err := linsat.Check(context.Background(), s, &at,
				linsat.Explain(linsat.ExplainOptions{Cores: linsat.NoCore}))
			require.NoError(t, err)
			require.Equal(t, engine.NotLinearizable, a.Verdict, name)
		}
	}
}
