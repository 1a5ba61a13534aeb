package explore_test

import (
	"strings"
	"testing"

	"github.com/linsat/linsat/explore"
	"github.com/linsat/linsat/explore/mem"
	"github.com/linsat/linsat/spec"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestLongTracesAreFolded has operations with accesses of their own before those that lose an
// update: with few of them the trace is whole, with many it has those that conflict, and counts the
// others.
func TestLongTracesAreFolded(t *testing.T) {
	var schedule explore.Schedule
	told := func(own int, by explore.Strategy) string {
		r, err := explore.Check(t.Context(), explore.ProgramCase("counter",
			func(x *explore.Exec) {
				n := mem.NewVar(x.Memory(), "n", 0)
				for range 2 {
					x.Go(func(t *explore.Thread) {
						mine := mem.NewVar(x.Memory(), "mine", 0)
						t.Do("inc", nil, func() any {
							for range own {
								mine.Store(mine.Load() + 1)
							}
							n.Store(n.Load() + 1)
							return nil
						})
					})
				}
				x.After(func() { x.Do("get", nil, func() any { return n.Load() }) })
			}), spec.MustLookup("counter"), explore.CheckOptions{Strategy: by})
		require.NoError(t, err)
		require.NotNil(t, r.Violation)
		schedule = r.Violation.Execution.Schedule
		var b strings.Builder
		r.WriteText(&b, explore.TextStyle{})
		return b.String()
	}
	short, long := told(2, explore.DPOR()), told(20, explore.DPOR())
	assert.NotContains(t, short, "…")
	assert.Equal(t, 8, strings.Count(short, " mine: "), short)
	// The first access of an operation is its call.
	assert.Equal(t, 2, strings.Count(long, " mine: "), long)
	assert.Equal(t, 2, strings.Count(long, "      … 39 accesses that no other thread's conflicts with\n"), long)
	for _, line := range []string{"read n: 0", "write n: 0 → 1", "read n: 1"} {
		assert.Contains(t, long, line)
	}
	again := told(20, explore.Replay(schedule))
	assert.NotContains(t, again, "…")
	assert.Equal(t, 80, strings.Count(again, " mine: "))
}
