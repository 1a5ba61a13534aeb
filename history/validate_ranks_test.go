package history_test

import (
	"testing"

	"github.com/linsat/linsat/history"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestSharedRanksAreRefused puts histories together by hand in which a call or a return has the
// rank of another one, near or far from each other.
func TestSharedRanksAreRefused(t *testing.T) {
	for _, far := range []history.Rank{1, 100_000} {
		b := history.NewBuilder()
		for i := range int64(4) {
			_, err := b.Add(history.Record{Process: b.Process(string(rune('a' + i))), F: b.Values.String("read"),
				Key: history.NoKey, Call: 10 * i, Return: 10*i + 15})
			require.NoError(t, err)
		}
		h, err := b.Finish()
		require.NoError(t, err)
		for i := range h.Ops {
			h.Ops[i].Call *= far
			h.Ops[i].Return *= far
		}
		require.NoError(t, h.Validate())
		for i := range h.Ops {
			for _, other := range []history.Rank{h.Ops[3].Call, h.Ops[3].Return} {
				before := h.Ops[i].Return
				if before == other || h.Ops[i].Call >= other {
					continue
				}
				h.Ops[i].Return = other
				assert.ErrorContains(t, h.Validate(), "ranks are distinct", "operation %d at %d", i, other)
				h.Ops[i].Return = before
			}
		}
		h.Ops[0].Return = history.Never
		h.Ops[0].Unknown = true
		require.NoError(t, h.Validate())
		h.Ops[1].Return, h.Ops[1].Unknown = history.Never, true // both never
		require.NoError(t, h.Validate())
	}
}
