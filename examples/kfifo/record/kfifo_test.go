package main

import (
	"context"
	"testing"
	"time"

	"github.com/linsat/linsat"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/specs"
	"github.com/linsat/linsat/quasi"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestWithinDesign records real runs and asks for their least bound: it is not above k-1.
func TestWithinDesign(t *testing.T) {
	queue, _ := specs.Lookup("queue")
	request, err := quasi.Parse(queue.Info(), "min")
	require.NoError(t, err)
	request.Drain = true
	for _, c := range []struct{ k, goroutines, operations int }{
		{1, 4, 2000}, {2, 2, 3000}, {3, 4, 3000}, {4, 8, 3000},
	} {
		h, err := record(newObject(false, c.k), c.goroutines, c.operations)
		require.NoError(t, err)
		r, err := linsat.Check(context.Background(), queue, h, linsat.Timeout(time.Minute),
			linsat.Quasi(request))
		require.NoError(t, err)
		require.Equal(t, engine.Linearizable, r.Verdict, "k %d, %d goroutines: %v %s", c.k, c.goroutines,
			r.Cause, r.Detail)
		assert.True(t, r.Least.Settled())
		assert.LessOrEqual(t, r.Least.High, int32(c.k-1))
		t.Logf("k %d, %d goroutines, %d operations: least bound %d by %v", c.k, c.goroutines, c.operations,
			r.Least.High, r.Engines)
	}
}

// TestMultiqueue records a MultiQueue: with one queue it is a strict priority queue, and with more
// it gives out each value once, whatever it passes over.
func TestMultiqueue(t *testing.T) {
	queue, _ := specs.Lookup("priority-queue")
	for _, k := range []int{1, 3} {
		h, err := record(newObject(true, k), 4, 1000)
		require.NoError(t, err)
		require.Equal(t, "priority-queue", h.Spec)
		if k > 1 {
			queue, err = specs.Relax(queue, specs.SemanticRelaxation{OutOfOrder: 1000})
			require.NoError(t, err)
		}
		r, err := linsat.Check(context.Background(), queue, h, linsat.Timeout(time.Minute))
		require.NoError(t, err)
		assert.Equal(t, engine.Linearizable, r.Verdict, "k %d", k)
	}
}
