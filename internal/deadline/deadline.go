// Package deadline bounds how long a call may outlast the deadline of its context. Once the context
// is done, it waits for a short grace period and then abandons the call, which may still be
// running.
//
// Calls are nested: Check waits for engines, engines for solvers, solvers for programs. The grace
// of each is shorter than that of the one around it, so that an answer within the inner grace still
// reaches the caller.
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
