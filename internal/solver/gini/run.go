package gini

import (
	"context"
	"runtime"
	"time"

	upstream "github.com/go-air/gini"
	"github.com/go-air/gini/inter"
	"github.com/linsat/linsat/internal/deadline"
)

// run solves g until ctx is done. It returns gini's result: 1, -1, or 0 if it was stopped. If gini
// did not notice the stop in time, it returns a channel that will deliver the result; g
// must not be touched before. Gini cannot wait for a result and be stopped at the same time, so run
// polls: without pause at first, since most solves take microseconds, then at intervals of a
// sixteenth of the time that has passed.
func run(ctx context.Context, g *upstream.Gini) (int, <-chan int) {
	done := ctx.Done()
	if done == nil {
		return g.Solve(), nil
	}
	h := g.GoSolve()
	start := time.Now()
	var timer *time.Timer
	for {
		if r, ok := h.Test(); ok {
			return r, nil
		}
		passed := time.Since(start)
		if passed < spin {
			select {
			case <-done:
				return stop(h)
			default:
				runtime.Gosched()
			}
			continue
		}
		wait := min(passed/waitShare+leastWait, pause)
		if timer == nil {
			timer = time.NewTimer(wait)
			defer timer.Stop()
		} else {
			timer.Reset(wait)
		}
		select {
		case <-done:
			return stop(h)
		case <-timer.C:
		}
	}
}

// stop ends a solve whose result was not taken. A result that arrives nevertheless is valid.
func stop(h inter.Solve) (int, <-chan int) {
	result := make(chan int, 1)
	go func() { result <- h.Stop() }()
	select {
	case r := <-result:
		return r, nil
	case <-time.After(deadline.Solver):
		return 0, result
	}
}
