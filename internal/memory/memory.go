// Package memory keeps the process of the command within a memory limit: while it reads, checks and
// verifies. It is the one place that talks to the runtime about memory. The library leaves the
// limits of its process alone, and counts what a check holds (engine.Budget).
//
// While a limit is in force, it is passed to the garbage collector (debug.SetMemoryLimit), so
// garbage does not take the process beyond the limit. Live memory is watched, and the caller that
// set the limit is notified when it comes near.
package memory

import (
	"context"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"slices"
	"sync"
	"time"
)

var force struct {
	sync.Mutex
	limits []int64 // in force
	before int64   // what the runtime's limit was without them
}

// Limit puts a limit in bytes in force until release is called. Of several limits the runtime gets
// the greatest, but never more than what it was set to before (GOMEMLIMIT). A limit of 0 or less is
// none.
func Limit(bytes int64) (release func()) {
	if bytes <= 0 {
		return func() {}
	}
	force.Lock()
	defer force.Unlock()
	if len(force.limits) == 0 {
		force.before = debug.SetMemoryLimit(-1)
	}
	force.limits = append(force.limits, bytes)
	apply()
	var once sync.Once
	return func() {
		once.Do(func() {
			force.Lock()
			defer force.Unlock()
			at := slices.Index(force.limits, bytes)
			force.limits = slices.Delete(force.limits, at, at+1)
			apply()
		})
	}
}

// apply tells the runtime.
func apply() {
	limit := force.before
	if len(force.limits) > 0 {
		limit = min(limit, slices.Max(force.limits))
	}
	debug.SetMemoryLimit(limit)
}

// Used returns the bytes that the runtime holds: its heap, stacks and tables, without what it gave
// back to the system.
func Used() int64 {
	s := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	metrics.Read(s)
	return int64(s[0].Value.Uint64() - s[1].Value.Uint64())
}

// Enforce puts a limit in force until release is called, and calls full once, when what is live
// comes near the limit before ctx is done. A limit of 0 or less is none.
func Enforce(ctx context.Context, limit int64, full func()) (release func()) {
	if limit <= 0 {
		return func() {}
	}
	// Most checks of small histories end before the first look, and never start the goroutine.
	first := time.AfterFunc(every, func() {
		if ctx.Err() == nil && near(limit) {
			full()
			return
		}
		watch(ctx, limit, full)
	})
	reset := Limit(limit)
	return func() {
		first.Stop()
		reset()
	}
}

// Soften keeps garbage from taking the process beyond a limit, until release is called or what is
// live comes near the limit: then more is taken, and the collector does not run all the time.
func Soften(limit int64) (release func()) {
	ctx, stop := context.WithCancel(context.Background())
	lift := Limit(limit)
	first := time.AfterFunc(every, func() { watch(ctx, limit, lift) })
	return func() {
		first.Stop()
		stop()
		lift()
	}
}

// watch calls full once, when what is live comes near the limit, and returns when it has or when
// ctx is done.
func watch(ctx context.Context, limit int64, full func()) {
	tick := time.NewTicker(every)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		if near(limit) {
			full()
			return
		}
	}
}

// near reports whether what is live, with the stacks and tables of the runtime, takes seven eighths
// of the limit.
func near(limit int64) bool {
	live, objects, around := sizes()
	if objects+around >= limit { // the runtime collects more slowly than memory is taken
		runtime.GC()
		live, _, around = sizes()
	}
	for range sureCollections {
		if live+around < limit-limit/nearShare {
			return false
		}
		// what was allocated while it collected counts as live
		runtime.GC()
		now, _, _ := sizes()
		live = min(live, now)
	}
	return live+around >= limit-limit/nearShare
}

// sizes returns how many bytes were live at the last collection, how many the objects of the heap
// take now, dead ones included, and how many stacks and tables take.
func sizes() (live, objects, around int64) {
	s := []metrics.Sample{{Name: "/gc/heap/live:bytes"}, {Name: "/memory/classes/heap/objects:bytes"},
		{Name: "/memory/classes/heap/stacks:bytes"}, {Name: "/memory/classes/metadata/other:bytes"}}
	metrics.Read(s)
	return int64(s[0].Value.Uint64()), int64(s[1].Value.Uint64()), int64(s[2].Value.Uint64() + s[3].Value.Uint64())
}
