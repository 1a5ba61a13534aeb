package dotnet

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/linsat/linsat/explore/lineup"
)

// TestVerdicts checks every variant with its own test, at the bound 2 and without any.
func TestVerdicts(t *testing.T) {
	for _, c := range Classes() {
		t.Run(c.Object.Name, func(t *testing.T) {
			for _, bound := range []int{2, -1} {
				r, err := lineup.Check(context.Background(), c.Test, lineup.Options{Bound: bound, Inside: c.Inside})
				require.NoError(t, err)
				want := lineup.Pass
				if !c.Linearizable {
					want = lineup.Fail
				}
				assert.Equal(t, want, r.Verdict, "%s", r.Cause)
			}
		})
	}
}
