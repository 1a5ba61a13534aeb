// Package deadline is where time limits end: it waits, once a context is done, for work that does
// not notice at once, and then leaves it behind. The time itself is the context's.
//
// Work is nested: Check waits for engines, engines for solvers, solvers for programs. Each of them
// waits less long than the one around it, so that an answer that comes late but in time still gets
// out.
package deadline

import (
	"context"
	"time"
)

// Await reports whether done is closed before ctx is done, or within grace after that.
func Await(ctx context.Context, done <-chan struct{}, grace time.Duration) bool {
	select {
	case <-done:
		return true
	case <-ctx.Done():
	}
	late := time.NewTimer(grace)
	defer late.Stop()
	select {
	case <-done:
		return true
	case <-late.C:
		return false
	}
}
