package linsat

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync/atomic"
	"time"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/deadline"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/explain"
	"github.com/linsat/linsat/internal/guest"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/result"
)

// question is what Check is asked about a history that is made within the limits.
type question struct {
	spec    model.Spec
	model   model.Spec       // that is said to be spec, or nil
	ready   *history.History // what prepare returns, if it is there already
	prepare func(ctx context.Context) (*history.History, error)
	confirm *confirmation
	made    atomic.Pointer[history.History]
}

// confirmation is what an answer has to stand, nil for nothing.
type confirmation struct {
	stand func(ctx context.Context, r *result.Result) error
}

func (c *confirmation) of(ctx context.Context, r *result.Result) error {
	if c == nil {
		return nil
	}
	return c.stand(ctx, r)
}

// run is Check: it enforces the limits, and answers with what is known when they are reached.
func (q *question) run(ctx context.Context, options []Option) (r result.Result, err error) {
	start := time.Now()
	defer func() {
		if err == nil {
			r.Took = time.Since(start)
		}
	}()
	c, err := configured(options)
	if err != nil {
		return result.Result{}, err
	}
	k := newChecking(c, model.Fresh(q.spec, c.memory), engine.NewBudget(c.steps, c.memory), nil)
	k.model, k.unconfirmed = q.model, q.confirm != nil
	if r, done, err := k.quickly(ctx, q.ready); done {
		return r, err
	}
	return k.within(ctx, func(ctx context.Context) (found result.Result, err error) {
		h, err := q.prepare(ctx)
		if err == nil {
			k.history.Store(h)
			q.made.Store(h)
		}
		if err == nil && !k.validated {
			err = c.refuse(k.spec, h)
		}
		if err == nil {
			found, err = k.check(ctx, h)
		}
		if err == nil {
			err = q.confirm.of(ctx, &found)
		}
		return found, err
	})
}

// quickly decides h on the goroutine of the caller if that is soon done, and reports whether it
// was. Then no goroutine and no timer have been needed. There are such checks only under no limit
// but a deadline that is far off, and they end before anything that takes long: the reasons of a
// violation, engines side by side. The check that follows goes on from there.
func (k *checking) quickly(ctx context.Context, h *history.History) (r result.Result, done bool, err error) {
	if h == nil || ctx == nil || k.memory > 0 || k.cache > 0 || k.steps > 0 || k.timeout > 0 &&
		k.timeout < quickTimeout {
		return r, false, nil
	}
	if deadline, limited := ctx.Deadline(); limited && time.Until(deadline) < quickTimeout || ctx.Err() != nil {
		return r, false, nil
	}
	err = engine.Contained(func() (err error) {
		if err = k.refuse(k.spec, h); err != nil {
			return err
		}
		k.validated = true
		roomOnStack()
		if done, err = k.portfolio.Quickly(ctx, k.asked(h), k.budget); !done {
			return err
		}
		// a violation that is an answer so far is not to be explained
		if r, err = k.decide(ctx, h); r.Verdict == engine.NotLinearizable {
			r = r.Explained(explain.NoReasons(r.Partition, r.Failure))
		}
		return err
	})
	return r, done || err != nil, err
}

// within does what takes long within the limits.
func (k *checking) within(ctx context.Context, work func(ctx context.Context) (result.Result, error)) (result.Result,
	error) {
	c := k.config
	if ctx == nil {
		return result.Result{}, errNoContext
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(engine.ErrAnswered)
	if c.timeout > 0 {
		var stop context.CancelFunc
		ctx, stop = context.WithTimeout(ctx, c.timeout)
		defer stop()
	}
	k.budget.LimitCache(c.cache)
	done := make(chan struct{})
	// Both are written before done is closed. After the deadline nobody reads them any more.
	var answer result.Result
	var err error
	engine.Go(func() (failed error) {
		roomOnStack()
		answer, failed = work(ctx)
		return failed
	}, func(failed error) {
		err = failed
		close(done)
	})
	if deadline.Await(ctx, done, deadline.Check) && !(err != nil && ctx.Err() != nil &&
		errors.Is(err, context.Cause(ctx))) {
		return answer, err
	}
	return k.unfinished(engine.CauseOf(ctx)), nil
}

// unfinished is the result when the engines did not stop at the deadline, be it for a step of the
// specification that did not return: what is known, or else Unknown.
func (k *checking) unfinished(cause engine.Cause) result.Result {
	if known := k.known.Load(); known != nil {
		r := *known
		if !r.Certified {
			r.Uncertified = fmt.Sprintf("the search for its reasons was stopped by: %v", cause)
			if k.restsOnEqual(&r, nil) {
				r.Uncertified += "; " + restsOnEqual
			}
		}
		return r
	}
	text := "stopped"
	if cause == engine.Timeout {
		text = "deadline passed"
	}
	step := guest.RunningStep(k.spec, k.history.Load())
	if step == "" && k.model != nil { // which has a history of its own
		step = guest.RunningStep(k.model, nil)
	}
	if step != "" {
		text += " while a specification step was running: " + step
	} else {
		text += " before the engines had answered"
	}
	return result.Result{Spec: k.spec, Quasi: k.quasi, Cause: cause, Detail: text}
}

// roomOnStack makes the stack of a new goroutine as large as checks of small histories need. Where
// it grew step by step, deep in calls, that took a sixth of such a check: every frame is moved.
func roomOnStack() { takeRoom(false) }

// takeRoom has a frame of that size, which is cleared only where it is used: never.
//
//go:noinline
func takeRoom(used bool) {
	if used {
		var room [stackRoom]byte
		runtime.KeepAlive(&room)
	}
}
