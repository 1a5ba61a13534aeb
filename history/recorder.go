package history

import (
	"fmt"
	"sync"
)

// Recorder records the operations of goroutines on an object, for tests. The zero value is not
// usable; use NewRecorder. Its methods are safe for concurrent use.
//
// Events are numbered in the order in which they reach the recorder: Call must be called
// before the operation begins, and Return after it has ended. Then an operation
// that precedes another in the history really did so; the reverse need not hold.
type Recorder struct {
	mu    sync.Mutex
	b     *Builder
	err   error
	ended bool // by History
}

// Handle is an operation that has been called.
type Handle struct {
	r       *Recorder
	process int32
	record  int32 // position among the records
}

// NewRecorder returns an empty recorder.
func NewRecorder() *Recorder { return &Recorder{b: NewBuilder()} }

// SetSpec names the specification, for histories that are written to a file.
func (r *Recorder) SetSpec(name string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.b.SetSpec(name)
}

// SetInitial states the initial state.
func (r *Recorder) SetInitial(state any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.b.SetInitial(r.value(state))
}

// Note adds an annotation after the events recorded so far.
func (r *Recorder) Note(text string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.b.Note(r.b.clock, text)
}

// Call records that a process calls f with an argument, nil if it has none.
// A process has one operation open at a time.
func (r *Recorder) Call(process int, f string, arg any) Handle {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.call(process, f, NoKey, arg)
}

// CallKey is Call on the object of that key.
func (r *Recorder) CallKey(process int, key any, f string, arg any) Handle {
	r.mu.Lock()
	defer r.mu.Unlock()
	k := r.value(key)
	if k == Nil {
		k = NoKey
	}
	return r.call(process, f, k, arg)
}

func (r *Recorder) call(process int, f string, key Value, arg any) Handle {
	if r.late() {
		return Handle{r, 0, -1}
	}
	p := r.b.ProcessInt(int64(process))
	r.keep(r.b.Invoke(p, r.b.Values.String(f), key, r.value(arg), 0))
	return Handle{r, p, int32(r.b.Len() - 1)}
}

// Return records that the operation returned, with its result or nil.
func (h Handle) Return(result any) { h.complete(result, Returned) }

// Fail records that the operation returned and is known not to have taken effect.
func (h Handle) Fail() { h.complete(nil, Failed) }

// Abandon records that the outcome will stay unknown; the process may go on. An operation that is
// never completed is pending, too.
func (h Handle) Abandon() {
	h.r.mu.Lock()
	defer h.r.mu.Unlock()
	if !h.r.late() && h.open() {
		h.r.keep(h.r.b.Abandon(h.process, 0))
	}
}

func (h Handle) complete(result any, status Status) {
	h.r.mu.Lock()
	defer h.r.mu.Unlock()
	if !h.r.late() && h.open() {
		h.r.keep(h.r.b.Complete(h.process, h.r.value(result), status, 0))
	}
}

// open reports whether the operation is the open one of its process.
func (h Handle) open() bool {
	if h.r.b.open[h.process] != h.record+1 {
		h.r.keep(&Error{What: fmt.Sprintf("operation %d of process %s is completed twice, or was never recorded", h.record, h.r.b.processes[h.process]),
			Hint: "complete each operation once"})
		return false
	}
	return true
}

// late reports whether the recording has ended, and remembers that as an error.
func (r *Recorder) late() bool {
	if r.ended {
		r.keep(&Error{What: "the recorder was used after History", Hint: "use a new recorder"})
	}
	return r.ended
}

// keep remembers the first error.
func (r *Recorder) keep(err error) {
	if r.err == nil {
		r.err = err
	}
}

// History ends the recording and returns what was recorded, or the first mistake in the
// use of the recorder. The recorder must not be used afterwards.
func (r *Recorder) History() (*History, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.err != nil {
		return nil, r.err
	}
	if r.late() {
		return nil, r.err
	}
	r.ended = true
	h, err := r.b.Finish()
	if err != nil {
		return nil, err
	}
	h.Format = "recorder"
	return h, nil
}

// value interns a Go value: an error as its text, all else as Values.Of has it.
func (r *Recorder) value(x any) Value {
	if err, ok := x.(error); ok {
		return r.b.Values.String(err.Error())
	}
	v, err := r.b.Values.Of(x)
	if err != nil {
		r.keep(err)
	}
	return v
}
