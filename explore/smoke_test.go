package explore

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/linsat/linsat/explore/mem"
)

func registers(m *mem.Memory) Instance {
	a := mem.NewInt64(m, "a", 0)
	b := mem.NewInt64(m, "b", 0)
	return func(f string, arg any) any {
		switch f {
		case "a":
			a.Store(a.Load() + 1)
		case "b":
			b.Store(b.Load() + 1)
		default:
			panic(f)
		}
		return nil
	}
}

// TestDisjointRegisters is the first row of the table of interval orders: 70 executions, 19 classes.
func TestDisjointRegisters(t *testing.T) {
	c := &Case{Object: &Object{New: registers}, Threads: [][]Call{{{F: "a"}, {F: "a"}}, {{F: "b"}, {F: "b"}}}}
	classes := map[string]bool{}
	stats, err := Run(c.Program(), Exhaustive(), Options{}, func(e *Execution) bool {
		classes[string(e.Class(nil))] = true
		_, err := e.History()
		assert.NoError(t, err)
		return true
	})
	require.NoError(t, err)
	assert.Equal(t, 70, stats.Executions)
	assert.True(t, stats.Complete)
	assert.Len(t, classes, 19)
}
