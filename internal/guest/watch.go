package guest

import (
	"sync"
	"sync/atomic"
	"time"
	"weak"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
)

// Watch knows which calls of a caller's code are in progress, so that a check that runs out of time
// inside one can name it. The zero value is ready, and a nil *Watch watches nothing.
type Watch struct {
	mu       sync.Mutex
	machines []weak.Pointer[Running]
	prune    int // how many machines there are when those that are gone are dropped
	calls    map[*watchedCall]struct{}
}

// Running is what a machine is doing.
type Running struct {
	history *history.History
	op      atomic.Int32 // of the call in progress, plus one; 0 if there is none
	say     func() string
}

// comparing stands for an operation while the initial state is compared with itself.
const comparing = -1

type watchedCall struct {
	history *history.History
	fault   func() model.Fault
}

// add watches a machine, as long as it is used.
func (w *Watch) add(r *Running) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.machines) >= max(w.prune, 64) {
		live := w.machines[:0]
		for _, p := range w.machines {
			if p.Value() != nil {
				live = append(live, p)
			}
		}
		clear(w.machines[len(live):])
		w.machines, w.prune = live, 2*len(live)
	}
	w.machines = append(w.machines, weak.Make(r))
}

// Call notes that a function of the specification is about to be called on a history, and returns
// what notes that it has returned. fault says which function, and for which operation.
func (w *Watch) Call(h *history.History, fault func() model.Fault) (returned func()) {
	if w == nil {
		return func() {}
	}
	c := &watchedCall{h, fault}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.calls == nil {
		w.calls = map[*watchedCall]struct{}{}
	}
	w.calls[c] = struct{}{}
	return func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		delete(w.calls, c)
	}
}

// Guarded calls code of a specification as model.Guarded does, and notes that it does.
func Guarded[T any](w *Watch, h *history.History, at func() model.Fault, f func() T) T {
	defer w.Call(h, at)()
	return model.Guarded(at, f)
}

// Running names a call on a history, or on any if h is nil, that is in progress, "" if there is
// none.
func (w *Watch) Running(h *history.History) string {
	if w == nil {
		return ""
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	for c := range w.calls {
		if h == nil || c.history == h {
			f := c.fault()
			if f.Operation != "" {
				return f.Func + " on operation " + f.Operation
			}
			return f.Func
		}
	}
	for _, p := range w.machines {
		if r := p.Value(); r != nil && (h == nil || r.history == h) && r.op.Load() != 0 {
			if text := r.say(); text != "" {
				return text
			}
		}
	}
	return ""
}

// Watched is a specification whose code is watched.
type Watched interface{ Watched() *Watch }

// RunningStep names the call of the code of s, or of what s was made from (Unwrap), on h, or on any
// history if h is nil, that is in progress; "" if there is none or s is not watched.
func RunningStep(s model.Spec, h *history.History) string {
	for {
		if w, ok := s.(Watched); ok {
			return w.Watched().Running(h)
		}
		u, ok := s.(interface{ Unwrap() model.Spec })
		if !ok {
			return ""
		}
		s = u.Unwrap()
	}
}

// soon calls f and returns its text, unless it takes longer than showTime or panics.
func soon(f func() string) (text string, ok bool) {
	done := make(chan string, 1)
	go func() {
		defer close(done)
		defer func() { _ = recover() }()
		done <- f()
	}()
	select {
	case text, ok = <-done:
	case <-time.After(showTime):
	}
	return text, ok
}
