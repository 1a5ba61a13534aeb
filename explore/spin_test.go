package explore

import (
	"testing"

	"github.com/linsat/linsat/explore/mem"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// ticket is a lock whose acquisitions wait in loops that only read, and say so if spins is set.
func ticket(spins bool) *Object {
	return &Object{Name: "ticket", Spec: "mutex", New: func(m *mem.Memory) Instance {
		next, now := mem.NewInt64(m, "next", 0), mem.NewInt64(m, "now", 0)
		return func(f string, _ any) any {
			if f == "release" {
				now.Add(1)
				return nil
			}
			for mine := next.Add(1) - 1; now.Load() != mine; {
				if spins {
					m.Spin()
				}
			}
			return nil
		}
	}}
}

// TestSpinsLoseNoHistory: a loop that says that it only reads has the histories of one that does
// not, in fewer executions.
func TestSpinsLoseNoHistory(t *testing.T) {
	for _, s := range []func() Strategy{DPOR, func() Strategy { return Bounded(2) }} {
		for _, test := range []string{"acquire release | acquire release",
			"acquire release | acquire | acquire release"} {
			classes, executions := map[bool]map[string]bool{}, map[bool]int{}
			for _, spins := range []bool{false, true} {
				found := map[string]bool{}
				stats, err := Run(parsed(t, ticket(spins), test).Program(), s(), Options{MaxRuns: 400_000},
					func(e *Execution) bool {
						found[string(e.Class(nil))] = true
						return true
					})
				require.NoError(t, err)
				if !spins && !stats.Complete {
					classes[spins] = nil // too many
					continue
				}
				require.True(t, stats.Complete)
				classes[spins], executions[spins] = found, stats.Executions
			}
			if classes[false] != nil {
				assert.Equal(t, classes[false], classes[true], test)
				assert.Less(t, executions[true], executions[false], test)
			}
		}
	}
}
