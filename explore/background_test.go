package explore_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/linsat/linsat/explore"
	"github.com/linsat/linsat/explore/mem"
	"github.com/linsat/linsat/internal/schedule"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// mailbox hands what is put to a worker of its own, which never ends.
var mailbox = &explore.Object{
	Name: "mailbox",
	New: func(m *mem.Memory) explore.Instance {
		box, done := mem.NewInt64(m, "box", 0), mem.NewInt64(m, "done", 0)
		return func(f string, arg any) any {
			switch f {
			case "worker":
				for {
					v := box.Await(func(v int64) bool { return v != 0 })
					done.Add(v)
					box.Add(-v)
				}
			case "put":
				box.Add(int64(arg.(int)))
			case "call": // put, and wait for the worker
				box.Add(1)
				done.Await(func(n int64) bool { return n > 0 })
			case "never":
				done.Await(func(n int64) bool { return n > 100 })
			case "done":
				return int(done.Load())
			}
			return nil
		}
	},
	Background: []explore.Call{{F: "worker"}},
}

// An object's own thread runs beside every test. It is not in the history, it need not end, and an
// execution waits for it before it ends.
func TestBackground(t *testing.T) {
	for _, c := range []struct {
		test     string
		outcomes []explore.Outcome
		last     map[any]bool // results of the last operation
	}{
		{"; put(1) | put(2); done", []explore.Outcome{explore.Completed}, map[any]bool{3: true}},
		{"put(1) done", []explore.Outcome{explore.Completed}, map[any]bool{0: true, 1: true}},
		{"call | done", []explore.Outcome{explore.Completed}, nil},
		{"never | put(1)", []explore.Outcome{explore.Stuck}, nil},
	} {
		test, err := explore.ParseCase(mailbox, c.test)
		require.NoError(t, err)
		classes := map[string]map[string]bool{}
		for name, s := range map[string]explore.Strategy{"exhaustive": explore.Exhaustive(), "dpor": explore.DPOR()} {
			seen, last, outcomes := map[string]bool{}, map[any]bool{}, map[explore.Outcome]bool{}
			stats, err := explore.Run(test.Program(), s, explore.Options{MaxSteps: 100},
				func(e *explore.Execution) bool {
					seen[string(e.Class(nil))] = true
					outcomes[e.Outcome] = true
					if n := len(e.Ops); n > 0 {
						last[e.Ops[n-1].Result] = true
					}
					for _, op := range e.Ops {
						assert.NotEqual(t, "worker", op.F)
					}
					return true
				})
			require.NoError(t, err)
			require.True(t, stats.Complete)
			for _, o := range c.outcomes {
				assert.True(t, outcomes[o], "%s %s %v", c.test, name, outcomes)
			}
			assert.Len(t, outcomes, len(c.outcomes), "%s %s %v", c.test, name, outcomes)
			if c.last != nil {
				assert.Equal(t, c.last, last, "%s %s", c.test, name)
			}
			classes[name] = seen
		}
		assert.Equal(t, classes["exhaustive"], classes["dpor"], c.test)
	}
}

// A serial run lets the object's own threads take turns with the one operation that runs.
func TestBackgroundBesideSerialRuns(t *testing.T) {
	test, err := explore.ParseCase(mailbox, "call | done")
	require.NoError(t, err)
	results := map[any]bool{}
	_, err = explore.Run(test.Program(), schedule.Serial(), explore.Options{MaxSteps: 100},
		func(e *explore.Execution) bool {
			assert.Equal(t, explore.Completed, e.Outcome)
			assert.True(t, e.Ops[0].Return < e.Ops[1].Call, "operations overlap")
			for _, op := range e.Ops {
				if op.F == "done" {
					results[op.Result] = true
				}
			}
			return true
		})
	require.NoError(t, err)
	assert.Equal(t, map[any]bool{0: true, 1: true}, results)
	e, err := test.Replay(explore.Schedule{0, 2}, explore.Options{MaxSteps: 100, Trace: true})
	require.NoError(t, err)
	var b strings.Builder
	e.WriteTrace(&b)
	assert.Contains(t, b.String(), "  background thread 2\n      await box: 1")
}

// TestBackgroundOnRandomPrograms: DPOR finds the classes of executions that exhaustive search finds
// beside threads of the object's own, which may end, wait for ever, or let others end.
func TestBackgroundOnRandomPrograms(t *testing.T) {
	programs := testenv.Scale(300, 20_000)
	outcomes := map[explore.Outcome]int{}
	waiting := 0
	for seed := range uint64(programs) {
		r := rand.New(rand.NewPCG(seed, 31))
		code := map[string][]int{} // by call: what it does, one number for each access
		draw := func(name string, most int) explore.Call {
			for range 1 + r.IntN(most) {
				code[name] = append(code[name], r.IntN(8))
			}
			return explore.Call{F: name}
		}
		o := &explore.Object{Name: "random", New: func(m *mem.Memory) explore.Instance {
			cells := [2]*mem.Int64{mem.NewInt64(m, "x", 0), mem.NewInt64(m, "y", 0)}
			return func(f string, _ any) any {
				seen := []any{}
				for _, n := range code[f] {
					x := cells[n%2]
					switch n / 2 {
					case 0:
						seen = append(seen, x.Load())
					case 1:
						x.Store(int64(len(seen) + 1))
					case 2:
						seen = append(seen, x.Add(1))
					default:
						seen = append(seen, x.Await(func(v int64) bool { return v > 0 }))
					}
				}
				return seen
			}
		}}
		c := &explore.Case{Object: o, Threads: [][]explore.Call{{draw("a", 2)}, {draw("b", 2)}}}
		if r.IntN(2) == 0 {
			c.Threads[0] = append(c.Threads[0], draw("c", 1))
		}
		if r.IntN(2) == 0 {
			c.After = []explore.Call{draw("d", 1)}
		}
		o.Background = []explore.Call{draw("own", 3)}
		classes := func(s explore.Strategy) map[string]bool {
			seen := map[string]bool{}
			stats, err := explore.Run(c.Program(), s, explore.Options{}, func(e *explore.Execution) bool {
				seen[string(e.Class(nil))] = true
				outcomes[e.Outcome]++
				return true
			})
			require.NoError(t, err, "seed %d", seed)
			require.True(t, stats.Complete, "seed %d", seed)
			return seen
		}
		want := classes(explore.Exhaustive())
		require.Equal(t, want, classes(explore.DPOR()), "seed %d: %s beside %v", seed, c, code)
		if len(want) > 1 {
			waiting++
		}
	}
	assert.Greater(t, outcomes[explore.Completed], programs)
	assert.Greater(t, outcomes[explore.Stuck], programs/10)
	assert.Greater(t, waiting, programs/3)
}
