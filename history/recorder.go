package history

// What: records the calls and returns of goroutines, without a lock that they share.
//
// Every process has a buffer of its own, to which one goroutine at a time appends. Events are
// ordered by one counter, which each event increments once: a call after everything else the
// recorder does for it, a return before.
//
// Why the order is right, on machines with weak memory too: Go's atomic operations behave as
// though they were executed in one order, and an operation that sees the effect of another one is
// synchronized after it (The Go Memory Model, "Atomic Values"). Increments of one counter see each
// other. So if a return has a smaller number than a call, everything that the first operation did
// happens before everything that the second one does. Clocks of processors promise no such thing: a
// return may be stamped while the operation's write still sits in the processor's store buffer, and
// a read that begins later by the clock misses it, which is a violation that is none of the
// object's.
//
// The price: the counter synchronizes what it orders. A race between an operation and one that
// begins after its return is hidden from Go's race detector, and what only weak memory would show
// after a return is not seen.
//
// Invariant: an operation that precedes another in the history had returned before the other was
// called. The reverse need not hold.
//
// Cost: two increments of a shared counter an operation; no allocation for nil, booleans, integers
// and strings, but for a buffer of recordedEach operations at a time.

import (
	"fmt"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"unsafe"
)

// Recorder records the operations of goroutines on an object, for tests. The zero value is an empty
// recorder. Its methods are safe for concurrent use.
//
// Events are numbered in the order in which they reach the recorder: Call must be called
// before the operation begins, and Return after it has ended. Then an operation
// that precedes another in the history really did so; the reverse need not hold. Goroutines share
// no lock, only the counter of events, which orders what they do: it hides from Go's race detector
// the races between an operation and those that begin after its return.
type Recorder struct {
	_      [64]byte // the counter has a cache line of its own
	clock  atomic.Int64
	_      [64]byte
	ended  atomic.Bool              // by History
	tracks atomic.Pointer[[]*track] // of the processes with small numbers, nil where there is none

	mu     sync.Mutex // of all that follows, and of the slice of tracks
	others map[int]*track
	timed  bool // operations state their times
	b      *Builder
	err    error // the first mistake
}

// track is what one process recorded.
type track struct {
	process int
	busy    atomic.Bool // an operation is open

	last []recorded   // the last buffer, for the process alone
	used atomic.Int64 // operations in it

	mu      sync.Mutex // of all that follows; taken rarely, and by nothing else but History
	values  *Values    // of keys, arguments and results that no cell holds
	buffers [][]recorded
}

// recorded is one operation. What is known of its end is written before its state.
type recorded struct {
	state            atomic.Uint32
	kinds            [3]cellKind // of key, argument and result
	call, ret        int64
	callAt, returnAt int64 // times, where the caller states them
	stated           [2]bool
	f                string
	key, arg, result cell
}

// The states of a recorded operation.
const (
	isOpen   uint32 = iota
	isEnding        // its end is being written
	hasReturned
	hasFailed
	isAbandoned
)

// cell is an integer, or the length and the bytes of a string.
type cell struct {
	n    int64
	text *byte
}

// cellKind says how a cell is read.
type cellKind uint8

const (
	cellNil cellKind = iota
	cellFalse
	cellTrue
	cellInt
	cellString
	cellValue // the number of a value in the track's table
	cellNone  // no key
)

// Handle is an operation that has been called.
type Handle struct {
	r  *Recorder
	of *track
	op *recorded
}

// builder returns what collects the operations. It holds the lock.
func (r *Recorder) builder() *Builder {
	if r.b == nil {
		r.b = NewBuilder()
	}
	return r.b
}

// numbered returns the tracks of the processes with small numbers.
func (r *Recorder) numbered() []*track {
	if all := r.tracks.Load(); all != nil {
		return *all
	}
	return nil
}

// SetSpec names the specification, for histories that are written to a file.
func (r *Recorder) SetSpec(name string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.builder().SetSpec(name)
}

// SetInitial states the initial state.
func (r *Recorder) SetInitial(state any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	v, err := r.builder().Values.ofRecorded(state)
	r.mistake(err)
	r.b.SetInitial(v)
}

// Note adds an annotation after the events recorded so far.
func (r *Recorder) Note(text string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.builder().Note(r.clock.Load(), text)
}

// Call records that a process calls f with an argument, nil if it has none.
// A process has one operation open at a time.
func (r *Recorder) Call(process int, f string, arg any) Handle {
	return r.call(process, nil, f, arg, 0, false)
}

// CallKey is Call on the object of that key.
func (r *Recorder) CallKey(process int, key any, f string, arg any) Handle {
	return r.call(process, key, f, arg, 0, false)
}

// CallAt is Call, or CallKey if key is not nil, at a time that the caller states, for clients with
// clocks of their own; the end is recorded with ReturnAt or FailAt. Either all operations of a
// recording state their times, or none.
func (r *Recorder) CallAt(at int64, process int, key any, f string, arg any) Handle {
	return r.call(process, key, f, arg, at, true)
}

func (r *Recorder) call(process int, key any, f string, arg any, at int64, stated bool) Handle {
	h := r.open(process, f)
	if h.op == nil {
		return h
	}
	h.write(aKey, &h.op.key, &h.op.kinds[0], key)
	if h.op.kinds[0] == cellNil {
		h.op.kinds[0] = cellNone
	}
	h.write(anArgument, &h.op.arg, &h.op.kinds[1], arg)
	h.op.callAt, h.op.stated[0] = at, stated
	h.begin()
	return h
}

// SetUncertainty says by how much every time that is stated may be wrong (Builder.SetUncertainty).
func (r *Recorder) SetUncertainty(by int64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.builder().SetUncertainty(by)
}

// open makes room for an operation of a process. The handle has no operation if the process must
// not call.
func (r *Recorder) open(process int, f string) Handle {
	if r.ended.Load() {
		return Handle{}
	}
	t := r.track(process)
	if !t.busy.CompareAndSwap(false, true) {
		r.keep(&Error{What: fmt.Sprintf("process %d calls %q while an operation of it is open", process, f),
			Hint: "a process has one operation open at a time; give each goroutine a process of its own"})
		return Handle{}
	}
	n := int(t.used.Load())
	if n == len(t.last) {
		t.grow()
		n = 0
	}
	op := &t.last[n]
	op.f = f
	return Handle{r, t, op}
}

// begin numbers the call, and lets History see it.
func (h Handle) begin() {
	h.op.call = h.r.clock.Add(1) - 1
	h.of.used.Add(1)
}

// track returns the track of a process.
func (r *Recorder) track(process int) *track {
	if all := r.numbered(); uint(process) < uint(len(all)) && all[process] != nil {
		return all[process]
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	all := r.numbered()
	switch {
	case process < 0 || process >= smallProcesses:
		if r.others[process] == nil {
			if r.others == nil {
				r.others = map[int]*track{}
			}
			r.others[process] = &track{process: process}
		}
		return r.others[process]
	case process < len(all) && all[process] != nil:
		return all[process]
	}
	more := make([]*track, max(process+1, len(all)))
	copy(more, all)
	more[process] = &track{process: process}
	r.tracks.Store(&more)
	return more[process]
}

// grow gives the track a new buffer.
func (t *track) grow() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.last = make([]recorded, min(recordedEach, max(firstRecords, 2*len(t.last))))
	t.buffers = append(t.buffers, t.last)
	t.used.Store(0)
}

// What an operation has.
const (
	aKey       = "key"
	anArgument = "argument"
	aResult    = "result"
)

// write keeps x, which is what the operation has, in a cell. A value that no cell holds is interned
// in the track's table; one that a history cannot hold is refused, with the place of the call.
//
// Where x is the variable of a caller it can stay on the caller's stack: only what x points to is
// kept.
func (h Handle) write(what string, w *cell, kind *cellKind, x any) {
	switch x := x.(type) {
	case nil:
		*kind = cellNil
	case bool:
		*kind = cellFalse
		if x {
			*kind = cellTrue
		}
	case int:
		*kind, w.n = cellInt, int64(x)
	case int64:
		*kind, w.n = cellInt, x
	case int32:
		*kind, w.n = cellInt, int64(x)
	case uint32:
		*kind, w.n = cellInt, int64(x)
	case uint8:
		*kind, w.n = cellInt, int64(x)
	case string:
		*kind, w.n, w.text = cellString, int64(len(x)), unsafe.StringData(x)
	default:
		var hidden any
		hide(&hidden, &x)
		h.intern(what, w, kind, hidden)
	}
}

// hide copies an interface so that the compiler does not see that what it points to is used: then
// the caller's variable stays on its stack. What the copy points to directly must not be kept.
//
// The copy is no safe point for the stack to move (go:nosplit), and is no part of a function that
// has some (go:noinline).
//
//go:nosplit
//go:noinline
func hide(to, from *any) { *(*[2]uintptr)(unsafe.Pointer(to)) = *(*[2]uintptr)(unsafe.Pointer(from)) }

// intern keeps a value that no cell holds.
func (h Handle) intern(what string, w *cell, kind *cellKind, x any) {
	t := h.of
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.values == nil {
		t.values = newValues()
	}
	v, err := t.values.ofRecorded(x)
	if err != nil {
		h.r.keep(h.refusal(what, err))
	}
	*kind, w.n = cellValue, int64(v)
}

// refusal says which operation has a value that a history cannot hold, and where it was recorded.
func (h Handle) refusal(what string, err error) error {
	bad, ok := err.(*Error) //nolint:errorlint // what Of returns
	if !ok {
		return err
	}
	e := &Error{What: fmt.Sprintf("operation %q of process %d: its %s is refused: %s", h.op.f, h.of.process, what,
		bad.What), Hint: bad.Hint}
	places := make([]uintptr, mostFrames)
	frames := runtime.CallersFrames(places[:runtime.Callers(2, places)])
	for more := true; more; {
		var f runtime.Frame
		if f, more = frames.Next(); f.File != "" && !recording(f.Function) {
			e.File, e.Line = filepath.Base(f.File), f.Line
			return e
		}
	}
	return e
}

// recording reports whether a function is one of those that record, and not of a test.
func recording(function string) bool {
	return strings.HasPrefix(function, "github.com/linsat/linsat/history.") ||
		strings.HasPrefix(function, "github.com/linsat/linsat/linsattest.")
}

// ofRecorded returns the value of x: of an error its text, of all else what Of returns.
func (t *Values) ofRecorded(x any) (Value, error) {
	if err, ok := x.(error); ok {
		return t.String(err.Error()), nil
	}
	return t.Of(x)
}

// Return records that the operation returned, with its result or nil.
func (h Handle) Return(result any) { h.returned(result, 0, false) }

// ReturnAt is Return at a time that the caller states.
func (h Handle) ReturnAt(at int64, result any) { h.returned(result, at, true) }

func (h Handle) returned(result any, at int64, stated bool) {
	if h.op == nil || !h.end(h.r.clock.Add(1)-1) {
		return
	}
	h.op.returnAt, h.op.stated[1] = at, stated
	h.write(aResult, &h.op.result, &h.op.kinds[2], result)
	h.op.state.Store(hasReturned)
	h.of.busy.Store(false)
}

// Fail records that the operation returned and is known not to have taken effect.
func (h Handle) Fail() { h.failed(0, false) }

// FailAt is Fail at a time that the caller states.
func (h Handle) FailAt(at int64) { h.failed(at, true) }

func (h Handle) failed(at int64, stated bool) {
	if h.op != nil && h.end(h.r.clock.Add(1)-1) {
		h.op.returnAt, h.op.stated[1] = at, stated
		h.op.state.Store(hasFailed)
		h.of.busy.Store(false)
	}
}

// Abandon records that the outcome will stay unknown; the process may go on. An operation that is
// never completed is pending, too.
func (h Handle) Abandon() {
	if h.op != nil && h.end(0) {
		h.op.state.Store(isAbandoned)
		h.of.busy.Store(false)
	}
}

// end begins to write the end of the operation, and reports whether it was open.
func (h Handle) end(now int64) bool {
	if !h.op.state.CompareAndSwap(isOpen, isEnding) {
		if h.r.ended.Load() {
			return false
		}
		h.r.keep(&Error{What: fmt.Sprintf("operation %q of process %d is completed twice", h.op.f, h.of.process),
			Hint: "complete each operation once"})
		return false
	}
	h.op.ret = now
	return true
}

// keep remembers the first mistake.
func (r *Recorder) keep(err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.mistake(err)
}

func (r *Recorder) mistake(err error) {
	if r.err == nil {
		r.err = err
	}
}
