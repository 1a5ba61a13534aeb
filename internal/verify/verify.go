package verify

import (
	"context"
	"errors"
	"fmt"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/deadline"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/guest"
)

// Verify checks that c proves its verdict about h for the question. It splits the history itself
// and believes nothing but h and q: what the certificate says of the question must be what is
// asked. It returns nil if c is valid, a *Refusal if it is not, and another error if that was not
// found out: bad input, the cause where ctx ended it, a panic in the specification. A step of the
// specification that does not end is left behind when ctx is done.
//
// The cost is bounded by the size of h and c: docs/certificates.md says how.
func Verify(ctx context.Context, h *history.History, q Question, c *Certificate) error {
	switch {
	case ctx == nil:
		return errors.New("the context is nil; context.Background() is one without a limit")
	case h == nil:
		return errors.New("the history is nil")
	case q.Spec == nil:
		return errors.New("the specification is nil")
	case c == nil:
		return errors.New("the certificate is nil")
	}
	if err := h.Validate(); err != nil {
		return err
	}
	var err error
	done := make(chan struct{})
	engine.Go(func() error { return check(ctx, h, q, c) }, func(e error) { err = e; close(done) })
	if deadline.Await(ctx, done, deadline.Check) {
		return err
	}
	if step := guest.RunningStep(q.Spec, h); step != "" {
		return fmt.Errorf("%w while a specification step was running: %s", context.Cause(ctx), step)
	}
	return context.Cause(ctx)
}
