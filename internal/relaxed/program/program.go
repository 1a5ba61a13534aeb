// Package program runs the threads of a program as coroutines, one execution after the other. What
// their accesses do is the business of a Memory, which also decides which thread goes on.
package program

import (
	"fmt"
	"iter"
	"runtime"
	"strings"

	"github.com/linsat/linsat/internal/relaxed/graph"
)

// Memory performs accesses. Do runs in the coroutine of the thread and may pause it.
type Memory interface {
	Do(t *Thread, r *Request) Result
	// Begin is told of a thread that another one has made.
	Begin(t *Thread)
	// Declare is told of a location that a thread has made. If it has not started, to read its Init
	// is an error.
	Declare(loc int32, value any, started bool)
}

// Thread is a thread of the running execution. Its coroutine outlives the execution.
type Thread struct {
	ID      int
	Parent  int  // which started it
	Rank    int  // how many the parent started before
	Absent  bool // this execution has not started it
	Ended   bool
	Waits   bool    // it paused in Do, before Request
	Request Request // the access that it makes or waits to make
	Pace    int     // for the Memory
	made    int     // locations
	born    int     // threads that it started
	r       *Runner
	body    func()
	next    func() (struct{}, bool)
	stop    func()
	yield   func(struct{}) bool
	started bool
	aborts  int
}

// Runner runs executions of one program.
type Runner struct {
	Memory  Memory
	Threads []*Thread // of this execution; the first is the main thread
	Current *Thread
	Panic   any // of the execution, which ends with it
	Stack   string

	pool     []*Thread
	aborting bool
	places   [graph.MaxThreads][]int32 // numbers of locations, by the thread that makes them
	Places   []graph.Ref               // by number: who made it, and how many were before
	Names    []string
	slots    map[graph.Ref]int // numbers of threads, by parent and rank
}

// Birth returns where the thread starts if its parent has made that many accesses.
func (t *Thread) Birth(after int) graph.Birth {
	return graph.Birth{Made: true, Parent: t.Parent, After: after, Rank: t.Rank}
}

// Begin starts an execution: body is the main thread.
func (r *Runner) Begin(body func()) {
	r.Threads, r.aborting, r.Panic, r.Stack = r.Threads[:0], false, nil, ""
	r.add(0, body)
}

// add starts a thread with that number. Those with lower numbers that are not there yet are absent.
func (r *Runner) add(n int, body func()) *Thread {
	for len(r.Threads) <= n {
		if len(r.Threads) == len(r.pool) {
			r.pool = append(r.pool, &Thread{ID: len(r.pool), r: r})
		}
		t := r.pool[len(r.Threads)]
		t.Absent, t.Ended, t.Waits = true, true, false
		r.Threads = append(r.Threads, t)
	}
	t := r.Threads[n]
	t.body, t.Absent, t.Ended, t.Waits, t.Pace, t.made, t.born, t.aborts = body, false, false, false, 0, 0, 0, 0
	return t
}

// Go adds a thread that the running one starts. Its number is the same in every execution.
func (r *Runner) Go(body func()) *Thread {
	if r.Current == nil {
		panic("c11: a thread started outside of a running program")
	}
	r.refuse()
	parent := r.Current
	at := graph.At(parent.ID, parent.born)
	n, known := r.slots[at]
	if !known {
		if n = len(r.slots) + 1; n == graph.MaxThreads {
			panic(fmt.Sprintf("c11: more than %d threads", graph.MaxThreads))
		}
		if r.slots == nil {
			r.slots = map[graph.Ref]int{}
		}
		r.slots[at] = n
	}
	t := r.add(n, body)
	t.Parent, t.Rank = parent.ID, parent.born
	parent.born++
	r.Memory.Begin(t)
	return t
}

// Born returns how many threads the running one has started.
func (r *Runner) Born() int { return r.Current.born }

// Do performs an access of the running thread.
func (r *Runner) Do(q Request) Result {
	if r.Current == nil {
		panic("c11: an access outside of a running program")
	}
	r.refuse()
	t := r.Current
	t.Request = q
	return r.Memory.Do(t, &t.Request)
}

// refuse unwinds a thread whose execution is over.
func (r *Runner) refuse() {
	if r.aborting {
		r.Current.abort()
	}
}

// Location returns the number of a location that the running thread makes. It is the same in every
// execution.
func (r *Runner) Location(name string) int32 {
	t := r.Current
	if t == nil {
		panic("c11: a location made outside of a running program")
	}
	of := &r.places[t.ID]
	if t.made == len(*of) {
		*of = append(*of, int32(len(r.Names)))
		r.Names = append(r.Names, name)
		r.Places = append(r.Places, graph.At(t.ID, t.made))
	}
	t.made++
	return (*of)[t.made-1]
}

// Static reports whether locations made now are there before all threads.
func (r *Runner) Static() bool { return len(r.Threads) == 1 }

// Resume runs a thread until it pauses or ends.
func (r *Runner) Resume(t *Thread) {
	if t.next == nil {
		t.next, t.stop = iter.Pull(t.loop)
	}
	r.Current = t
	t.next()
	r.Current = nil
}

// Pause, called in Do, gives control back to where Resume was called.
func (t *Thread) Pause() {
	t.Waits = true
	t.yield(struct{}{})
	t.Waits = false
	if t.r.aborting {
		t.abort()
	}
}

func (t *Thread) loop(yield func(struct{}) bool) {
	t.yield = yield
	for {
		t.run()
		if !yield(struct{}{}) {
			return
		}
	}
}

type abortion struct{}

func (abortion) String() string {
	return "c11: the execution is over; this panic unwinds its threads and must not be recovered"
}

func (t *Thread) run() {
	returned := false
	t.started = true
	defer func() {
		t.started, t.Ended, t.body = false, true, nil
		v := recover()
		if v == nil && !returned {
			t.next, t.stop = nil, nil
			v = "runtime.Goexit (as testing.T.FailNow calls it)"
		}
		if returned || t.r.aborting {
			return
		}
		t.r.Panic, t.r.Stack = v, stack()
	}()
	t.body()
	returned = true
}

func (t *Thread) abort() {
	t.aborts++
	if t.aborts > maxAborts {
		runtime.Goexit()
	}
	panic(abortion{})
}

// Abort unwinds the threads that have not ended.
func (r *Runner) Abort() {
	r.aborting = true
	for _, t := range r.Threads {
		if t.started {
			r.Resume(t)
		}
	}
}

// Close ends the coroutines.
func (r *Runner) Close() {
	r.Abort()
	for _, t := range r.pool {
		if t.stop != nil {
			t.stop()
		}
	}
}

// stack returns the frames of the running goroutine that are code of the program.
func stack() string {
	var b strings.Builder
	var pcs [64]uintptr
	frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs[:])])
	for {
		f, more := frames.Next()
		if f.Function != "" && !Internal(&f) {
			fmt.Fprintf(&b, "%s (%s:%d)\n", f.Function, f.File, f.Line)
		}
		if !more {
			return b.String()
		}
	}
}

// Internal reports whether a frame is of the runtime or of the packages that run programs.
func Internal(f *runtime.Frame) bool {
	if strings.HasPrefix(f.Function, "runtime.") || strings.HasPrefix(f.Function, "iter.") {
		return true
	}
	rest, ok := strings.CutPrefix(f.Function, "github.com/linsat/linsat/")
	return ok && (strings.HasPrefix(rest, "internal/relaxed/") || strings.HasPrefix(rest, "explore/c11.")) &&
		!strings.HasSuffix(f.File, "_test.go")
}
