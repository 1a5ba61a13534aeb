package linsat

import (
	"context"
	"time"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/explain"
	"github.com/linsat/linsat/internal/result"
)

// quickly decides h on the goroutine of the caller if that is soon done, and ok reports whether it
// was. Then no goroutine and no timer have been needed. There are such checks only under no limit
// but a deadline that is far off, and they end before anything that takes long: the reasons of a
// violation, engines side by side. If ok is false, k.begun may know a part of the answer.
//
// What is wrong with the question is left to the check that follows.
func (k *checking) quickly(ctx context.Context, h *history.History) (r result.Result, ok bool) {
	if h == nil || ctx == nil || k.memory > 0 || k.cache > 0 || k.steps > 0 || k.unconfirmed || k.timeout > 0 &&
		k.timeout < quickTimeout {
		return r, false
	}
	if deadline, limited := ctx.Deadline(); limited && time.Until(deadline) < quickTimeout || ctx.Err() != nil {
		return r, false
	}
	err := engine.Contained(func() (err error) {
		if err = k.refuse(k.spec, h); err != nil {
			return err
		}
		roomOnStack()
		p := k.portfolio()
		q := k.asked(h)
		answered := p.Quickly(ctx, q, k.budget)
		if k.begun = p; !answered {
			return nil
		}
		// a violation that is an answer so far is not to be explained
		if r, _, err = k.decide(ctx, p, q); r.Verdict == engine.NotLinearizable {
			r = r.Explained(explain.NoReasons(r.Partition, r.Failure))
		}
		if k.doubted(&r, err) != nil || k.restsOnEqual(&r, err) {
			k.begun = nil
			return nil
		}
		ok = err == nil
		return err
	})
	if err != nil {
		k.begun = nil
	}
	return r, ok
}
