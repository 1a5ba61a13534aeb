package explore

import (
	"context"
	"testing"

	"github.com/linsat/linsat/explore/mem"
	"github.com/linsat/linsat/internal/schedule"
	"github.com/linsat/linsat/internal/specs"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestUnmodelled: what is shared and not modelled is told from what an operation can have learnt
// from its thread, or returns always.
func TestUnmodelled(t *testing.T) {
	plain := func(m *mem.Memory) Instance {
		n := 0
		return func(f string, arg any) any {
			if f == "increment" {
				n++
				return nil
			}
			return n
		}
	}
	for _, c := range []struct {
		what, test string
		object     func(m *mem.Memory) Instance
		says       string
	}{
		{"an ordinary variable", "increment | read", plain,
			"read() returned 1 in one execution and 0 in another, and touches nothing that is modelled"},
		{"an ordinary variable, in the second operation", "increment increment | increment read", plain,
			"and touches nothing that is modelled"},
		{"always the same", "increment | increment", plain, ""},
		{"one thread", "increment read", plain, ""},
		{"read by a step before, and kept by the thread", "increment | read read", func(m *mem.Memory) Instance {
			n, seen := mem.NewAtomic(m, "n", 0), -1
			return func(f string, arg any) any {
				if f == "increment" {
					n.Store(1)
					return nil
				}
				if seen < 0 {
					seen = n.Load()
				}
				return seen
			}
		}, ""},
		{"chosen before the threads start", "increment | read", func(m *mem.Memory) Instance {
			n := m.Choose(2)
			return func(f string, arg any) any {
				if f == "increment" {
					return nil
				}
				return n
			}
		}, ""},
		{"chosen by the operation", "increment | read", func(m *mem.Memory) Instance {
			return func(f string, arg any) any {
				if f == "increment" {
					return nil
				}
				return m.Choose(2)
			}
		}, ""},
	} {
		o := &Object{Name: "object", Spec: "counter", New: c.object, Ops: []Call{{F: "increment"}, {F: "read"}}}
		spec := specs.Counter()
		test, err := ParseCase(o, c.test)
		require.NoError(t, err, c.what)
		_, err = Check(context.Background(), test, spec, CheckOptions{Strategy: Exhaustive()})
		if c.says == "" {
			assert.NoError(t, err, c.what)
			continue
		}
		assert.ErrorAs(t, err, new(*schedule.Unmodelled), c.what)
		assert.ErrorContains(t, err, c.says, c.what)
	}
}
