package shimrun_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	stdsync "sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/linsat/linsat/explore"
	"github.com/linsat/linsat/explore/shim"
	"github.com/linsat/linsat/explore/shim/atomic"
	"github.com/linsat/linsat/explore/shim/context"
	"github.com/linsat/linsat/explore/shim/sync"
	"github.com/linsat/linsat/internal/schedule"
	"github.com/linsat/linsat/internal/shimrun"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// clocks is what a random program with times shares.
type clocks struct {
	a      atomic.Int64
	flag   atomic.Bool
	mu     lock
	direct chan int
	buffer chan int
	timer  *shim.Timer // counts a up
	began  time.Time
	set    bool
	whole  bool // no time is left out
	blind  bool // nobody sees how much has passed
}

// lock is a mutex. In a bubble of synctest it is a channel: there time stands still while anybody
// waits for a mutex, and whoever sleeps with it would sleep for ever.
type lock struct {
	sync.Mutex
	bubble chan struct{}
}

func (l *lock) Lock() {
	if l.bubble == nil {
		l.Mutex.Lock()
		return
	}
	l.bubble <- struct{}{}
}

func (l *lock) Unlock() {
	if l.bubble == nil {
		l.Mutex.Unlock()
		return
	}
	<-l.bubble
}

func newClocks() *clocks {
	w := &clocks{direct: shim.Made(make(chan int)), buffer: shim.Made(make(chan int, 1))}
	w.began = shim.Now()
	w.timer = shim.AfterFunc(2, func() { w.a.Add(1000) })
	return w
}

// since is how much time has passed.
func (w *clocks) since() int {
	if w.blind {
		return 0
	}
	return int(shim.Since(w.began))
}

// timed are what operations with times are made of. None waits for ever.
var timed = []func(w *clocks) any{
	func(w *clocks) any { return w.a.Add(1) },
	func(w *clocks) any { return w.since() },
	func(w *clocks) any { shim.Sleep(1); return w.a.Add(10) },
	func(w *clocks) any { shim.Sleep(2); return w.a.Load() },
	func(w *clocks) any { return w.flag.Swap(true) },
	func(w *clocks) any { return w.timer.Stop() },
	func(w *clocks) any { return w.timer.Reset(1) },
	func(w *clocks) any { return shim.Select(false, shim.To(w.direct).Of(1), shim.From(shim.After(2))) },
	func(w *clocks) any { return shim.Select(false, shim.From(w.direct), shim.From(shim.After(1))) },
	func(w *clocks) any { return shim.Select(true, shim.To(w.buffer).Of(1)) },
	func(w *clocks) any {
		r := shim.From(w.buffer)
		n := shim.Select(false, r, shim.From(shim.After(3)))
		return []any{n, r.Value, w.since()}
	},
	func(w *clocks) any {
		t := shim.AfterFunc(1, func() { w.a.Add(100) })
		shim.Sleep(1)
		return t.Stop()
	},
	func(w *clocks) any {
		t := shim.NewTicker(2)
		defer t.Stop()
		for range 3 {
			shim.From(t.C).Receive()
		}
		return w.a.Load()
	},
	func(w *clocks) any {
		ctx, cancel := context.WithTimeout(context.Background(), 2)
		defer cancel()
		n := shim.Select(false, shim.From(w.direct), shim.From(ctx.Done()))
		return []any{n, fmt.Sprint(ctx.Err())}
	},
	func(w *clocks) any {
		t := shim.NewTimer(3)
		shim.Sleep(1)
		t.Reset(1)
		shim.From(t.C).Receive()
		return w.since()
	},
	func(w *clocks) any {
		n := 0
		for ; !w.flag.Load() && n < 3; n++ {
			shim.Sleep(1)
		}
		return n
	},
	func(w *clocks) any {
		w.mu.Lock()
		defer w.mu.Unlock()
		shim.Sleep(1)
		return w.a.Load()
	},
	func(w *clocks) any { // polls for what comes
		shim.AfterFunc(2, func() { w.flag.Store(true) })
		for !w.flag.Load() {
			shim.Sleep(1)
		}
		return w.a.Load()
	},
	func(w *clocks) any { // the same under a lock
		set := false
		shim.AfterFunc(2, func() { w.mu.Lock(); set = true; w.mu.Unlock() })
		for {
			w.mu.Lock()
			done := set
			w.mu.Unlock()
			if done {
				return w.since()
			}
			shim.Sleep(1)
		}
	},
}

// sleep is the sleep of a loop that waits.
func (w *clocks) sleep(d time.Duration) {
	if w.whole {
		shim.Sleep(d)
	} else {
		shim.Nap(d)
	}
}

// tick returns the channel of a ticker.
func (w *clocks) tick(d time.Duration) <-chan time.Time {
	if !w.whole {
		return shim.NewTicker(d).C
	}
	c := shim.Made(make(chan time.Time, 1))
	shim.Go(func() {
		for {
			shim.Sleep(d)
			shim.Select(true, shim.To(c).Of(time.Time{}))
		}
	})
	return c
}

// polling are operations that sleep until others have done something, and what that is.
var polling = []func(w *clocks) any{
	func(w *clocks) any {
		for !w.flag.Load() {
			w.sleep(1)
		}
		return w.since()
	},
	func(w *clocks) any {
		for !w.flag.Load() && w.a.Load() < 1000 {
			w.sleep(2)
		}
		return w.since()
	},
	func(w *clocks) any {
		w.a.Load()
		shim.Rounds() // of another loop before
		for !w.flag.Load() {
			w.sleep(3)
			if w.a.Load() >= 1000 {
				return w.since()
			}
		}
		return nil
	},
	func(w *clocks) any {
		for {
			w.mu.Lock()
			done := w.set
			w.mu.Unlock()
			if done {
				return w.since()
			}
			w.sleep(2)
		}
	},
	func(w *clocks) any {
		for {
			if w.mu.TryLock() {
				done := w.set
				w.mu.Unlock()
				if done {
					return w.since()
				}
			}
			w.sleep(2)
		}
	},
	func(w *clocks) any {
		c := w.tick(1)
		shim.Sleep(3)
		shim.From(c).Receive()
		shim.From(c).Receive()
		return w.since()
	},
	func(w *clocks) any { w.tick(2); shim.Sleep(3); return w.flag.Swap(true) },
	func(w *clocks) any { shim.Sleep(2); w.mu.Lock(); defer w.mu.Unlock(); w.set = true; return nil },
	func(w *clocks) any {
		shim.Sleep(3)
		w.mu.Lock()
		defer w.mu.Unlock()
		shim.Sleep(2)
		w.set = true
		return w.since()
	},
	func(w *clocks) any {
		if !w.mu.TryLock() {
			return false
		}
		w.mu.Unlock()
		return true
	},
	func(w *clocks) any { return w.flag.Swap(true) },
	func(w *clocks) any { shim.Sleep(3); return w.a.Add(1000) },
}

// TestIdleTimeLosesNothing: where time does not stop for ticks that nobody takes and rounds of
// loops that find nothing new, no class of executions is lost, and none is added.
func TestIdleTimeLosesNothing(t *testing.T) {
	r := rand.New(rand.NewPCG(20, 1))
	compared, all, reduced := 0, 0, 0
	var programs [][][]int
	for i := range polling {
		for j := range i + 1 {
			programs = append(programs, [][]int{{i}, {j}})
		}
	}
	for range testenv.Scale(20, 600) {
		programs = append(programs, timedProgram(r, len(polling)))
	}
	for _, program := range programs {
		want, _, n := classesOfTimes(t, program, true, 0, explore.DPOR, 1_000)
		got, _, m := classesOfTimes(t, program, false, 0, explore.DPOR, 5_000)
		if every, _, _ := classesOfTimes(t, program, false, 0, explore.Exhaustive, 1_000); every != nil {
			require.Equal(t, every, got, program)
		}
		if want == nil {
			continue
		}
		require.Equal(t, want, got, program)
		compared, all, reduced = compared+1, all+n, reduced+m
	}
	t.Logf("%d programs: %d executions, %d where idle time is left out", compared, all, reduced)
	assert.Greater(t, compared, testenv.MoreThan(20))
	assert.Less(t, reduced, all)
}

// TestPollsWhereGoroutinesTakeTime: a loop that waits and sleeps loses no class of executions
// either where goroutines may take time, but for how much of it passes.
func TestPollsWhereGoroutinesTakeTime(t *testing.T) {
	compared, all, reduced := 0, 0, 0
	for i := range polling {
		for j := range i + 1 {
			for _, skew := range []time.Duration{1, schedule.AnyMoment} {
				program := [][]int{{i}, {j}}
				want, _, n := classesOfTimes(t, program, true, skew, explore.DPOR, testenv.Scale(200, 2_000))
				got, _, m := classesOfTimes(t, program, false, skew, explore.DPOR, testenv.Scale(200, 2_000))
				if want == nil || got == nil {
					continue
				}
				for one := range want {
					require.Contains(t, got, one, "%v, skew %v", program, skew)
				}
				compared, all, reduced = compared+1, all+n, reduced+m
			}
		}
	}
	t.Logf("%d programs: %d executions, %d where loops wait", compared, all, reduced)
	assert.Greater(t, compared, 30)
}

// classesOfTimes is timedClasses of polling, with all time or without what is idle.
func classesOfTimes(t *testing.T, program [][]int, whole bool, skew time.Duration, strategy func() explore.Strategy,
	runs int) (found, results map[string]bool, executions int) {
	return timedClasses(t, program, polling, func() *clocks {
		w := newClocks()
		w.whole, w.blind = whole, skew > 0
		shim.AfterFunc(7, func() {
			w.flag.Store(true)
			w.mu.Lock()
			w.set = true
			w.mu.Unlock()
		})
		return w
	}, skew, strategy, runs)
}

// timedProgram returns a program of two threads with one or two of that many operations.
func timedProgram(r *rand.Rand, of int) [][]int {
	threads := make([][]int, 2)
	for i := range threads {
		for range 1 + r.IntN(2) {
			threads[i] = append(threads[i], r.IntN(of))
		}
	}
	return threads
}

// timedClasses explores a program whose goroutines may take so much time, and returns the classes
// of its executions and the results of its operations; nil if there are too many.
func timedClasses(t *testing.T, program [][]int, actions []func(w *clocks) any, fresh func() *clocks,
	skew time.Duration, strategy func() explore.Strategy, runs int) (found, results map[string]bool, executions int) {
	needs := &shimrun.Needs{}
	for {
		needs.Start()
		found, results = map[string]bool{}, map[string]bool{}
		stats, err := explore.Run(func(x *explore.Exec) {
			begun := shimrun.Begin(x, needs)
			begun.Skew(skew)
			w := fresh()
			for _, thread := range program {
				x.Go(func(t *explore.Thread) {
					for i, action := range thread {
						t.Do(fmt.Sprint("op", i), nil, func() any { return actions[action](w) })
					}
				})
			}
			begun.Ready()
		}, strategy(), explore.Options{MaxRuns: runs, MaxSteps: 300}, func(e *explore.Execution) bool {
			if needs.Lacking() {
				return false
			}
			assert.Equal(t, explore.Completed, e.Outcome, program)
			found[string(e.Class(nil))] = true
			got := make([][]any, len(program))
			for i := range e.Ops {
				got[e.Ops[i].Thread] = append(got[e.Ops[i].Thread], e.Ops[i].Result)
			}
			results[fmt.Sprint(got)] = true
			return true
		})
		shimrun.End()
		if needs.Lacking() {
			continue
		}
		require.NoError(t, err, program)
		if !stats.Complete {
			return nil, nil, stats.Executions
		}
		return found, results, stats.Executions
	}
}

// The reduction loses no class of executions of code with times, whatever time goroutines may take.
func TestReductionKeepsClassesOfTimes(t *testing.T) {
	r := rand.New(rand.NewPCG(18, 1))
	compared, all, reduced := map[time.Duration]int{}, 0, 0
	for range testenv.Scale(30, 3_000) {
		program := timedProgram(r, len(timed))
		for _, skew := range []time.Duration{0, 1, schedule.AnyMoment} {
			most := 1_000
			if skew == schedule.AnyMoment {
				most = 4_000
			}
			want, _, n := timedClasses(t, program, timed, newClocks, skew, explore.Exhaustive, most)
			if want == nil {
				continue
			}
			got, _, m := timedClasses(t, program, timed, newClocks, skew, explore.DPOR, 0)
			compared[skew]++
			all, reduced = all+n, reduced+m
			if !slices.Equal(slices.Sorted(maps.Keys(want)), slices.Sorted(maps.Keys(got))) {
				require.Fail(t, "classes differ", "%v, skew %v: %d classes in %d executions, %d in %d with reduction",
					program, skew, len(want), n, len(got), m)
			}
		}
	}
	t.Logf("%v programs: %d executions, %d with reduction", compared, all, reduced)
	for _, skew := range []time.Duration{0, 1, schedule.AnyMoment} {
		assert.Greater(t, compared[skew], testenv.MoreThan(5), skew)
	}
}

// What testing/synctest shows of a program is found by the exploration.
func TestTimePassesAsInSynctest(t *testing.T) {
	r := rand.New(rand.NewPCG(19, 1))
	seen, of := 0, 0
	for range testenv.Scale(100, 2_000) {
		program := timedProgram(r, len(timed))
		_, results, _ := timedClasses(t, program, timed, newClocks, 0, explore.DPOR, 50_000)
		if results == nil {
			continue
		}
		native := map[string]bool{}
		for range 50 {
			synctest.Test(t, func(t *testing.T) { native[fmt.Sprint(runTimed(program))] = true })
		}
		of += len(results)
		seen += len(native)
		for one := range native {
			require.Contains(t, results, one, "%v", program)
		}
	}
	t.Logf("%d of %d results were seen", seen, of)
	assert.Greater(t, seen, of/2)
}

// runTimed runs a program as it is, in a bubble of synctest.
func runTimed(program [][]int) [][]any {
	w := newClocks()
	w.mu.bubble = make(chan struct{}, 1)
	got := make([][]any, len(program))
	var all stdsync.WaitGroup
	for i, thread := range program {
		all.Go(func() {
			for _, action := range thread {
				if rand.IntN(2) == 0 {
					time.Sleep(0)
				}
				got[i] = append(got[i], timed[action](w))
			}
		})
	}
	all.Wait()
	w.timer.Stop()
	return got
}
