package specs_test

import (
	"context"
	"math"
	"testing"

	"github.com/linsat/linsat"
	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/spec"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestSizesBeyondInt64: a size that went below zero as an unsigned integer is a wrong one.
func TestSizesBeyondInt64(t *testing.T) {
	for _, name := range []string{"queue", "stack", "deque", "bounded-queue", "unordered-queue",
		"priority-queue", "set"} {
		for _, engine := range []string{"search", "auto"} {
			s := spec.MustLookup(name)
			b := history.NewBuilder()
			p := b.ProcessInt(0)
			require.NoError(t, b.Invoke(p, b.Values.String("size"), history.NoKey, history.Nil, 0))
			size, err := b.Values.Of(uint64(math.MaxUint64))
			require.NoError(t, err)
			require.NoError(t, b.Complete(p, size, false, 0))
			h, err := b.Finish()
			require.NoError(t, err)
			r, err := linsat.Check(context.Background(), s, h, linsat.Engine(linsat.Engines(engine)))
			require.NoError(t, err, name)
			assert.Equal(t, linsat.NotLinearizable, r.Verdict, "%s, %s", name, engine)
		}
	}
}
