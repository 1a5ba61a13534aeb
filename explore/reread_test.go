package explore

import (
	"context"
	"strings"
	"testing"

	"github.com/linsat/linsat/explore/mem"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/specs"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// cell is a queue of at most one value, whose operations wait in loops without Await or Yield: for
// a value, or for the lock. A removal with the argument n gives up after n readings.
var cell = &Object{Name: "cell", Spec: "queue", New: func(m *mem.Memory) Instance {
	lock, value := mem.NewInt64(m, "lock", 0), mem.NewInt64(m, "value", 0)
	return func(f string, arg any) any {
		for !lock.CompareAndSwap(0, 1) {
		}
		defer lock.Store(0)
		if f == "enq" {
			value.Store(int64(arg.(int)))
			return nil
		}
		for value.Load() == 0 {
			lock.Store(0)
			for reads := 0; value.Load() == 0; reads++ {
				if n, ok := arg.(int); ok && reads >= n {
					lock.CompareAndSwap(0, 1)
					return nil
				}
			}
			for !lock.CompareAndSwap(0, 1) {
			}
		}
		v := value.Load()
		value.Store(0)
		return int(v)
	}
}}

// A search among loops that wait comes to its end, and no execution to the bound on steps.
func TestLoopsThatWaitAreExplored(t *testing.T) {
	for _, s := range []func() Strategy{DPOR, func() Strategy { return Bounded(1) }} {
		for _, test := range []string{"enq(1) | deq", "enq(1) | enq(2)"} {
			c := parsed(t, cell, test)
			longest := 0
			stats, err := Run(c.Program(), s(), Options{MaxRuns: 200_000}, func(e *Execution) bool {
				longest = max(longest, e.Steps)
				return true
			})
			require.NoError(t, err)
			assert.True(t, stats.Complete, test)
			assert.Equal(t, stats.Executions, stats.Outcomes[Completed], test)
			assert.Less(t, longest, 4*rereads)
			t.Logf("%s: %d executions, %d given up, up to %d accesses", test, stats.Executions, stats.Pruned, longest)
		}
	}
}

// Threads that wait for nothing that could come are a livelock: a violation, unless the
// specification lets their operations wait.
func TestLivelock(t *testing.T) {
	for _, s := range []func() Strategy{DPOR, func() Strategy { return Bounded(0) }} {
		for _, test := range []string{"peek", "peek | peek"} {
			c := parsed(t, cell, test)
			r, err := Check(context.Background(), c, specs.Queue(), CheckOptions{Strategy: s()})
			require.NoError(t, err)
			assert.Equal(t, engine.NotLinearizable, r.Verdict, test)
			assert.Equal(t, "livelock", r.Violation.What)
			assert.Less(t, len(r.Violation.Execution.Events), 3*rereads, "only the first round is shown")
			again, err := c.Replay(r.Violation.Execution.Schedule, Options{})
			require.NoError(t, err)
			assert.Equal(t, CutOff, again.Outcome)
			assert.Less(t, again.Steps, defaultMaxSteps/2)
			var b strings.Builder
			r.WriteText(&b, TextStyle{})
			assert.Contains(t, b.String(), "cell: livelock\n")
			assert.Regexp(t, "livelock: the last (1 access is|[0-9]+ accesses are) repeated for ever", b.String())
			takes := strings.ReplaceAll(test, "peek", "deq")
			r, err = Check(context.Background(), parsed(t, cell, takes), specs.Queue(), CheckOptions{Strategy: s(),
				Options: Options{MaxRuns: 5_000}})
			require.NoError(t, err)
			assert.NotEqual(t, engine.NotLinearizable, r.Verdict)
			if takes == "deq" {
				assert.Equal(t, engine.Linearizable, r.Verdict, r.Why)
			}
		}
	}
}

// TestStoppedOperationsAreNoVerdict: a bound on the accesses of an operation makes no loop a
// livelock, and where no execution ends within it, nothing is known.
func TestStoppedOperationsAreNoVerdict(t *testing.T) {
	for n, verdict := range map[int]engine.Verdict{1: engine.Unknown, 10: engine.Linearizable} {
		c := parsed(t, treiberObject, "push(1) | push(2)")
		r, err := Check(context.Background(), c, specs.Stack(), CheckOptions{Strategy: DPOR(),
			Options: Options{OpSteps: n}})
		require.NoError(t, err)
		assert.True(t, r.Stats.Complete)
		assert.Equal(t, verdict, r.Verdict)
		assert.Contains(t, r.Strategy, "an operation")
	}
	r, err := Check(context.Background(), parsed(t, cell, "peek"), specs.Queue(), CheckOptions{Strategy: DPOR(),
		Options: Options{OpSteps: 2_000}})
	require.NoError(t, err)
	assert.Equal(t, engine.NotLinearizable, r.Verdict, "it repeats before it is stopped")
	r, err = Check(context.Background(), parsed(t, cell, "deq"), specs.Queue(), CheckOptions{Strategy: DPOR(),
		Options: Options{OpSteps: 100}})
	require.NoError(t, err)
	assert.Equal(t, engine.Unknown, r.Verdict)
	assert.Equal(t, 1, r.Stats.Outcomes[CutOff])
}

// A loop that gives up by itself is no livelock, however long it counts.
func TestLoopsThatCountEnd(t *testing.T) {
	for _, n := range []string{"3", "49", "51", "400"} {
		stats, err := Run(parsed(t, cell, "deq("+n+")").Program(), DPOR(), Options{}, func(*Execution) bool {
			return true
		})
		require.NoError(t, err)
		assert.Equal(t, 1, stats.Outcomes[Completed], n)
	}
}

// Loops whose waiting depends on the number of readings find the same results whatever it is.
func TestRereadsKeepResults(t *testing.T) {
	for _, text := range []string{
		"0:retry.0.0.1 load.1.0.0|store.1.0.2 store.0.0.1",
		"0:retake.0.0.1 load.1.0.0|store.1.0.2 store.0.0.1|load.1.0.0",
		"0:retry2.0.1.1 load.0.0.0 load.1.0.0|store.0.0.1|store.1.0.1",
		"0:tries.0.0.1 load.1.0.0|store.1.0.1 store.0.0.1",
	} {
		p, err := parseProgram(text)
		require.NoError(t, err)
		results := func(n int) map[string]bool {
			found := map[string]bool{}
			stats, err := Run(p.program(), DPOR(), Options{rereads: n}, func(e *Execution) bool {
				var b strings.Builder
				for thread := range p.threads {
					for i := range e.Ops {
						if e.Ops[i].Thread == thread {
							b.WriteString(e.Ops[i].String())
						}
					}
				}
				found[b.String()] = true
				return true
			})
			require.NoError(t, err)
			require.True(t, stats.Complete)
			return found
		}
		few := results(4)
		assert.Equal(t, few, results(5), text)
		assert.Equal(t, few, results(9), text)
	}
}
