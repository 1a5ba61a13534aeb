package verify

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/guest"
	"github.com/linsat/linsat/internal/model"
)

// grace is how long Verify waits, after ctx is done, for a specification to come to the end of a
// step.
const grace = 40 * time.Millisecond

// Verify checks that c proves its verdict for h under s. It splits the history itself and believes
// nothing but h, s and, as the question that is answered, c's specification, initial state and
// relaxation, of which the first two must be those of s and h. It returns nil or what is wrong, or
// the cause where ctx ended it. A panic in s is an error, and a step of s that does not end is left
// behind when ctx is done.
//
// The cost is bounded by the size of h and c: docs/certificates.md says how.
func Verify(ctx context.Context, h *history.History, s model.Spec, c *Certificate) error {
	switch {
	case ctx == nil:
		return errors.New("the context is nil; context.Background() is one without a limit")
	case h == nil:
		return errors.New("the history is nil")
	case s == nil:
		return errors.New("the specification is nil")
	case c == nil:
		return errors.New("the certificate is nil")
	}
	if err := h.Validate(); err != nil {
		return err
	}
	done := make(chan error, 1)
	engine.Go(func() error { return judge(ctx, h, s, c) }, func(err error) { done <- err })
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
	}
	select {
	case err := <-done:
		return err
	case <-time.After(grace):
	}
	if step := guest.RunningStep(s, h); step != "" {
		return fmt.Errorf("%w while a specification step was running: %s", context.Cause(ctx), step)
	}
	return context.Cause(ctx)
}
