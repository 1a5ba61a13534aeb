package portfolio

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	"github.com/linsat/linsat/internal/engine"
)

// each calls do for first, ..., n-1 until ctx is done, by Workers at a time, and returns what the
// calls returned.
func (p *Portfolio) each(ctx context.Context, first, n int, do func(i int) error) []error {
	if first == n || ctx.Err() != nil {
		return nil
	}
	errs := make([]error, n)
	var next atomic.Int64
	next.Store(int64(first))
	workers := min(max(1, p.o.Workers), n-first)
	several := min(1+n/(batchesEach*workers), maxBatch)
	work := func() {
		for {
			from := int(next.Add(int64(several))) - several
			for i := from; i < min(from+several, n); i++ {
				if ctx.Err() != nil {
					return
				}
				errs[i] = engine.Contained(func() error { return do(i) })
			}
			if from+several >= n {
				return
			}
		}
	}
	if workers == 1 {
		work()
		return errs
	}
	// The caller's goroutine is the first worker. The others start when it has not ended soon: most
	// small histories are decided before another thread has woken up.
	started := make(chan []func(), 1)
	others := time.AfterFunc(workersAfter, func() {
		waits := make([]func(), workers-1)
		for w := range waits {
			waits[w] = engine.Aside(work)
		}
		started <- waits
	})
	defer others.Stop()
	work()
	if !others.Stop() {
		for _, wait := range <-started {
			wait()
		}
	}
	return errs
}

// firstError prefers a disagreement to bad input, and then the first partition's error; it is nil
// if there is none.
func firstError(errs []error) error {
	var first error
	for _, err := range errs {
		if err == nil {
			continue
		}
		var d *engine.Disagreement
		if errors.As(err, &d) {
			return err
		}
		if first == nil {
			first = err
		}
	}
	return first
}
