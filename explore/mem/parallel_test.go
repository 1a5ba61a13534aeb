package mem_test

import (
	"sync"
	"testing"

	"github.com/linsat/linsat/explore/mem"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// together runs a body in several goroutines.
func together(n int, body func(me int)) {
	var wg sync.WaitGroup
	for me := range n {
		wg.Add(1)
		go func() {
			defer wg.Done()
			body(me)
		}()
	}
	wg.Wait()
}

// In a parallel memory every operation is atomic, and locks exclude.
func TestParallelOperationsAreAtomic(t *testing.T) {
	const threads, rounds = 4, 2000
	m := mem.Parallel()
	count, swaps := mem.NewInt64(m, "count", 0), mem.NewAtomic(m, "swaps", 0)
	a, b := mem.NewAtomic(m, "a", 0), mem.NewAtomic(m, "b", 0)
	lock, rw, plain := mem.NewMutex(m, "lock"), mem.NewRWMutex(m, "rw"), mem.NewVar(m, "plain", 0)
	shared := mem.NewVar(m, "shared", 0)
	permits, inside := mem.NewSemaphore(m, "permits", 2), mem.NewInt64(m, "inside", 0)
	together(threads, func(int) {
		for range rounds {
			count.Add(1)
			for v := swaps.Load(); !swaps.CompareAndSwap(v, v+1); v = swaps.Load() {
				m.Yield()
			}
			for x := a.Load(); !mem.CompareAndSwap2(a, b, x, x, x+1, x+1); x = a.Load() {
				m.Yield()
			}
			lock.Lock()
			plain.Store(plain.Load() + 1)
			lock.Unlock()
			rw.RLock()
			shared.Load()
			rw.RUnlock()
			rw.Lock()
			shared.Store(shared.Load() + 1)
			rw.Unlock()
			permits.Acquire()
			if n := inside.Add(1); n > 2 {
				t.Errorf("%d hold two permits", n)
			}
			inside.Add(-1)
			permits.Release()
		}
	})
	assert.EqualValues(t, threads*rounds, count.Load())
	assert.Equal(t, threads*rounds, swaps.Load())
	assert.Equal(t, [2]int{threads * rounds, threads * rounds}, [2]int{plain.Load(), shared.Load()})
	assert.Equal(t, [2]int{threads * rounds, threads * rounds}, [2]int{a.Load(), b.Load()})
}

// Waiting ends when what is waited for comes: Await, and a condition variable.
func TestParallelWaitingEnds(t *testing.T) {
	m := mem.Parallel()
	turn := mem.NewAtomic(m, "turn", 0)
	lock := mem.NewMutex(m, "lock")
	ready, waiting := mem.NewCond(m, "ready", lock), mem.NewVar(m, "waiting", 0)
	const threads = 3
	together(threads, func(me int) {
		for round := range 200 {
			turn.Await(func(v int) bool { return v == round*threads+me })
			turn.Store(round*threads + me + 1)
		}
		lock.Lock()
		waiting.Store(waiting.Load() + 1)
		if waiting.Load() < threads {
			ready.Wait()
		} else {
			ready.Broadcast()
		}
		lock.Unlock()
	})
	assert.Equal(t, 600, turn.Load())
	require.Panics(t, lock.Unlock)
	assert.True(t, lock.TryLock(), "a panic leaves no lock behind")
	for seen := map[int]bool{}; len(seen) < 3; {
		seen[m.Choose(3)] = true
	}
}
