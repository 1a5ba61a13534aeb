package memory_test

import (
	"context"
	"math"
	"runtime"
	"runtime/debug"
	"testing"
	"time"

	"github.com/linsat/linsat/internal/memory"
	"github.com/stretchr/testify/assert"
)

// TestLimit: the runtime has the greatest limit in force, and what it had before when none is.
func TestLimit(t *testing.T) {
	now := func() int64 { return debug.SetMemoryLimit(-1) }
	before := now()
	first := memory.Limit(1 << 30)
	assert.EqualValues(t, 1<<30, now())
	second := memory.Limit(2 << 30)
	assert.Equal(t, int64(2<<30), now())
	memory.Limit(0)()
	third := memory.Limit(1 << 30)
	second()
	second()
	assert.EqualValues(t, 1<<30, now())
	first()
	assert.EqualValues(t, 1<<30, now())
	third()
	assert.Equal(t, before, now())

	debug.SetMemoryLimit(1 << 29)
	defer debug.SetMemoryLimit(before)
	release := memory.Limit(1 << 30)
	assert.EqualValues(t, 1<<29, now(), "GOMEMLIMIT stays in force")
	release()
	assert.EqualValues(t, 1<<29, now())
}

// TestEnforceCountsWhatIsLive: what is live counts, garbage does not.
func TestEnforceCountsWhatIsLive(t *testing.T) {
	const limit = 256 << 20
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	full := make(chan struct{})
	defer memory.Enforce(ctx, limit, func() { close(full) })()
	for range 100 { // 1.6 GB of garbage
		garbage := make([]byte, 16<<20)
		garbage[len(garbage)-1] = 1
		runtime.KeepAlive(garbage)
		collected(t, 2*limit)
	}
	select {
	case <-full:
		t.Fatal("garbage was taken for memory in use")
	default:
	}
	var live [][]byte
	for len(live) < 64 && ctx.Err() == nil {
		select {
		case <-full:
			cancel()
		default:
			if len(live) < 20 {
				live = append(live, make([]byte, 16<<20))
			}
			time.Sleep(time.Millisecond)
		}
	}
	_, told := <-full
	assert.False(t, told)
	runtime.KeepAlive(live)
}

// collected waits until less than that is used: the collector runs beside the caller, and a busy
// machine may let it wait.
func collected(t *testing.T, bytes int64) {
	if memory.Used() >= bytes {
		assert.Eventually(t, func() bool { return memory.Used() < bytes }, time.Minute, time.Millisecond)
	}
}

// TestEnforceWithoutALimit: it changes nothing.
func TestEnforceWithoutALimit(t *testing.T) {
	memory.Enforce(context.Background(), 0, func() { t.Error("full") })()
	assert.Positive(t, memory.Used())
	assert.Less(t, memory.Used(), int64(math.MaxInt64))
}

// TestSoften: garbage stays within the limit, and the limit is gone once live memory comes near it.
func TestSoften(t *testing.T) {
	const limit = 256 << 20
	before := debug.SetMemoryLimit(-1)
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // so that nothing else collects
	release := memory.Soften(limit)
	defer release()
	assert.EqualValues(t, limit, debug.SetMemoryLimit(-1))
	for range 100 { // 1.6 GB of garbage
		garbage := make([]byte, 16<<20)
		garbage[len(garbage)-1] = 1
		runtime.KeepAlive(garbage)
		collected(t, 2*limit)
	}
	assert.EqualValues(t, limit, debug.SetMemoryLimit(-1))
	live := make([]byte, limit)
	assert.Eventually(t, func() bool {
		runtime.GC()
		return debug.SetMemoryLimit(-1) == before
	}, time.Minute, 10*time.Millisecond)
	runtime.KeepAlive(live)
	release()
	assert.Equal(t, before, debug.SetMemoryLimit(-1))
}
