package explore

import (
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/linsat/linsat/explore/mem"
	"github.com/linsat/linsat/internal/schedule"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"
)

// TestMain finds goroutines that any test of the package leaves behind.
func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// philosophers take two locks in opposite orders and free them by defer.
func philosophers(x *Exec) {
	a, b := mem.NewMutex(x.Memory(), "a"), mem.NewMutex(x.Memory(), "b")
	eat := func(first, second *mem.Mutex) func(*Thread) {
		return func(t *Thread) {
			t.Do("eat", nil, func() any {
				first.Lock()
				defer first.Unlock()
				second.Lock()
				defer second.Unlock()
				return nil
			})
		}
	}
	x.Go(eat(a, b))
	x.Go(eat(b, a))
}

func TestDeadlocksNameWhatThreadsWaitFor(t *testing.T) {
	for _, s := range []Strategy{Exhaustive(), Bounded(1)} {
		stats, classes := collect(t, philosophers, s, Options{})
		assert.Equal(t, 2, stats.Outcomes[Stuck], "either thread is first")
		assert.NotZero(t, stats.Outcomes[Completed])
		assert.Len(t, classes, 4, "either before the other, both at once, both pending")
	}
	stats, _ := collect(t, philosophers, Bounded(0), Options{})
	assert.Zero(t, stats.Outcomes[Stuck])
}

// TestNothingIsLeftBehind runs tens of thousands of executions that deadlock, panic, call Goexit,
// recover what they must not, and are stopped by the visitor, and finds the goroutines and the heap
// as they were.
func TestNothingIsLeftBehind(t *testing.T) {
	troubles := map[string]Program{
		"deadlock": philosophers,
		"panic": func(x *Exec) {
			v := mem.NewInt64(x.Memory(), "v", 0)
			x.Go(func(t *Thread) {
				t.Do("f", nil, func() any {
					if v.Add(1) == 2 {
						panic("second")
					}
					return nil
				})
			})
			x.Go(func(t *Thread) {
				defer v.Add(1)
				v.Add(1)
				v.Load()
			})
		},
		"goexit": func(x *Exec) {
			v := mem.NewInt64(x.Memory(), "v", 0)
			for range 2 {
				x.Go(func(t *Thread) {
					defer v.Add(1)
					if v.Add(1) == 2 {
						runtime.Goexit()
					}
					v.Load()
				})
			}
		},
		"recover": func(x *Exec) {
			l := mem.NewMutex(x.Memory(), "l")
			x.Go(func(t *Thread) { l.Lock() })
			x.Go(func(t *Thread) {
				for done := false; !done; { // a retry loop that survives any panic
					func() {
						defer func() { _ = recover() }()
						l.Lock()
						l.Lock()
						done = true
					}()
				}
			})
		},
	}
	before := runtime.NumGoroutine()
	heap := func() uint64 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc + m.StackInuse
	}
	round := func() {
		for name, p := range troubles {
			runs := 0
			for runs < 500 {
				n := 0
				stats, err := Run(p, Random(uint64(runs), 100), Options{MaxSteps: 60}, func(e *Execution) bool {
					n++
					assert.NotEqual(t, CutOff, e.Outcome, name)
					return n < 50 // stop half of the way
				})
				require.NoError(t, err)
				require.Equal(t, 50, stats.Executions, name)
				require.NotZero(t, stats.Outcomes[Stuck]+stats.Outcomes[Panicked], name)
				// drivers that are about to end
				require.LessOrEqual(t, runtime.NumGoroutine(), before+4, name)
				runs += stats.Executions
			}
		}
	}
	round()
	small := heap()
	for range testenv.Scale(5, 20) {
		round()
	}
	assert.Less(t, heap(), small+small/4+1<<20)
	deadline := time.Now().Add(5 * time.Second)
	for runtime.NumGoroutine() > before && time.Now().Before(deadline) {
		runtime.Gosched()
	}
	assert.LessOrEqual(t, runtime.NumGoroutine(), before)
	goleak.VerifyNone(t)
}

func TestPanicsAreOutcomes(t *testing.T) {
	p := func(x *Exec) {
		v := mem.NewInt64(x.Memory(), "v", 0)
		x.Go(func(t *Thread) {
			t.Do("boom", nil, func() any {
				v.Load()
				var none []int
				return none[3]
			})
		})
		x.Go(func(t *Thread) { t.Do("get", nil, func() any { return int(v.Load()) }) })
	}
	stats, err := Run(p, Exhaustive(), Options{}, func(e *Execution) bool {
		assert.Equal(t, Panicked, e.Outcome)
		assert.ErrorContains(t, e.Panic.(error), "index out of range")
		assert.Contains(t, e.Stack, "TestPanicsAreOutcomes")
		for _, o := range e.Ops {
			assert.Equal(t, o.F == "boom", o.Return < 0)
		}
		return true
	})
	require.NoError(t, err)
	assert.Equal(t, 2, stats.Executions)
}

func TestGoexitInAThreadIsAnOutcome(t *testing.T) {
	inner := &testing.T{}
	p := func(x *Exec) {
		v := mem.NewInt64(x.Memory(), "v", 0)
		for range 2 {
			x.Go(func(*Thread) {
				if v.Add(1) == 2 {
					inner.FailNow()
				}
			})
		}
	}
	stats, err := Run(p, Exhaustive(), Options{}, func(e *Execution) bool {
		assert.Equal(t, goexit, e.Panic)
		return true
	})
	require.NoError(t, err)
	assert.Equal(t, 2, stats.Outcomes[Panicked])
	assert.True(t, stats.Complete)
	assert.True(t, inner.Failed())
}

// on runs f on a goroutine of its own and tells how that ended.
func on(f func()) (panicked any, returned bool) {
	var wait sync.WaitGroup
	wait.Add(1)
	go func() {
		defer wait.Done()
		defer func() { panicked = recover() }()
		f()
		returned = true
	}()
	wait.Wait()
	return panicked, returned
}

func TestPanicAndGoexitOfTheVisitorPassThrough(t *testing.T) {
	v, returned := on(func() {
		_, _ = Run(adders(2, 2), Exhaustive(), Options{}, func(*Execution) bool { panic("visitor") })
	})
	assert.Equal(t, "visitor", v)
	assert.False(t, returned)
	v, returned = on(func() {
		_, _ = Run(adders(2, 2), Exhaustive(), Options{}, func(*Execution) bool { runtime.Goexit(); return true })
	})
	assert.Nil(t, v)
	assert.False(t, returned)
}

func TestSerialPartsBlockAndPanic(t *testing.T) {
	object := &Object{New: func(m *mem.Memory) Instance {
		s := mem.NewSemaphore(m, "s", 0)
		return func(f string, _ any) any {
			switch f {
			case "acquire":
				s.Acquire()
			case "release":
				s.Release()
			default:
				panic("no operation " + f)
			}
			return nil
		}
	}}
	for _, c := range []struct {
		before, after []Call
		want          Outcome
	}{
		{calls("acquire"), nil, Stuck},
		{calls("release", "acquire"), calls("acquire"), Completed},
		{nil, calls("acquire", "acquire"), Stuck},
		{calls("dance"), nil, Panicked},
		{nil, calls("dance"), Panicked},
	} {
		_, err := Run((&Case{Object: object, Before: c.before, After: c.after,
			Threads: [][]Call{calls("release")}}).Program(), Exhaustive(), Options{}, func(e *Execution) bool {
			assert.Equal(t, c.want, e.Outcome, "%v", c)
			if c.want != Completed {
				last := e.Ops[len(e.Ops)-1]
				assert.Equal(t, schedule.Main, last.Thread)
				assert.Negative(t, last.Return)
			}
			return true
		})
		require.NoError(t, err)
	}
}

func hangOnChannel(end chan struct{}) { <-end }

func TestGoexitWhereverItIs(t *testing.T) {
	// In a deferred function, before the first access, after the last one, while being torn down.
	for name, body := range map[string]func(v *mem.Int64){
		"deferred": func(v *mem.Int64) { defer runtime.Goexit(); v.Add(1) },
		"first":    func(*mem.Int64) { runtime.Goexit() },
		"last":     func(v *mem.Int64) { v.Add(1); runtime.Goexit() },
	} {
		stats, err := Run(func(x *Exec) {
			v := mem.NewInt64(x.Memory(), "v", 0)
			x.Go(func(*Thread) { v.Add(1) })
			x.Go(func(*Thread) { body(v) })
			x.Go(func(*Thread) { defer runtime.Goexit(); v.Load(); v.Load() })
		}, Exhaustive(), Options{}, func(*Execution) bool { return true })
		require.NoError(t, err, name)
		assert.Equal(t, stats.Executions, stats.Outcomes[Panicked], name)
		assert.True(t, stats.Complete, name)
	}
	// In the program itself it ends the caller of Run, as in the visitor.
	v, returned := on(func() {
		_, _ = Run(func(*Exec) { runtime.Goexit() }, Exhaustive(), Options{}, func(*Execution) bool { return true })
	})
	assert.Nil(t, v)
	assert.False(t, returned)
}

func TestStuckThreadsSayWhatTheyWaitFor(t *testing.T) {
	e, err := once(philosophers, Schedule{0, 1}, Options{Trace: true})
	require.NoError(t, err)
	require.Equal(t, Stuck, e.Outcome)
	require.Len(t, e.Waiting, 2)
	var text strings.Builder
	e.WriteTrace(&text)
	assert.Contains(t, text.String(), "thread 0 waits: lock b")
	assert.Contains(t, text.String(), "thread 1 waits: lock a")
	assert.Contains(t, text.String(), "thread 1: eat() did not return")
	lines := 0
	for line := range strings.Lines(text.String()) {
		if runes := []rune(line); len(runes) > 53 {
			assert.True(t, strings.HasPrefix(string(runes[53:]), "teardown_test.go:"), line)
			lines++
		}
	}
	assert.Equal(t, 4, lines, "two accesses, and two that wait, in one column")
}

func TestWatchdogSeesTheProgram(t *testing.T) {
	end := make(chan struct{})
	defer close(end)
	_, err := Run(func(x *Exec) {
		mem.NewInt64(x.Memory(), "v", 0)
		hangOnChannel(end)
	}, Exhaustive(), Options{Hang: 50 * time.Millisecond}, func(*Execution) bool { return true })
	var hang *Hang
	require.ErrorAs(t, err, &hang)
	assert.Equal(t, schedule.Main, hang.Thread)
	assert.Contains(t, err.Error(), "the program made no access for 50ms")
	assert.Contains(t, hang.Stack, "hangOnChannel")
}

func TestWatchdogEndsHungExecutions(t *testing.T) {
	end := make(chan struct{})
	defer close(end)
	p := func(x *Exec) {
		v := mem.NewInt64(x.Memory(), "v", 0)
		x.Go(func(*Thread) { v.Add(1) })
		x.Go(func(*Thread) {
			if v.Load() == 1 {
				hangOnChannel(end)
			}
			v.Add(1)
		})
	}
	_, err := Run(p, Exhaustive(), Options{Hang: 50 * time.Millisecond}, func(*Execution) bool { return true })
	var hang *Hang
	require.ErrorAs(t, err, &hang)
	assert.Equal(t, 1, hang.Thread)
	assert.Equal(t, "01", hang.Schedule.String())
	assert.Contains(t, hang.Stack, "hangOnChannel")
	assert.Equal(t, 1, strings.Count("\n"+hang.Stack, "\ngoroutine "), hang.Stack)
	assert.Contains(t, err.Error(), "thread 1 made no access for 50ms after the schedule \"01\"")
}

// TestHungExecutionsMayReturnLate: a thread that computes for too long ends at its next access, and
// with it all goroutines of the Run.
func TestHungExecutionsMayReturnLate(t *testing.T) {
	for name, after := range map[string]func(v *mem.Int64){
		"to an access":         func(v *mem.Int64) { v.Load() },
		"to its end":           func(*mem.Int64) {},
		"to deferred accesses": func(v *mem.Int64) { defer v.Load(); defer v.Load() },
	} {
		before := runtime.NumGoroutine()
		var enough atomic.Bool
		_, err := Run(func(x *Exec) {
			v := mem.NewInt64(x.Memory(), "v", 0)
			x.Go(func(*Thread) { v.Load(); v.Load() })
			x.Go(func(*Thread) {
				v.Load()
				for !enough.Load() {
					runtime.Gosched()
				}
				after(v)
			})
		}, Exhaustive(), Options{Hang: 30 * time.Millisecond}, func(*Execution) bool { return true })
		var hang *Hang
		require.ErrorAs(t, err, &hang, name)
		assert.Equal(t, 1, hang.Thread)
		enough.Store(true)
		for deadline := time.Now().Add(5 * time.Second); runtime.NumGoroutine() > before &&
			time.Now().Before(deadline); {
			runtime.Gosched()
		}
		assert.LessOrEqual(t, runtime.NumGoroutine(), before, name)
	}
}

func TestVisitorsMayBeSlow(t *testing.T) {
	stats, err := Run(adders(1), Exhaustive(), Options{Hang: 20 * time.Millisecond}, func(*Execution) bool {
		time.Sleep(150 * time.Millisecond)
		return true
	})
	require.NoError(t, err)
	assert.Equal(t, 1, stats.Executions)
}
