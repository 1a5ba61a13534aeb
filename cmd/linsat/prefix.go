package main

import (
	"context"
	"time"

	"github.com/linsat/linsat/internal/cli"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/explain"
	"github.com/linsat/linsat/internal/portfolio"
	"github.com/linsat/linsat/internal/result"
)

// longestPrefix looks for the longest prefix that can be shown to be linearizable, of a partition
// that a limit left undecided: with the same engines and limits, in the time that is always granted
// after a timeout. Under --steps it is bounded by steps alone, so that it is the same everywhere.
func (s *solver) longestPrefix(r *result.Result) *explain.Prefix {
	if r.Verdict != engine.Unknown || r.Cause == engine.Unsupported || r.Partition == nil || !r.Plain() ||
		r.Least != nil {
		return nil
	}
	engines, err := portfolio.ParseEngines(s.engine)
	if err != nil {
		return nil
	}
	ctx, stop := cli.Interruptible()
	defer stop()
	if s.steps == 0 {
		limit := prefixTime
		if s.timeout > 0 || s.interrupted {
			limit = leastToMake
		}
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, limit)
		defer cancel()
	}
	p := portfolio.New(portfolio.Options{Engines: engines, Workers: 1, Sequential: s.steps > 0, VerdictOnly: true})
	prefix, ok := explain.LongestPrefix(ctx, r.Spec, r.Partition,
		func(ctx context.Context, q *engine.Task) (engine.Answer, error) {
			b := engine.NewBudget(s.steps, int64(s.memory))
			b.LimitCache(s.cache)
			var a engine.Answer
			var err error
			done := make(chan struct{})
			// the code of a specification may not look at the time
			engine.Go(func() (err error) {
				a, err = p.Decide(ctx, q, b)
				return err
			}, func(failed error) { err = failed; close(done) })
			select {
			case <-done:
				return a, err
			case <-late(ctx):
				return engine.Answer{Cause: engine.Timeout}, nil
			}
		})
	if !ok {
		return nil
	}
	return &prefix
}

// late is ready a moment after ctx is done.
func late(ctx context.Context) <-chan time.Time {
	c := make(chan time.Time, 1)
	context.AfterFunc(ctx, func() { time.AfterFunc(leastToMake, func() { c <- time.Now() }) })
	return c
}
