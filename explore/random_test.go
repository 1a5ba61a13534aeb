package explore

import (
	"context"
	"math/bits"
	"sync"
	"testing"

	"github.com/linsat/linsat/explore/mem"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/schedule"
	"github.com/linsat/linsat/internal/specs"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// ordered is a bug that needs a certain order of a few accesses: thread 0 must make its last access
// between two accesses of thread 1, after and before both of which stand others.
func ordered(x *Exec) {
	v := mem.NewInt64(x.Memory(), "v", 0)
	x.Go(func(*Thread) {
		for range 4 {
			v.Load()
		}
		v.CompareAndSwap(3, -1)
	})
	x.Go(func(*Thread) {
		for range 6 {
			if v.Add(1) == 0 {
				panic("found")
			}
		}
	})
}

func panicking(t *testing.T, s Strategy) (int, Stats) {
	t.Helper()
	stats, err := Run(ordered, s, Options{}, func(*Execution) bool { return true })
	require.NoError(t, err)
	return stats.Outcomes[Panicked], stats
}

// TestPCTKeepsItsPromise: a bug of depth d in a program of n threads and k accesses shows with a
// probability of at least 1/(n·k^(d-1)). This one has depth 3 (thread 1 comes so far, then thread 0
// runs, then thread 1): 1/(2·11²) of 20,000 runs are 82; that it is found that often by chance with
// half the promised probability is 6 standard deviations off.
func TestPCTKeepsItsPromise(t *testing.T) {
	for seed := range uint64(3) {
		n, stats := panicking(t, PCT(seed, 3, 20_000))
		assert.Equal(t, 20_000, stats.Executions)
		assert.True(t, stats.Complete)
		assert.GreaterOrEqual(t, n, 82, "seed %d", seed)
		t.Logf("seed %d: PCT %d of 20,000", seed, n)
	}
	n, _ := panicking(t, PCT(1, 1, 500))
	assert.Zero(t, n, "without change points there are two orders only")
	n, _ = panicking(t, Random(1, 20_000))
	assert.NotZero(t, n)
}

// TestSeedsRepeat: the same seed gives the same schedules, another seed others, and each run
// differs from the last.
func TestSeedsRepeat(t *testing.T) {
	schedules := func(s Strategy) []string {
		var all []string
		_, err := Run(adders(5, 5, 5), s, Options{}, func(e *Execution) bool {
			all = append(all, e.Schedule.String())
			return true
		})
		require.NoError(t, err)
		return all
	}
	for _, s := range []func(seed uint64) Strategy{
		func(seed uint64) Strategy { return Random(seed, 20) },
		func(seed uint64) Strategy { return PCT(seed, 3, 20) },
	} {
		assert.Equal(t, schedules(s(1)), schedules(s(1)))
		assert.NotEqual(t, schedules(s(1)), schedules(s(2)))
	}
}

// TestRandomIsFair: of three threads each makes the first access a third of the times, and of five
// choices each comes up.
func TestRandomIsFair(t *testing.T) {
	first, choices := [3]int{}, [5]int{}
	_, err := Run(func(x *Exec) {
		choices[x.Memory().Choose(5)]++
		v := mem.NewInt64(x.Memory(), "v", 0)
		for range 3 {
			x.Go(func(*Thread) { v.Load() })
		}
	}, Random(7, 3000), Options{}, func(e *Execution) bool { first[e.Schedule[1]]++; return true })
	require.NoError(t, err)
	for _, n := range first {
		assert.InDelta(t, 1000, n, 130)
	}
	for _, n := range choices {
		assert.InDelta(t, 600, n, 110)
	}
}

// TestPCTSwitchesOnlyAtChangePoints: a run of depth d has at most d-1 preemptions.
func TestPCTSwitchesOnlyAtChangePoints(t *testing.T) {
	most := 0
	_, err := Run(adders(6, 6, 6), PCT(3, 3, 500), Options{Trace: true}, func(e *Execution) bool {
		n := e.Preemptions()
		assert.LessOrEqual(t, n, 2)
		most = max(most, n)
		return true
	})
	require.NoError(t, err)
	assert.Equal(t, 2, most)
}

// TestRunsSideBySide: Runs share nothing.
func TestRunsSideBySide(t *testing.T) {
	var wait sync.WaitGroup
	for i := range 4 {
		wait.Go(func() {
			stats, err := Run(adders(3, 3, i+1), Exhaustive(), Options{}, func(*Execution) bool { return true })
			assert.NoError(t, err)
			assert.Equal(t, multinomial(3, 3, i+1), stats.Executions)
			n := 0
			_, err = Run(philosophers, Random(uint64(i), 200), Options{}, func(e *Execution) bool { n++; return true })
			assert.NoError(t, err)
			assert.Equal(t, 200, n)
		})
	}
	wait.Wait()
}

// TestEveryStrategyFindsTheFault, and describes itself.
func TestEveryStrategyFindsTheFault(t *testing.T) {
	for name, s := range map[string]Strategy{
		"every schedule": Exhaustive(),
		"every schedule, up to the order of independent accesses (DPOR)": DPOR(),
		"every schedule with at most 1 preemption":                       Bounded(1),
		"every schedule with at most 2 preemptions inside operations":    schedule.BoundedInside(2),
		"100 random schedules, seed 1":                                   Random(1, 100),
		"100 schedules by priorities (PCT) of depth 2, seed 1":           PCT(1, 2, 100),
		"replay 0110": Replay(Schedule{0, 1, 1, 0}),
	} {
		r, err := Check(context.Background(), parsed(t, racyObject, "push(3); push(1) | push(2); pop pop pop"),
			specs.Stack(), CheckOptions{Strategy: s})
		require.NoError(t, err, name)
		assert.Equal(t, engine.NotLinearizable, r.Verdict, name)
		assert.Equal(t, name, r.Strategy)
		assert.Equal(t, 1, r.Violation.Preemptions, "shown with as few as can be")
	}
	r, err := Check(context.Background(), parsed(t, racyObject, "push(3); push(1) | push(2); pop pop pop"),
		specs.Stack(), CheckOptions{Strategy: schedule.Serial()})
	require.NoError(t, err)
	assert.Equal(t, engine.Linearizable, r.Verdict)
	assert.Equal(t, "every serial schedule", r.Strategy)
}

// TestStatesShownToStrategiesFitTogether: what a strategy is shown fits together, at every step of
// random programs.
func TestStatesShownToStrategiesFitTogether(t *testing.T) {
	for seed := range uint64(testenv.Scale(40, 300)) {
		w := &watching{Strategy: schedule.Random(seed, 5), t: t}
		_, err := Run(ordered, w, Options{}, func(*Execution) bool { return true })
		require.NoError(t, err)
		_, err = Run(philosophers, &watching{Strategy: schedule.Random(seed, 5), t: t}, Options{},
			func(*Execution) bool { return true })
		require.NoError(t, err)
	}
}

type watching struct {
	schedule.Strategy
	t    *testing.T
	last int
}

func (w *watching) Begin() bool {
	w.last = -1
	return w.Strategy.Begin()
}

func (w *watching) Pick(s *schedule.State) (int, bool) {
	assert.NotZero(w.t, s.Enabled)
	assert.Zero(w.t, (s.Enabled|s.Held)&^s.Live)
	assert.Zero(w.t, s.Enabled&s.Held)
	assert.Equal(w.t, w.last, s.Prev)
	assert.Len(w.t, s.Accesses, s.Depth)
	assert.LessOrEqual(w.t, bits.Len64(s.Live), len(s.Pending))
	if s.Depth > 0 {
		assert.EqualValues(w.t, s.Prev, s.Accesses[s.Depth-1].Thread)
	}
	thread, ok := w.Strategy.Pick(s)
	w.last = thread
	return thread, ok
}

func (w *watching) End(e *schedule.Finished) {
	for i := range e.Accesses {
		a := &e.Accesses[i]
		assert.True(w.t, schedule.Has(a.Enabled, int(a.Thread)))
		last := true
		for j := i + 1; j < len(e.Accesses); j++ {
			last = last && e.Accesses[j].Op != a.Op
		}
		if a.Last {
			assert.True(w.t, last)
		}
	}
	assert.Zero(w.t, e.Blocked&^e.Live)
	assert.Equal(w.t, e.Outcome == Stuck, e.Blocked != 0)
	w.Strategy.End(e)
}
