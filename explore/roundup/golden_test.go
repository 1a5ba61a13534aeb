package roundup

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/linsat/linsat/explore"
	"github.com/linsat/linsat/explore/mem"
	"github.com/linsat/linsat/internal/specs"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func memory() *mem.Memory { return mem.New() }

// Phase 1 has (m+n)!/(m!n!) serial runs: the column of Tables II, III and V, but for the dimension
// 2*2+0, where the paper says 3.
func TestSequentialHistories(t *testing.T) {
	model, ok := Model("queue")
	require.True(t, ok)
	s, _ := specs.Lookup("queue")
	for dimension, want := range map[string]int{
		"1*1+10": 2, "2*2+4": 6, "2*3+3": 10, "3*3+4": 20, "3*3+2": 20, "3*4+1": 35, "4*4+0": 70,
		"2*2+0": 6, "1*2+1": 3, "1*1*1+1": 6, "2*2*2+0": 90, "0*0+4": 1,
	} {
		d, err := ParseDimension(dimension)
		require.NoError(t, err)
		list := Harnesses(model, Methods{"enq", "deq"}, d)
		require.NotEmpty(t, list, dimension)
		for _, c := range list {
			g, err := run(context.Background(), model, c, s)
			require.NoError(t, err)
			assert.Equal(t, want, g.runs, "%s: %s", dimension, c.String())
		}
	}
}

// A golden model must be strict, deterministic and never block, and agree with linsat's
// specification.
func TestGoldenModelsRefused(t *testing.T) {
	s, _ := specs.Lookup("queue")
	c := Methods{"enq", "deq"}.Test(&explore.Object{}, "ii", []string{"r", "r"}, "")
	stackModel, _ := Model("stack")
	for name, build := range map[string]func(*mem.Memory) explore.Instance{
		"a stack": func(m *mem.Memory) explore.Instance {
			instance := stackModel.New(m)
			return func(f string, arg any) any {
				return instance(map[string]string{"enq": "push", "deq": "pop"}[f], arg)
			}
		},
		"random": func(m *mem.Memory) explore.Instance {
			v := mem.NewVar(m, "v", 0)
			return func(f string, _ any) any {
				v.Load()
				if f == "deq" {
					return 1 + m.Choose(2)
				}
				return nil
			}
		},
		"blocks": func(m *mem.Memory) explore.Instance {
			v := mem.NewAtomic(m, "v", 0)
			return func(f string, _ any) any {
				if f == "deq" {
					v.Await(func(x int) bool { return x > 0 })
				}
				return nil
			}
		},
		"panics": func(*mem.Memory) explore.Instance {
			return func(string, any) any { panic("no") }
		},
	} {
		_, err := run(context.Background(), &explore.Object{New: build}, c, s)
		assert.ErrorIs(t, err, errGolden, name)
	}
	for _, name := range []string{"register", "no such thing"} {
		_, ok := Model(name)
		assert.False(t, ok, name)
	}
	queueModel, _ := Model("queue")
	assert.Panics(t, func() { queueModel.New(memory())("peek", nil) })
}

// A test leaves something if some serial run does, or finds the object empty.
func TestTestsThatLeaveValuesAreRecognised(t *testing.T) {
	s, _ := specs.Lookup("queue")
	model, _ := Model("queue")
	for text, want := range map[[2]string]bool{
		{"ir", "ir"}: false, {"ii", "rr"}: true, {"ri", "ir"}: true, {"i", "r"}: true,
	} {
		g, err := run(context.Background(), model, Methods{"enq", "deq"}.Test(model, "", text[:], ""), s)
		require.NoError(t, err)
		assert.Equal(t, want, g.leaves, "%v", text)
	}
	g, err := run(context.Background(), model, Methods{"enq", "deq"}.Test(model, "ii", []string{"rr", "i"}, "r"), s)
	require.NoError(t, err)
	assert.False(t, g.leaves)
	g, err = run(context.Background(), model, Methods{"enq", "deq"}.Test(model, "i", []string{"i"}, ""), s)
	require.NoError(t, err)
	assert.True(t, g.leaves)
}

// Drains counts what phase 1 finds by running.
func TestDrainsAreCountedByRunning(t *testing.T) {
	drains := 0
	for seed := range uint64(testenv.Scale(300, 5_000)) {
		r := rand.New(rand.NewPCG(seed, 5))
		specification := []string{"queue", "stack", "priority-queue"}[r.IntN(3)]
		m := map[string]Methods{"queue": {"offer", "poll"}, "stack": {"push", "pop"},
			"priority-queue": {"insert", "delete-min"}}[specification]
		s, _ := specs.Lookup(specification)
		model, _ := Model(specification)
		c := randomCase(r, m, r.IntN(3) > 0)
		g, err := run(context.Background(), model, c, s)
		require.NoError(t, err)
		assert.Equal(t, g.leaves, Drains(s, c), "seed %d: %s", seed, c.String())
		if g.leaves {
			drains++
		}
	}
	assert.Greater(t, drains, testenv.Scale(100, 2_000))
	assert.Less(t, drains, testenv.Scale(280, 4_600))
	counter, _ := specs.Lookup("counter")
	assert.False(t,
		Drains(counter, &explore.Case{Object: &explore.Object{}, Threads: [][]explore.Call{{{F: "getandinc"}}}}))
	queue, _ := specs.Lookup("queue")
	assert.True(t, Drains(queue, Methods{"enq", "deq"}.Test(&explore.Object{}, "ri", []string{"i", "r"}, "")),
		"finds nothing before the threads")
	assert.True(t, Drains(queue, Methods{"enq", "deq"}.Test(&explore.Object{}, "i", []string{"r"}, "ri")),
		"and after them")
	full := &explore.Object{Initial: []any{7, 8}}
	assert.False(t, Drains(queue, Methods{"enq", "deq"}.Test(full, "r", []string{"i", "r"}, "r")))
	assert.True(t, Drains(queue, Methods{"enq", "deq"}.Test(full, "r", []string{"i", "r"}, "")))
}
