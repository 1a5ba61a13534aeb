package engine

import (
	"errors"
	"fmt"
	"runtime/debug"

	"github.com/linsat/linsat/internal/model"
)

// Panic is the error when code panicked that no *model.Fault describes: that of a Spec or of a
// solver which the caller brought along, or of linsat itself.
type Panic struct {
	Value any
	Stack []byte
}

func (p *Panic) Error() string {
	return fmt.Sprintf("a panic while checking, in linsat or in a specification or solver that it called: %v", p.Value)
}

// Unwrap returns the error that was panicked with, if it was one.
func (p *Panic) Unwrap() error {
	err, _ := p.Value.(error)
	return err
}

// Recovered is the error for what recover returned: a *model.Fault as it is, everything else a
// *Panic.
func Recovered(v any) error {
	switch v := v.(type) {
	case *model.Fault:
		return v
	case *Panic:
		return v
	}
	return &Panic{v, debug.Stack()}
}

// Contained calls f and returns its error, or a panic in it as one.
func Contained(f func() error) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = Recovered(v)
		}
	}()
	return f()
}

// Aside runs f in a goroutine of its own and returns at once. wait returns when f is done. A panic
// in f continues in wait, so that it reaches the code that contains panics of the caller. wait may
// be called more than once.
func Aside(f func()) (wait func()) {
	done := make(chan struct{})
	var failed error
	Go(func() error { f(); return nil }, func(err error) {
		failed = err
		close(done)
	})
	return func() {
		if <-done; failed != nil {
			panic(Recovered(failed))
		}
	}
}

// Go runs f in a goroutine of its own, and then calls then there with its error. Then is called
// whatever f does: a panic, and an end of the goroutine by runtime.Goexit, are errors.
func Go(f func() error, then func(err error)) {
	go func() {
		err := errGoexit
		defer func() { then(err) }()
		err = Contained(f)
	}()
}

var errGoexit = errors.New("a specification or a solver ended the goroutine that called it (runtime.Goexit)")
