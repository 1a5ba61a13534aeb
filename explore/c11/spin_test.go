//go:build !linsat_native

package c11

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// tickets is a ticket lock of some threads, which wait by await or in a loop whose rounds end with
// Spin. order is in which they held it.
func tickets(threads int, spins bool, order *[]int) Program {
	return func(x *Exec) {
		next, now := NewInt(x, "next", 0), NewInt(x, "now", 0)
		held := NewCell(x, "held", 0)
		*order = (*order)[:0]
		for range threads {
			x.Go(func() {
				mine := next.FetchAdd(1, Relaxed)
				if spins {
					for now.Load(Acquire) != mine {
						x.Spin()
					}
				} else {
					now.Await(func(v int) bool { return v == mine }, Acquire)
				}
				held.Store(held.Load() + 1)
				*order = append(*order, x.Thread())
				now.Store(mine+1, Release)
			})
		}
	}
}

// TestSpinIsAwait: a ticket lock whose waits say that they spin has the executions of one that
// awaits, which are all of them.
func TestSpinIsAwait(t *testing.T) {
	for threads, want := range map[int]int{2: 2, 3: 6, 4: 24} {
		for _, spins := range []bool{false, true} {
			var order []int
			stats, err := Run(tickets(threads, spins, &order), Options{}, func(g *Graph) bool { return true })
			require.NoError(t, err)
			assert.True(t, stats.All)
			assert.Equal(t, want, stats.Outcomes[Complete], "%d %v", threads, spins)
			assert.Zero(t, stats.Outcomes[Stuck]+stats.Outcomes[Race])
		}
	}
}

// TestSpinWithoutAnEnd: what another round would read again is stuck.
func TestSpinWithoutAnEnd(t *testing.T) {
	stats, err := Run(func(x *Exec) {
		done := NewInt(x, "done", 0)
		x.Go(func() { done.Store(1, Relaxed) })
		x.Go(func() {
			for done.Load(Relaxed) != 2 {
				x.Spin()
			}
		})
	}, Options{}, func(g *Graph) bool { return true })
	require.NoError(t, err)
	assert.True(t, stats.All)
	assert.Equal(t, map[Outcome]int{Blocked: 1, Stuck: 1}, stats.Outcomes)
}

// TestSpinBehindALock: rounds that lock, look and unlock end with what a look that comes late sees.
func TestSpinBehindALock(t *testing.T) {
	seen := map[int]bool{}
	value := 0
	stats, err := Run(func(x *Exec) {
		lock, n := NewInt(x, "lock", 0), NewCell(x, "n", 0)
		under := func(f func()) {
			for {
				if _, ok := lock.CompareAndSwap(0, 1, Acquire, Relaxed); ok {
					break
				}
				x.Spin()
			}
			f()
			lock.Store(0, Release)
		}
		x.Go(func() {
			under(func() { n.Store(1) })
			under(func() { n.Store(2) })
		})
		x.Go(func() {
			for {
				under(func() { value = n.Load() })
				if value > 0 {
					return
				}
				x.Spin()
			}
		})
	}, Options{}, func(g *Graph) bool {
		if g.Outcome == Complete {
			seen[value] = true
		}
		return true
	})
	require.NoError(t, err)
	assert.True(t, stats.All)
	assert.Equal(t, map[int]bool{1: true, 2: true}, seen)
	assert.Zero(t, stats.Outcomes[Race])
}

// TestAwaitAfterAStaleRead: a thread that awaits what nobody writes is stuck, also where what it
// has read before was written again.
func TestAwaitAfterAStaleRead(t *testing.T) {
	stats, err := Run(func(x *Exec) {
		a, b := NewInt(x, "a", 0), NewInt(x, "b", 0)
		x.Go(func() { a.Store(1, Relaxed) })
		x.Go(func() {
			a.Load(Relaxed)
			b.Await(func(v int) bool { return v == 1 }, Relaxed)
		})
	}, Options{}, func(g *Graph) bool { return true })
	require.NoError(t, err)
	assert.True(t, stats.All)
	assert.Equal(t, map[Outcome]int{Stuck: 2}, stats.Outcomes)
}
