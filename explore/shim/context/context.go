// Package context has the API of the package context of the standard library. While an execution of
// package explore runs, contexts are modelled: their channels are those of package shim, and their
// deadlines come by its clock. Otherwise they are those of the standard library.
// `linsat test` exchanges the imports of code that it explores; nothing else needs this package.
package context

import (
	real "context"
	"time"

	"github.com/linsat/linsat/explore/shim"
	"github.com/linsat/linsat/explore/shim/internal/core"
	"github.com/linsat/linsat/explore/shim/sync"
)

// The types of the standard library.
type (
	Context         = real.Context
	CancelFunc      = real.CancelFunc
	CancelCauseFunc = real.CancelCauseFunc
)

// The errors of the standard library.
var (
	Canceled         = real.Canceled
	DeadlineExceeded = real.DeadlineExceeded
)

// Background returns a context that is never done.
func Background() Context { return real.Background() }

// TODO returns a context that is never done.
func TODO() Context { return real.TODO() }

// WithValue returns a context in which key has a value.
func WithValue(parent Context, key, val any) Context { return real.WithValue(parent, key, val) }

// WithoutCancel returns a context with the values of the parent that is never done.
func WithoutCancel(parent Context) Context { return real.WithoutCancel(parent) }

// canceler is a modelled context.
type canceler struct {
	Context // the parent
	done    chan struct{}
	until   time.Time // its deadline, zero if it has none of its own

	mu         sync.Mutex
	err, cause error
	children   []*canceler
	after      []func() // what AfterFunc registered; nil where it was taken back
}

// self is the key under which a modelled context gives itself.
type self struct{}

func (c *canceler) Done() <-chan struct{} { return c.done }

func (c *canceler) Err() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.err
}

func (c *canceler) Value(key any) any {
	if _, ok := key.(self); ok {
		return c
	}
	return c.Context.Value(key)
}

func (c *canceler) Deadline() (time.Time, bool) {
	at, ok := c.Context.Deadline()
	if !c.until.IsZero() && (!ok || c.until.Before(at)) {
		return c.until, true
	}
	return at, ok
}

// newCanceler returns a child of a context.
func newCanceler(parent Context) *canceler {
	if parent == nil {
		panic("cannot create context from nil parent")
	}
	c := &canceler{Context: parent, done: shim.Made(make(chan struct{}))}
	above, ok := parent.Value(self{}).(*canceler)
	if !ok {
		// One that was made outside of the execution does not end in it.
		if err := parent.Err(); err != nil {
			c.cancel(err, Cause(parent))
		} else if done := parent.Done(); done != nil && shim.Known(done) {
			c.follow(done)
		}
		return c
	}
	above.mu.Lock()
	if above.err == nil {
		above.children = append(above.children, c)
		above.mu.Unlock()
		return c
	}
	err, cause := above.err, above.cause
	above.mu.Unlock()
	c.cancel(err, cause)
	return c
}

// follow ends the context when its parent ends, which is of a type that is not ours.
func (c *canceler) follow(done <-chan struct{}) {
	shim.Go(func() {
		if shim.Select(false, shim.From(done), shim.From(c.done)) == 0 {
			c.cancel(c.Context.Err(), Cause(c.Context))
		}
	})
}

// cancel ends the context and its children, unless it has ended.
func (c *canceler) cancel(err, cause error) {
	if cause == nil {
		cause = err
	}
	c.mu.Lock()
	if c.err != nil {
		c.mu.Unlock()
		return
	}
	c.err, c.cause = err, cause
	shim.Close(c.done)
	children, after := c.children, c.after
	c.children, c.after = nil, nil
	c.mu.Unlock()
	for _, child := range children {
		child.cancel(err, cause)
	}
	for _, f := range after {
		if f != nil {
			shim.Go(f)
		}
	}
}

// WithCancel returns a child that cancel ends.
func WithCancel(parent Context) (ctx Context, cancel CancelFunc) {
	if core.Running() == nil {
		return real.WithCancel(parent)
	}
	c := newCanceler(parent)
	return c, func() { c.cancel(Canceled, nil) }
}

// WithCancelCause returns a child that cancel ends, for a cause.
func WithCancelCause(parent Context) (ctx Context, cancel CancelCauseFunc) {
	if core.Running() == nil {
		return real.WithCancelCause(parent)
	}
	c := newCanceler(parent)
	return c, func(cause error) { c.cancel(Canceled, cause) }
}

// WithDeadline returns a child that ends at a time, or when cancel is called.
func WithDeadline(parent Context, d time.Time) (Context, CancelFunc) {
	return WithDeadlineCause(parent, d, nil)
}

// WithDeadlineCause is WithDeadline with a cause for the end at that time.
func WithDeadlineCause(parent Context, d time.Time, cause error) (Context, CancelFunc) {
	if core.Running() == nil {
		return real.WithDeadlineCause(parent, d, cause)
	}
	c := newCanceler(parent)
	c.until = d
	t := shim.AfterFunc(d.Sub(shim.Now()), func() { c.cancel(DeadlineExceeded, cause) })
	return c, func() {
		t.Stop()
		c.cancel(Canceled, nil)
	}
}

// WithTimeout is WithDeadline after a time from now.
func WithTimeout(parent Context, timeout time.Duration) (Context, CancelFunc) {
	return WithDeadline(parent, shim.Now().Add(timeout))
}

// WithTimeoutCause is WithDeadlineCause after a time from now.
func WithTimeoutCause(parent Context, timeout time.Duration, cause error) (Context, CancelFunc) {
	return WithDeadlineCause(parent, shim.Now().Add(timeout), cause)
}

// Cause returns why a context ended, nil if it has not.
func Cause(c Context) error {
	if core.Running() == nil {
		return real.Cause(c)
	}
	if of, ok := c.Value(self{}).(*canceler); ok {
		of.mu.Lock()
		defer of.mu.Unlock()
		return of.cause
	}
	return c.Err()
}

// AfterFunc runs f in a goroutine once the context has ended. stop takes it back, and reports
// whether it did.
func AfterFunc(ctx Context, f func()) (stop func() bool) {
	if core.Running() == nil {
		return real.AfterFunc(ctx, f)
	}
	c := newCanceler(ctx)
	c.mu.Lock()
	if c.err != nil {
		c.mu.Unlock()
		shim.Go(f)
		return func() bool { return false }
	}
	c.after = append(c.after, f)
	c.mu.Unlock()
	return func() bool {
		c.mu.Lock()
		defer c.mu.Unlock()
		stopped := c.err == nil && len(c.after) > 0 && c.after[0] != nil
		if stopped {
			c.after[0] = nil
		}
		return stopped
	}
}
