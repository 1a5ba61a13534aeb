//go:build !linsat_native

package c11

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestThreadsStartThreads hands a message down a chain: what a thread did happens before the thread
// that it starts, and before what follows its join.
func TestThreadsStartThreads(t *testing.T) {
	stats, err := Run(func(x *Exec) {
		data := NewCell(x, "data", 0)
		var down func(n int)
		down = func(n int) {
			data.Store(data.Load() + 1)
			x.Annotate(n)
			if n < 15 {
				x.Go(func() { down(n + 1) }).Join()
			}
			data.Store(data.Load() + 1)
		}
		down(0)
	}, Options{}, func(g *Graph) bool {
		assert.Equal(t, 16, g.Threads)
		for a := range g.Notes {
			for b := range g.Notes {
				n, m := g.Notes[a].Payload.(int), g.Notes[b].Payload.(int)
				assert.Equal(t, n < m, g.NoteHB(a, b), "%d before %d", n, m)
			}
		}
		return true
	})
	require.NoError(t, err)
	assert.Equal(t, map[Outcome]int{Complete: 1}, stats.Outcomes)
}

// TestNumbersOfThreadsStay has two threads that start one each, in either order, and one of them
// only if it reads 1: the number of a thread is the same in all executions.
func TestNumbersOfThreadsStay(t *testing.T) {
	graphs := map[string]bool{}
	program := func(x *Exec) {
		a := NewAtomic(x, "a", 0)
		x.Go(func() {
			if a.Load(Acquire) == 1 {
				x.Go(func() { a.Store(2, Relaxed) })
			}
		})
		x.Go(func() {
			x.Go(func() { a.Store(1, Release) })
		})
	}
	_, err := Run(program, Options{}, func(g *Graph) bool {
		for _, e := range g.Events {
			if e.Kind == WriteEvent {
				assert.Equal(t, e.Wrote == 2, e.Thread == 4, g.Text())
			}
		}
		assert.False(t, graphs[g.Key()])
		graphs[g.Key()] = true
		again, err := Replay(program, Options{}, g.Steps())
		require.NoError(t, err)
		assert.Equal(t, g.Key(), again.Key())
		return true
	})
	require.NoError(t, err)
	assert.Len(t, graphs, 2)
}
