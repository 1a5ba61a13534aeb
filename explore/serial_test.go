package explore_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/linsat/linsat/explore"
	"github.com/linsat/linsat/explore/mem"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/specs"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// waitingQueue is a right queue whose deq waits for a value. Its deferred Unlock runs also where an
// operation before or after the threads waits for ever.
func waitingQueue(m *mem.Memory) explore.Instance {
	mu := mem.NewMutex(m, "mu")
	some := mem.NewCond(m, "some", mu)
	values := mem.NewVar(m, "values", []int(nil))
	return func(f string, arg any) any {
		mu.Lock()
		defer mu.Unlock()
		if f == "enq" {
			values.Store(append(values.Load()[:len(values.Load()):len(values.Load())], arg.(int)))
			some.Signal()
			return nil
		}
		for len(values.Load()) == 0 {
			some.Wait()
		}
		v := values.Load()[0]
		values.Store(values.Load()[1:])
		return v
	}
}

// outcomes runs a program under all schedules, and counts how executions ended.
func outcomes(t *testing.T, p explore.Program, s explore.Strategy) explore.Stats {
	stats, err := explore.Run(p, s, explore.Options{MaxSteps: 100, Hang: 5 * time.Second},
		func(*explore.Execution) bool { return true })
	require.NoError(t, err)
	return stats
}

// TestSerialOperationsThatBlock lets operations before and after the threads wait for ever, in
// front of deferred functions, and below functions that recover.
func TestSerialOperationsThatBlock(t *testing.T) {
	for name, c := range map[string]*explore.Case{
		"after":  {Threads: [][]explore.Call{{{F: "enq", Arg: 1}}, {{F: "deq"}}}, After: []explore.Call{{F: "deq"}}},
		"before": {Before: []explore.Call{{F: "deq"}}, Threads: [][]explore.Call{{{F: "enq", Arg: 1}}}},
	} {
		c.Object = &explore.Object{Name: "waiting", Spec: "queue", New: waitingQueue}
		stats := outcomes(t, c.Program(), explore.DPOR())
		assert.Equal(t, stats.Executions, stats.Outcomes[explore.Stuck], "%s: every execution is stuck: %v", name,
			stats.Outcomes)
		assert.Positive(t, stats.Executions)
		_, err := explore.Run(c.Program(), explore.DPOR(), explore.Options{}, func(e *explore.Execution) bool {
			last := e.Ops[len(e.Ops)-1]
			assert.Equal(t, "deq", last.F)
			assert.Equal(t, int32(-1), last.Return, "%s: it never returned", name)
			return true
		})
		require.NoError(t, err)
	}
	swallows := func(x *explore.Exec) {
		mu := mem.NewMutex(x.Memory(), "mu")
		try := func() {
			defer func() { _ = recover() }()
			mu.Lock()
		}
		x.Go(func(th *explore.Thread) { th.Do("lock", nil, func() any { mu.Lock(); return nil }) })
		x.After(func() {
			x.Do("once", nil, func() any { try(); return nil })
		})
		x.After(func() { t.Error("the execution is over before") })
	}
	stats := outcomes(t, swallows, explore.Exhaustive())
	assert.Equal(t, 1, stats.Outcomes[explore.Stuck])
	outside := func(x *explore.Exec) {
		mu := mem.NewMutex(x.Memory(), "mu")
		x.Go(func(th *explore.Thread) { th.Do("lock", nil, func() any { mu.Lock(); return nil }) })
		x.After(func() {
			defer func() { _ = recover() }()
			x.Do("lock", nil, func() any { mu.Lock(); return nil })
		})
		x.After(func() { t.Error("the execution is over before") })
	}
	stats = outcomes(t, outside, explore.Exhaustive())
	assert.Equal(t, 1, stats.Outcomes[explore.Stuck])
	stubborn := func(x *explore.Exec) {
		mu := mem.NewMutex(x.Memory(), "mu")
		mu.Lock()
		x.Do("forever", nil, func() any {
			for {
				func() {
					defer func() { _ = recover() }()
					mu.Lock()
				}()
			}
		})
	}
	stats = outcomes(t, stubborn, explore.Exhaustive())
	assert.Equal(t, 1, stats.Outcomes[explore.Stuck])
}

// TestSerialOperationsThatSpin bounds what serial code does, with accesses and without.
func TestSerialOperationsThatSpin(t *testing.T) {
	for name, spin := range map[string]func(m *mem.Memory, v *mem.Var[int]){
		"load":  func(_ *mem.Memory, v *mem.Var[int]) { v.Load() },
		"yield": func(m *mem.Memory, _ *mem.Var[int]) { m.Yield() },
	} {
		stats := outcomes(t, func(x *explore.Exec) {
			v := mem.NewVar(x.Memory(), "v", 0)
			x.Do("spin", nil, func() any {
				for {
					spin(x.Memory(), v)
				}
			})
		}, explore.Exhaustive())
		assert.Equal(t, 1, stats.Outcomes[explore.CutOff], name)
	}
}

// TestYieldBeforeAnyAccess: what a thread that yields first waits for is known to DPOR.
func TestYieldBeforeAnyAccess(t *testing.T) {
	program := func(x *explore.Exec) {
		m := x.Memory()
		v, reads := mem.NewVar(m, "v", 0), mem.NewInt64(m, "reads", 0)
		x.Go(func(th *explore.Thread) { th.Do("write", 1, func() any { v.Store(1); return nil }) })
		x.Go(func(th *explore.Thread) {
			th.Do("read", nil, func() any { m.Yield(); reads.Add(1); return v.Load() })
		})
		x.Go(func(th *explore.Thread) { th.Do("read", nil, func() any { reads.Add(1); return v.Load() }) })
	}
	classes := func(s explore.Strategy) map[string]bool {
		all := map[string]bool{}
		_, err := explore.Run(program, s, explore.Options{}, func(e *explore.Execution) bool {
			all[string(e.Class(nil))] = true
			return true
		})
		require.NoError(t, err)
		return all
	}
	assert.Equal(t, classes(explore.Exhaustive()), classes(explore.DPOR()))
}

// TestTimeoutWithinAnExecutionIsKept: the time of DPOR runs out while its second execution still
// repeats what the first did.
func TestTimeoutWithinAnExecutionIsKept(t *testing.T) {
	const limit = 200 * time.Millisecond
	runs := 0
	stats, err := explore.Run(func(x *explore.Exec) {
		if runs++; runs == 2 {
			time.Sleep(limit)
		}
		own, shared := mem.NewVar(x.Memory(), "own", 0), mem.NewVar(x.Memory(), "shared", 0)
		x.Go(func(th *explore.Thread) {
			th.Do("write", 1, func() any {
				for i := range 400 {
					own.Store(i)
				}
				shared.Store(1)
				return nil
			})
		})
		x.Go(func(th *explore.Thread) { th.Do("write", 2, func() any { shared.Store(2); return nil }) })
	}, explore.DPOR(), explore.Options{MaxTime: limit}, func(*explore.Execution) bool { return true })
	require.NoError(t, err)
	assert.Equal(t, "time", stats.Stopped)
	assert.Equal(t, 1, stats.Outcomes[explore.TimedOut])
}

// TestNoExecutionGivesNoVerdict: a strategy that is used up proves nothing.
func TestNoExecutionGivesNoVerdict(t *testing.T) {
	queue, _ := specs.Lookup("queue")
	c := &explore.Case{Object: &explore.Object{Name: "waiting", Spec: "queue", New: waitingQueue},
		Threads: [][]explore.Call{{{F: "enq", Arg: 1}}, {{F: "enq", Arg: 2}}}}
	used := explore.Exhaustive()
	for i, want := range []engine.Verdict{engine.Linearizable, engine.Unknown} {
		r, err := explore.Check(context.Background(), c, queue, explore.CheckOptions{Strategy: used})
		require.NoError(t, err)
		assert.Equal(t, want, r.Verdict, fmt.Sprint(i, r.Why))
	}
	r, err := explore.Check(context.Background(), c, queue, explore.CheckOptions{Strategy: explore.Bounded(-1)})
	require.NoError(t, err)
	assert.Equal(t, engine.Linearizable, r.Verdict, "like Bounded(0)")
	assert.Positive(t, r.Stats.Executions)
}
