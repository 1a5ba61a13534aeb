package linsat_test

import (
	"context"
	"runtime"
	"runtime/debug"
	"testing"
	"time"

	"github.com/linsat/linsat"
	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/gen"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/specs"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestMemoryIsThatOfTheCheck: the memory of the caller does not count, and the limit of the process
// stays what it is.
func TestMemoryIsThatOfTheCheck(t *testing.T) {
	c, err := gen.Generate(gen.Options{Spec: "deque", Operations: 3000, Processes: 8, Values: 6, Seed: 1})
	require.NoError(t, err)
	deque, _ := specs.Lookup("deque")
	held := make([]byte, 500<<20)
	before := debug.SetMemoryLimit(-1)
	during := make(chan int64, 1)
	time.AfterFunc(20*time.Millisecond, func() { during <- debug.SetMemoryLimit(-1) })
	r, err := linsat.Check(context.Background(), deque, c.History, linsat.Memory(100e6),
		linsat.Explain(linsat.ExplainOptions{Cores: linsat.NoCore}))
	require.NoError(t, err)
	assert.Equal(t, linsat.Linearizable, r.Verdict)
	assert.Equal(t, before, <-during)
	assert.Equal(t, before, debug.SetMemoryLimit(-1))
	runtime.KeepAlive(held)
}

// TestMemoryThatDoesNotSuffice: a check that needs more ends, and says so.
func TestMemoryThatDoesNotSuffice(t *testing.T) {
	queue, _ := specs.Lookup("queue")
	deque, _ := specs.Lookup("deque")
	c, err := gen.Generate(gen.Options{Spec: "deque", Operations: 3000, Processes: 8, Values: 6, Seed: 1})
	require.NoError(t, err)
	for _, q := range []struct {
		s      model.Spec
		h      *history.History
		engine string
	}{{queue, hardQueue(t, 60), "search"}, {deque, c.History, "search"}, {deque, c.History, "auto"}} {
		r, err := linsat.Check(context.Background(), q.s, q.h, linsat.Memory(1<<20),
			linsat.Engine(linsat.Engines(q.engine)), linsat.Explain(linsat.ExplainOptions{Cores: linsat.NoCore}))
		require.NoError(t, err)
		assert.Equal(t, linsat.Unknown, r.Verdict, q.engine)
		assert.Equal(t, linsat.MemoryLimit, r.Cause, q.engine)
		assert.Contains(t, r.Cause.String(), "memory", q.engine)
	}
}
