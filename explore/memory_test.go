package explore

import (
	"math"
	"path/filepath"
	"sort"
	"strings"
	"testing"
	"time"

	"github.com/linsat/linsat/explore/mem"
	"github.com/linsat/linsat/internal/schedule"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// results runs every schedule and returns what the operations returned, each combination once, as
// text.
func results(t *testing.T, o Options, p Program) []string {
	t.Helper()
	seen := map[string]bool{}
	_, err := Run(p, Exhaustive(), o, func(e *Execution) bool {
		var out []string
		for i := range e.Ops {
			op := &e.Ops[i]
			if op.Return < 0 {
				out = append(out, op.F+" ?")
			} else {
				out = append(out, op.F+" "+text(op.Result))
			}
		}
		sort.Strings(out)
		seen[strings.Join(append(out, e.Outcome.String()), ", ")] = true
		return true
	})
	require.NoError(t, err)
	var all []string
	for s := range seen {
		all = append(all, s)
	}
	sort.Strings(all)
	return all
}

func do(x *Exec, f string, body func() any) {
	x.Go(func(t *Thread) { t.Do(f, nil, body) })
}

func TestMutexExcludes(t *testing.T) {
	got := results(t, Options{}, func(x *Exec) {
		l, v := mem.NewMutex(x.Memory(), "l"), mem.NewVar(x.Memory(), "v", 0)
		for _, f := range []string{"a", "b"} {
			do(x, f, func() any {
				l.Lock()
				defer l.Unlock()
				v.Store(v.Load() + 1)
				return v.Load()
			})
		}
	})
	assert.Equal(t, []string{"a 1, b 2, completed", "a 2, b 1, completed"}, got)
}

func TestTryLock(t *testing.T) {
	got := results(t, Options{}, func(x *Exec) {
		l := mem.NewMutex(x.Memory(), "l")
		do(x, "a", func() any { return l.TryLock() })
		do(x, "b", func() any { l.Lock(); defer l.Unlock(); return nil })
	})
	assert.Equal(t, []string{"a false, b null, completed", "a true, b ?, stuck", "a true, b null, completed"}, got)
}

func TestReadersShare(t *testing.T) {
	got := results(t, Options{}, func(x *Exec) {
		l := mem.NewRWMutex(x.Memory(), "l")
		inside := mem.NewInt64(x.Memory(), "inside", 0)
		read := func() any {
			l.RLock()
			defer l.RUnlock()
			n := inside.Add(1)
			inside.Add(-1)
			return n
		}
		do(x, "r", read)
		do(x, "s", read)
		do(x, "w", func() any {
			l.Lock()
			defer l.Unlock()
			return inside.Load()
		})
	})
	assert.Equal(t, []string{"r 1, s 1, w 0, completed", "r 1, s 2, w 0, completed", "r 2, s 1, w 0, completed"}, got)
	got = results(t, Options{}, func(x *Exec) {
		l := mem.NewRWMutex(x.Memory(), "l")
		do(x, "w", func() any { return l.TryLock() })
		do(x, "r", func() any { return l.TryRLock() })
		do(x, "s", func() any { return l.TryRLock() })
	})
	assert.Equal(t, []string{"r false, s false, w true, completed", "r true, s true, w false, completed"}, got)
}

// TestAWaitingWriterKeepsReadersOut: reading twice at once deadlocks with a writer in between, as
// it does in package sync.
func TestAWaitingWriterKeepsReadersOut(t *testing.T) {
	twice := func(x *Exec) {
		l := mem.NewRWMutex(x.Memory(), "l")
		do(x, "r", func() any {
			l.RLock()
			defer l.RUnlock()
			l.RLock()
			defer l.RUnlock()
			return nil
		})
		do(x, "w", func() any {
			l.Lock()
			defer l.Unlock()
			return nil
		})
	}
	assert.Equal(t, []string{"r ?, w ?, stuck", "r null, w null, completed"}, results(t, Options{}, twice))
	e, err := once(twice, Schedule{0, 1}, Options{Trace: true})
	require.NoError(t, err)
	var text strings.Builder
	e.WriteTrace(&text)
	assert.Contains(t, text.String(), "rlock l: free → 1 reader ")
	assert.Contains(t, text.String(), "acquire l: 1 reader → 1 reader, a writer waits ")
	assert.Contains(t, text.String(), "thread 0 waits: rlock l")
}

func TestCondWakesInOrder(t *testing.T) {
	wait := func(x *Exec, wake func(c *mem.Cond)) {
		m := x.Memory()
		l := mem.NewMutex(m, "l")
		c := mem.NewCond(m, "c", l)
		ready := mem.NewVar(m, "ready", false)
		for _, f := range []string{"a", "b"} {
			do(x, f, func() any {
				l.Lock()
				defer l.Unlock()
				for !ready.Load() {
					c.Wait()
				}
				return nil
			})
		}
		do(x, "w", func() any {
			l.Lock()
			ready.Store(true)
			l.Unlock()
			wake(c)
			return nil
		})
	}
	all := results(t, Options{}, func(x *Exec) { wait(x, (*mem.Cond).Broadcast) })
	assert.Equal(t, []string{"a null, b null, w null, completed"}, all)
	one := results(t, Options{}, func(x *Exec) { wait(x, (*mem.Cond).Signal) })
	assert.Equal(t, []string{"a ?, b null, w null, stuck", "a null, b ?, w null, stuck",
		"a null, b null, w null, completed"}, one)
	// A lost wake-up: the signal comes before the wait.
	lost := results(t, Options{}, func(x *Exec) {
		l := mem.NewMutex(x.Memory(), "l")
		c := mem.NewCond(x.Memory(), "c", l)
		do(x, "a", func() any { l.Lock(); c.Wait(); l.Unlock(); return nil })
		do(x, "w", func() any { c.Signal(); return nil })
	})
	assert.Equal(t, []string{"a ?, w null, stuck", "a null, w null, completed"}, lost)
}

func TestSemaphore(t *testing.T) {
	got := results(t, Options{}, func(x *Exec) {
		s := mem.NewSemaphore(x.Memory(), "s", 1)
		do(x, "a", func() any { s.Acquire(); return nil })
		do(x, "b", func() any { return s.TryAcquire() })
		do(x, "c", func() any { s.Release(); return nil })
	})
	assert.Equal(t, []string{"a null, b false, c null, completed", "a null, b true, c null, completed"}, got)
	got = results(t, Options{}, func(x *Exec) {
		s := mem.NewSemaphore(x.Memory(), "s", 1)
		do(x, "a", func() any { s.Acquire(); return nil })
		do(x, "b", func() any { s.Acquire(); return nil })
	})
	assert.Equal(t, []string{"a ?, b null, stuck", "a null, b ?, stuck"}, got)
}

func TestAtomics(t *testing.T) {
	got := results(t, Options{}, func(x *Exec) {
		v := mem.NewAtomic(x.Memory(), "v", "-")
		do(x, "a", func() any { return v.Swap("a") })
		do(x, "b", func() any { return v.CompareAndSwap("-", "b") })
	})
	assert.Equal(t, []string{`a "-", b false, completed`, `a "b", b true, completed`}, got)
	got = results(t, Options{}, func(x *Exec) {
		v := mem.NewAtomic(x.Memory(), "v", 0)
		w := mem.NewAtomic(x.Memory(), "w", "")
		do(x, "a", func() any { return mem.CompareAndSwap2(v, w, 0, "", 1, "x") })
		do(x, "b", func() any { return mem.CompareAndSwap2(w, v, "x", 1, "y", 2) })
		do(x, "c", func() any { return v.Await(func(n int) bool { return n > 0 }) })
	})
	assert.Equal(t, []string{"a true, b false, c 1, completed", "a true, b true, c 1, completed",
		"a true, b true, c 2, completed"}, got)
}

func TestMisuseIsReported(t *testing.T) {
	for want, body := range map[string]func(m *mem.Memory){
		"unlock of unlocked mutex":   func(m *mem.Memory) { mem.NewMutex(m, "l").Unlock() },
		"unlock of unlocked rwmutex": func(m *mem.Memory) { mem.NewRWMutex(m, "l").Unlock() },
		"runlock of rwmutex":         func(m *mem.Memory) { mem.NewRWMutex(m, "l").RUnlock() },
		"wait with unlocked mutex":   func(m *mem.Memory) { mem.NewCond(m, "c", mem.NewMutex(m, "l")).Wait() },
		"predicate of an Await uses": func(m *mem.Memory) {
			v := mem.NewInt64(m, "v", 0)
			v.Await(func(int64) bool { return v.Load() == 0 })
		},
		"predicate of an Await": func(m *mem.Memory) {
			mem.NewAtomic(m, "v", 0).Await(func(int) bool { return m.Choose(2) == 0 })
		},
		"the predicate": func(m *mem.Memory) {
			mem.NewAtomic(m, "v", 0).Await(func(int) bool { m.Yield(); return true })
		},
		"mem: Choose(0): want at least 1": func(m *mem.Memory) { m.Choose(0) },
	} {
		_, err := Run(func(x *Exec) {
			x.Go(func(*Thread) { body(x.Memory()) })
		}, Exhaustive(), Options{}, func(e *Execution) bool {
			assert.Equal(t, Panicked, e.Outcome, want)
			assert.Contains(t, e.Panic, want)
			return true
		})
		require.NoError(t, err)
	}
	for want, p := range map[string]Program{
		"operation g inside of operation f": func(x *Exec) {
			x.Go(func(t *Thread) {
				t.Do("f", nil, func() any { return t.Do("g", nil, func() any { return nil }) })
			})
		},
		"operation f of a thread that does not run": func(x *Exec) {
			x.Go(func(*Thread) { x.Do("f", nil, func() any { return nil }) })
		},
		"Go outside of the program": func(x *Exec) { x.Go(func(*Thread) { x.Go(nil) }) },
		"more than 64 threads": func(x *Exec) {
			for range 65 {
				x.Go(func(*Thread) {})
			}
		},
	} {
		_, err := Run(p, Exhaustive(), Options{}, func(e *Execution) bool {
			assert.Equal(t, Panicked, e.Outcome, want)
			assert.Contains(t, e.Panic, want)
			return true
		})
		require.NoError(t, err)
	}
}

// TestSpinningEnds runs every fair schedule of a spin loop with Yield: the tree is finite.
func TestSpinningEnds(t *testing.T) {
	got := results(t, Options{}, func(x *Exec) {
		v := mem.NewInt64(x.Memory(), "v", 0)
		do(x, "wait", func() any { return spinUntil(x.Memory(), v) })
		do(x, "set", func() any { v.Load(); v.Load(); v.Store(1); return nil })
	})
	assert.Equal(t, []string{"set null, wait 1, completed"}, got)
	// Two threads that wait for a third, which waits for a lock.
	got = results(t, Options{}, func(x *Exec) {
		v := mem.NewInt64(x.Memory(), "v", 0)
		l := mem.NewMutex(x.Memory(), "l")
		do(x, "a", func() any { return spinUntil(x.Memory(), v) })
		do(x, "b", func() any { l.Lock(); defer l.Unlock(); v.Load(); return nil })
		do(x, "c", func() any { l.Lock(); v.Store(1); l.Unlock(); return nil })
	})
	assert.Equal(t, []string{"a 1, b null, c null, completed"}, got)
}

// TestLivelockIsNotDeadlock: threads that spin for ever reach the bound on steps; with Await they
// are stuck.
func TestLivelockIsNotDeadlock(t *testing.T) {
	spin := func(x *Exec) {
		v := mem.NewInt64(x.Memory(), "v", 0)
		do(x, "a", func() any { return spinUntil(x.Memory(), v) })
		do(x, "b", func() any { return spinUntil(x.Memory(), v) })
	}
	for _, s := range []Strategy{Exhaustive(), Random(1, 20), PCT(1, 3, 20), Bounded(1)} {
		stats, err := Run(spin, s, Options{MaxSteps: 12}, func(*Execution) bool { return true })
		require.NoError(t, err)
		assert.NotZero(t, stats.Executions)
		assert.Equal(t, stats.Executions, stats.Outcomes[CutOff])
	}
	bare := func(x *Exec) { // without any access
		do(x, "a", func() any {
			for {
				x.Memory().Yield()
			}
		})
	}
	stats, err := Run(bare, Exhaustive(), Options{MaxSteps: 100}, func(*Execution) bool { return true })
	require.NoError(t, err)
	assert.Equal(t, 1, stats.Outcomes[CutOff])
	got := results(t, Options{}, func(x *Exec) {
		v := mem.NewInt64(x.Memory(), "v", 0)
		do(x, "a", func() any { return v.Await(func(n int64) bool { return n > 0 }) })
	})
	assert.Equal(t, []string{"a ?, stuck"}, got)
}

// TestBoundsOfRunsAndTimeAreKept: runs, time of the whole, time within one execution.
func TestBoundsOfRunsAndTimeAreKept(t *testing.T) {
	stats, _ := collect(t, adders(5, 5), Exhaustive(), Options{MaxRuns: 17})
	assert.Equal(t, 17, stats.Executions)
	assert.False(t, stats.Complete)
	assert.Equal(t, "runs", stats.Stopped)
	stats, _ = collect(t, adders(4, 4), Exhaustive(), Options{MaxRuns: 70})
	assert.True(t, stats.Complete, "70 are all")
	stats, _ = collect(t, adders(50, 50, 50), Exhaustive(), Options{MaxTime: 20 * time.Millisecond})
	assert.False(t, stats.Complete)
	assert.Equal(t, "time", stats.Stopped)
	assert.Less(t, stats.Elapsed, 10*time.Second)
	stats, _ = collect(t, func(x *Exec) {
		v := mem.NewInt64(x.Memory(), "v", 0)
		x.Go(func(*Thread) {
			for {
				v.Add(1)
			}
		})
	}, Exhaustive(), Options{MaxTime: 20 * time.Millisecond, MaxSteps: math.MaxInt})
	assert.Equal(t, 1, stats.Outcomes[TimedOut])
}

func TestTracesListEveryAccess(t *testing.T) {
	type node struct {
		value int
		next  *node
	}
	c := &Case{
		Object: &Object{New: func(m *mem.Memory) Instance {
			head := mem.NewAtomic[*node](m, "head", nil)
			head.Store(&node{value: 7})
			return func(f string, arg any) any {
				if f == "read" {
					return head.Load().value
				}
				old := head.Load()
				return head.CompareAndSwap(old, &node{value: 8, next: old})
			}
		}},
		Before:  calls("read"),
		Threads: [][]Call{calls("add"), calls("add")},
	}
	var e *Execution
	s, err := ParseSchedule("0011")
	require.NoError(t, err)
	_, err = Run(c.Program(), Replay(s), Options{Trace: true}, func(x *Execution) bool { e = x.Clone(); return true })
	require.NoError(t, err)
	require.Len(t, e.Events, 5)
	assert.Equal(t, schedule.Main, e.Events[0].Thread)
	first, second := e.Events[1], e.Events[2]
	assert.Equal(t, []any{0, schedule.Read, "head", "#1", true, false},
		[]any{first.Thread, schedule.Inside(&first.Access).Kind, first.Name, first.Before,
			schedule.Inside(&first.Access).First, schedule.Inside(&first.Access).Last})
	assert.Equal(t, []any{0, schedule.Update, "head", "#1", "#2", false, true},
		[]any{second.Thread, schedule.Inside(&second.Access).Kind, second.Name, second.Before, second.After,
			schedule.Inside(&second.Access).First, schedule.Inside(&second.Access).Last})
	assert.Equal(t, "memory_test.go", filepath.Base(second.File))
	assert.Equal(t, first.Line+1, second.Line)
	s, err = ParseSchedule("0101")
	require.NoError(t, err)
	_, err = Run(c.Program(), Replay(s), Options{Trace: true}, func(x *Execution) bool { e = x.Clone(); return true })
	require.NoError(t, err)
	last := e.Events[4]
	assert.Equal(t, schedule.Read, schedule.Inside(&last.Access).Kind, "a compare-and-swap that failed")
	assert.Equal(t, "#2", last.Before)
	assert.Equal(t, "#2", last.After)
}

// TestSerialBlocks: an operation that blocks in a serial run ends it, alone.
func TestSerialBlocks(t *testing.T) {
	object := &Object{New: func(m *mem.Memory) Instance {
		s, v := mem.NewSemaphore(m, "s", 0), mem.NewInt64(m, "v", 0)
		return func(f string, _ any) any {
			switch f {
			case "acquire":
				s.Acquire()
			case "read-acquire":
				v.Load()
				s.Acquire()
			case "release":
				s.Release()
			}
			return nil
		}
	}}
	for _, acquire := range []string{"acquire", "read-acquire"} {
		c := &Case{Object: object, Threads: [][]Call{calls(acquire), calls("release"), calls(acquire)}}
		seen := map[string]int{}
		_, err := Run(c.Program(), schedule.Serial(), Options{}, func(e *Execution) bool {
			pending := 0
			var line []string
			for i := range e.Ops {
				if e.Ops[i].Return < 0 {
					pending++
				}
				line = append(line, e.Ops[i].F, string(rune('0'+e.Ops[i].Thread)))
			}
			assert.Equal(t, e.Outcome == Stuck, pending == 1)
			seen[strings.Join(line, " ")]++
			return true
		})
		require.NoError(t, err)
		a := acquire
		assert.Equal(t, map[string]int{
			a + " 0": 1, a + " 2": 1,
			"release 1 " + a + " 0 " + a + " 2": 1,
			"release 1 " + a + " 2 " + a + " 0": 1,
		}, seen)
	}
}
