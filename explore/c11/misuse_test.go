//go:build !linsat_native

package c11

import (
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestProgramMustBeDeterministic runs programs that do something else each time.
func TestProgramMustBeDeterministic(t *testing.T) {
	n := 0
	for _, p := range []Program{
		func(x *Exec) {
			n++
			a, b := NewInt(x, "a", 0), NewInt(x, "b", 0)
			x.Go(func() {
				if n%2 == 0 {
					a.FetchAdd(1, Relaxed)
				} else {
					b.FetchAdd(1, Relaxed)
				}
			})
			x.Go(func() { a.FetchAdd(1, Relaxed); b.FetchAdd(1, Relaxed) })
		},
		func(x *Exec) {
			n++
			a := NewInt(x, "a", 0)
			for range 2 + n%2 {
				x.Go(func() { a.FetchAdd(1, Relaxed) })
			}
		},
		func(x *Exec) {
			n++
			a := NewInt(x, "a", 0)
			x.Go(func() { a.CompareAndSwap(n%2, 1, Relaxed, Relaxed) })
			x.Go(func() { a.Store(0, Relaxed); a.Store(1, Relaxed) })
		},
	} {
		_, err := Run(p, Options{MaxRuns: 100}, func(*Graph) bool { return true })
		assert.ErrorContains(t, err, "not deterministic")
	}
}

// TestPanicsAreOutcomes panics in one of two orders.
func TestPanicsAreOutcomes(t *testing.T) {
	p := func(x *Exec) {
		a := NewInt(x, "a", 0)
		for range 2 {
			x.Go(func() {
				defer a.Load(Relaxed) // the execution goes on: it happens
				if a.FetchAdd(1, Relaxed) == 1 && x.Thread() == 1 {
					panic("second")
				}
			})
		}
	}
	steps := ""
	stats, err := Run(p, Options{}, func(g *Graph) bool {
		if g.Outcome == Panicked {
			assert.Equal(t, "second", g.Panic)
			assert.Contains(t, g.Stack, "misuse_test.go")
			assert.Contains(t, g.Text(), "panic: second")
			steps = g.Steps()
		}
		return true
	})
	require.NoError(t, err)
	assert.Positive(t, stats.Outcomes[Panicked])
	assert.Positive(t, stats.Outcomes[Complete])
	g, err := Replay(p, Options{}, steps)
	require.NoError(t, err)
	assert.Equal(t, Panicked, g.Outcome)
}

// TestGoexitEndsTheCaller is what testing.T.FailNow in a program needs.
func TestGoexitEndsTheCaller(t *testing.T) {
	before := runtime.NumGoroutine()
	done, returned := make(chan bool), false
	go func() {
		defer close(done)
		_, _ = Run(func(x *Exec) {
			a := NewInt(x, "a", 0)
			x.Go(func() { a.Await(func(v int) bool { return v == 1 }, Acquire) })
			x.Go(func() { a.Load(Relaxed); runtime.Goexit() })
		}, Options{}, func(*Graph) bool { return true })
		returned = true
	}()
	<-done
	assert.False(t, returned)
	settles(t, before)
}

// TestNothingLeaks counts goroutines after runs that end early.
func TestNothingLeaks(t *testing.T) {
	before := runtime.NumGoroutine()
	for range 20 {
		_, err := Run(stack, Options{MaxRuns: 3}, func(*Graph) bool { return true })
		require.NoError(t, err)
		_, err = Run(stack, Options{}, func(*Graph) bool { return false })
		require.NoError(t, err)
		assert.Panics(t, func() { _, _ = Run(stack, Options{}, func(*Graph) bool { panic("visit") }) })
		_, _ = Replay(stack, Options{}, "1:0")
	}
	settles(t, before)
}

// TestBounds stops loops that do not end.
func TestBounds(t *testing.T) {
	stats, err := Run(func(x *Exec) {
		a := NewInt(x, "a", 0)
		x.Go(func() {
			for a.Load(Relaxed) == 0 {
			}
		})
		x.Go(func() { a.Store(1, Relaxed) })
	}, Options{MaxEvents: 10}, func(*Graph) bool { return true })
	require.NoError(t, err)
	assert.False(t, stats.All)
	assert.Positive(t, stats.Outcomes[Bounded])
	assert.Positive(t, stats.Outcomes[Complete])
}

// TestMisuse panics where the mistake is.
func TestMisuse(t *testing.T) {
	for what, p := range map[string]Program{
		"order": func(x *Exec) { NewInt(x, "a", 0).Load(Release) },
		"too many": func(x *Exec) {
			for range 16 {
				x.Go(func() {})
			}
		},
		"no choice": func(x *Exec) { x.Choose(0) },
	} {
		_, err := Run(p, Options{}, func(g *Graph) bool {
			assert.Equal(t, Panicked, g.Outcome, what)
			return true
		})
		require.NoError(t, err)
	}
	var kept *Int[int]
	_, err := Run(func(x *Exec) { kept = NewInt(x, "a", 0) }, Options{}, func(*Graph) bool { return true })
	require.NoError(t, err)
	assert.Panics(t, func() { kept.Load(Relaxed) })
}

// settles waits until no more goroutines are left than before.
func settles(t *testing.T, before int) {
	t.Helper()
	for range 1000 {
		if runtime.NumGoroutine() <= before {
			return
		}
		time.Sleep(time.Millisecond)
	}
	t.Errorf("%d goroutines, were %d", runtime.NumGoroutine(), before)
}
