package shimrun_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/linsat/linsat/explore"
	"github.com/linsat/linsat/explore/shim"
	"github.com/linsat/linsat/explore/shim/atomic"
	"github.com/linsat/linsat/explore/shim/context"
	"github.com/linsat/linsat/explore/shim/sync"
	"github.com/linsat/linsat/internal/shimrun"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"
)

// world is what a random program shares.
type world struct {
	a, b   atomic.Int64
	p      int64
	flag   atomic.Bool
	mu     sync.Mutex
	rw     sync.RWMutex
	once   sync.Once
	group  sync.WaitGroup
	cond   *sync.Cond
	ready  bool
	plain  int // of mu
	other  int // of rw
	m      sync.Map
	pool   sync.Pool
	direct chan int
	buffer chan int
	wide   chan int
}

func newWorld() *world {
	w := &world{direct: shim.Made(make(chan int)), buffer: shim.Made(make(chan int, 1)),
		wide: shim.Made(make(chan int, 2))}
	w.cond = sync.NewCond(&w.mu)
	return w
}

// actions are what operations are made of.
var actions = []func(w *world) any{
	func(w *world) any { return w.a.Add(1) },
	func(w *world) any { return w.a.Load() },
	func(w *world) any { w.b.Store(w.a.Load()); return nil },
	func(w *world) any { return w.b.CompareAndSwap(0, 2) },
	func(w *world) any { return atomic.AddInt64(&w.p, 1) },
	func(w *world) any { return w.flag.Swap(true) },
	func(w *world) any { w.mu.Lock(); defer w.mu.Unlock(); w.plain++; return w.plain },
	func(w *world) any {
		if w.mu.TryLock() {
			defer w.mu.Unlock()
			return "locked"
		}
		return "held"
	},
	func(w *world) any { w.rw.RLock(); defer w.rw.RUnlock(); return w.other },
	func(w *world) any { w.rw.Lock(); defer w.rw.Unlock(); w.other += 10; return nil },
	func(w *world) any { n := 0; w.once.Do(func() { n = 1 }); return n },
	func(w *world) any { shim.To(w.buffer).Send(1); return nil },
	func(w *world) any { v, ok := shim.From(w.buffer).Receive2(); return []any{v, ok} },
	func(w *world) any { shim.To(w.direct).Send(2); return nil },
	func(w *world) any { return shim.From(w.direct).Receive() },
	func(w *world) any { r := shim.From(w.buffer); return []any{shim.Select(true, r), r.Value} },
	func(w *world) any {
		r := shim.From(w.direct)
		return []any{shim.Select(false, shim.To(w.buffer).Of(3), r), r.Value}
	},
	func(w *world) any {
		r := shim.From(w.direct)
		return []any{shim.Select(true, r, shim.To(w.wide).Of(4), shim.From(w.buffer)), r.Value}
	},
	func(w *world) any { shim.Go(func() { w.a.Add(10) }); return nil },
	func(w *world) any { shim.Go(func() { shim.To(w.buffer).Send(5) }); return nil },
	func(w *world) any { w.group.Go(func() { w.b.Add(1) }); w.group.Wait(); return w.b.Load() },
	func(w *world) any { v, _ := w.m.LoadOrStore("k", 1); return v },
	func(w *world) any { v, ok := w.m.LoadAndDelete("k"); return []any{v, ok} },
	func(w *world) any { return shim.Len(w.buffer) },
	func(w *world) any { return shim.Below(2) },
	func(w *world) any { w.mu.Lock(); w.ready = true; w.mu.Unlock(); w.cond.Broadcast(); return nil },
	func(w *world) any {
		w.mu.Lock()
		defer w.mu.Unlock()
		for !w.ready {
			w.cond.Wait()
		}
		return nil
	},
	func(w *world) any { return shim.AfterFunc(1, func() { w.a.Add(100) }).Stop() },
	func(w *world) any {
		t := shim.NewTimer(1)
		n := shim.Select(true, shim.From(t.C), shim.From(w.buffer))
		return []any{n, t.Stop()}
	},
	func(w *world) any {
		ctx, cancel := context.WithTimeout(context.Background(), 1)
		defer cancel()
		return shim.Select(true, shim.From(w.direct), shim.From(ctx.Done()), shim.To(w.buffer).Of(6))
	},
	func(w *world) any { w.pool.Put(7); return nil },
	func(w *world) any { return w.pool.Get() },
}

// drawn returns a program of two or three threads with one or two operations of one or two actions.
func drawn(r *rand.Rand) [][][]int {
	threads := make([][][]int, 2+r.IntN(2))
	for i := range threads {
		threads[i] = make([][]int, 1+r.IntN(2))
		for j := range threads[i] {
			threads[i][j] = []int{r.IntN(len(actions))}
			if r.IntN(3) == 0 && len(threads) == 2 {
				threads[i][j] = append(threads[i][j], r.IntN(len(actions)))
			}
		}
	}
	return threads
}

// classes explores a program and returns the classes of its executions, nil if there are too many.
func classes(t *testing.T, program [][][]int, needs *shimrun.Needs, strategy func() explore.Strategy,
	runs int) (map[string]bool, int) {
	for {
		needs.Start()
		found := map[string]bool{}
		stats, err := explore.Run(func(x *explore.Exec) {
			begun := shimrun.Begin(x, needs)
			w := newWorld()
			for _, thread := range program {
				x.Go(func(t *explore.Thread) {
					for i, op := range thread {
						t.Do(fmt.Sprint("op", i), nil, func() any {
							var all []any
							for _, a := range op {
								all = append(all, actions[a](w))
							}
							return all
						})
					}
				})
			}
			begun.Ready()
		}, strategy(), explore.Options{MaxRuns: runs, MaxSteps: 200}, func(e *explore.Execution) bool {
			found[string(e.Class(nil))] = true
			return !needs.Lacking()
		})
		shimrun.End()
		if needs.Lacking() {
			continue
		}
		require.NoError(t, err, program)
		if !stats.Complete {
			return nil, stats.Executions
		}
		return found, stats.Executions
	}
}

// The reduction loses no class of executions of code that uses the shims: goroutines, channels,
// selects, locks and choices included.
func TestReductionKeepsClasses(t *testing.T) {
	r := rand.New(rand.NewPCG(17, 1))
	compared, all, reduced := 0, 0, 0
	for range testenv.Scale(120, 20_000) {
		program := drawn(r)
		want, n := classes(t, program, &shimrun.Needs{}, explore.Exhaustive, 20_000)
		if want == nil {
			continue
		}
		got, m := classes(t, program, &shimrun.Needs{}, explore.DPOR, 0)
		compared++
		all, reduced = all+n, reduced+m
		if !slices.Equal(slices.Sorted(maps.Keys(want)), slices.Sorted(maps.Keys(got))) {
			require.Fail(t, "classes differ", "%v: %d classes in %d executions, %d in %d with reduction", program,
				len(want), n, len(got), m)
		}
	}
	t.Logf("%d programs: %d executions, %d with reduction", compared, all, reduced)
	assert.Greater(t, compared, testenv.MoreThan(80))
}

// Goroutines that take the threads of ended ones lose no class of executions, and add none.
func TestThreadsAgainKeepClasses(t *testing.T) {
	r := rand.New(rand.NewPCG(17, 3))
	compared := 0
	for range testenv.Scale(100, 20_000) {
		program := drawn(r)
		want, _ := classes(t, program, &shimrun.Needs{}, explore.DPOR, 20_000)
		got, _ := classes(t, program, &shimrun.Needs{Again: true}, explore.DPOR, 40_000)
		if want == nil || got == nil {
			continue
		}
		compared++
		require.Equal(t, slices.Sorted(maps.Keys(want)), slices.Sorted(maps.Keys(got)), "%v", program)
	}
	assert.Greater(t, compared, testenv.MoreThan(80))
}

// A program may start any number of goroutines one after the other. With too many at once an
// execution is cut off, and nothing is said of it.
func TestManyGoroutines(t *testing.T) {
	for _, c := range []struct {
		each, rounds int
		outcome      explore.Outcome
	}{{1, 200, explore.Completed}, {40, 4, explore.Completed}, {100, 1, explore.CutOff}} {
		needs := &shimrun.Needs{}
		var outcome explore.Outcome
		ended, restarts := 0, 0
		for again := true; again; restarts++ {
			needs.Start()
			ended = 0
			_, err := explore.Run(func(x *explore.Exec) {
				begun := shimrun.Begin(x, needs)
				x.Go(func(*explore.Thread) {
					for range c.rounds {
						var all sync.WaitGroup
						var mu sync.Mutex
						mu.Lock()
						for range c.each {
							all.Go(func() { mu.Lock(); ended++; mu.Unlock() })
						}
						mu.Unlock()
						all.Wait()
					}
				})
				require.True(t, begun.Fits(1))
				begun.Ready()
			}, explore.PCT(1, 1, 1), explore.Options{MaxRuns: 1, MaxSteps: 20_000}, func(e *explore.Execution) bool {
				outcome = e.Outcome
				return true
			})
			shimrun.End()
			again = needs.Lacking()
			require.NoError(t, err)
			require.Less(t, restarts, 10)
		}
		assert.Equal(t, c.outcome, outcome, "%+v", c)
		if outcome == explore.Completed {
			assert.Equal(t, c.each*c.rounds, ended)
		}
	}
}

// Executions that panic, get stuck or leave goroutines behind leave none of this process behind.
func TestNoGoroutineIsLeft(t *testing.T) {
	before := goleak.IgnoreCurrent()
	needs := &shimrun.Needs{Standby: 2}
	outcomes := map[explore.Outcome]int{}
	executions := 0
	for seed := uint64(1); executions < testenv.Scale(2_000, 10_000); seed++ {
		program := drawn(rand.New(rand.NewPCG(seed, 3)))
		needs.Start()
		_, err := explore.Run(func(x *explore.Exec) {
			begun := shimrun.Begin(x, needs)
			w := newWorld()
			for _, thread := range program {
				x.Go(func(t *explore.Thread) {
					for i, op := range thread {
						t.Do(fmt.Sprint("op", i), nil, func() any {
							for _, a := range op {
								actions[a](w)
							}
							if shim.Below(4) == 0 {
								panic("now and then")
							}
							return nil
						})
					}
				})
			}
			begun.Ready()
		}, explore.Random(seed, 50), explore.Options{MaxSteps: 200}, func(e *explore.Execution) bool {
			outcomes[e.Outcome]++
			executions++
			return true
		})
		require.NoError(t, err)
	}
	shimrun.End()
	goleak.VerifyNone(t, before)
	for _, o := range []explore.Outcome{explore.Completed, explore.Stuck, explore.Panicked} {
		assert.Greater(t, outcomes[o], executions/50, "%v", o)
	}
}
