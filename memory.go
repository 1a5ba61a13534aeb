package linsat

import (
	"context"
	"runtime"
	"runtime/metrics"
	"time"

	"github.com/linsat/linsat/check"
)

// watchMemory cancels with check.ErrMemory when the live heap comes near limit. What engines count
// themselves stops most of them first; this catches what nobody counts (specifications, the solver's own
// growth). It ends with ctx. Garbage does not count: before it cancels it collects.
func watchMemory(ctx context.Context, cancel context.CancelCauseFunc, limit int64) {
	const every = 5 * time.Millisecond
	threshold := uint64(limit - limit/8) // what a collection itself may add
	sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	tick := time.NewTicker(every)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		metrics.Read(sample)
		if sample[0].Value.Uint64() < threshold {
			continue
		}
		runtime.GC()
		metrics.Read(sample)
		if sample[0].Value.Uint64() >= threshold {
			cancel(check.ErrMemory)
			return
		}
	}
}
