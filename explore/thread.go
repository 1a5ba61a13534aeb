package explore

import (
	"fmt"
	"runtime"
	"strings"
)

// Thread is one thread of an execution. Its coroutine outlives the execution and runs the thread of
// that number in the next ones.
type Thread struct {
	x    *Exec
	id   int
	body func(*Thread)
	// runs the thread to where it pauses; nil before the first execution and after Goexit
	next  func() (struct{}, bool)
	stop  func()
	yield func(struct{}) bool

	f             string
	key, arg      any
	started       bool  // the body runs or stands in the middle of something
	inside, first bool  // in an operation; which has not made its first access
	op            int32 // position of the operation in Execution.Ops, -1: none
	last          int32 // position of the last access, -1: none
	lastEvent     int
	event         Event // the access before which it stands, if events are traced
	spin          rereading
	accesses      int  // how many it made
	touched       bool // it has made an access to something shared, or a choice
	before        int  // of these, before the operation
	aborts        int  // how often the end of this execution aborted the thread
}

func newThread(x *Exec, id int) *Thread { return &Thread{x: x, id: id} }

func (t *Thread) reset(body func(*Thread)) {
	t.body = body
	t.inside, t.first = false, false
	t.spin.x, t.accesses, t.touched = t.x, 0, false
	t.spin.change()
	t.spin.alone, t.spin.naps, t.spin.look.marked = false, false, false
	t.op, t.last, t.lastEvent, t.aborts = -1, -1, -1, 0
}

// ID returns the number of the thread, from 0 in the order of the calls of Exec.Go.
func (t *Thread) ID() int { return t.id }

// resume runs the thread until it pauses or ends.
func (t *Thread) resume() {
	if t.next == nil {
		t.next, t.stop = pull(t.loop)
	}
	t.x.current = t
	t.next()
	if t.x.runner.beat.Load() < 0 { // it came back after the watchdog had given up on it
		if t.stop != nil {
			t.stop()
		}
		runtime.Goexit()
	}
	t.x.current = t.x.main
}

// pause gives control back to where resume was called.
func (t *Thread) pause() {
	t.yield(struct{}{})
}

// loop is the coroutine: one body after the other, until it is stopped.
func (t *Thread) loop(yield func(struct{}) bool) {
	t.yield = yield
	for {
		t.run()
		if !yield(struct{}{}) {
			return
		}
	}
}

// goexit is the Execution.Panic of a thread that called runtime.Goexit, as testing.T.FailNow does.
const goexit = "runtime.Goexit (as testing.T.FailNow calls it)"

// abortion unwinds a thread, or serial code, whose execution is over.
type abortion struct{}

func (t *Thread) run() {
	returned := false
	t.started = true
	defer func() {
		x := t.x
		t.started, t.body = false, nil
		x.state.Live &^= 1 << uint(t.id)
		x.gated &^= 1 << uint(t.id)
		r := recover()
		if r == nil && !returned { // Goexit ends the coroutine for good
			t.next, t.stop = nil, nil
		}
		if returned || x.phase == aborting {
			return
		}
		if r == nil {
			r = goexit
		}
		x.panicked(r, userStack())
	}()
	t.call()
	returned = true
}

// call runs the body, which the race detector watches, unlike what is around it.
func (t *Thread) call() {
	if racing {
		show()
		happensAfter(&t.x.begun)
		defer func() {
			happensBefore(&t.x.ended)
			hide()
		}()
	}
	t.body(t)
}

func (x *Exec) panicked(value any, stack string) {
	x.over = true
	x.execution.Outcome = Panicked
	x.execution.Panic = value
	x.execution.Stack = stack
	if t := x.current; t.inside && x.phase != asking {
		x.execution.PanicOp = &Op{Thread: t.id, F: t.f, Key: t.key, Arg: t.arg, Call: -1, Return: -1}
		if !t.first {
			x.execution.PanicOp.Call = x.execution.Ops[t.op].Call
		}
	}
}

// abort unwinds the thread.
func (t *Thread) abort() {
	t.aborts++
	if t.aborts > maxAborts {
		runtime.Goexit()
	}
	panic(abortion{})
}

func (abortion) String() string {
	return "explore: the execution is over; this panic unwinds its threads and must not be recovered"
}

// userStack returns the frames of the running goroutine that are code of the object or of the test,
// innermost first, as "function (file:line)" lines.
func userStack() string {
	var b strings.Builder
	var pcs [64]uintptr
	frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs[:])])
	for {
		f, more := frames.Next()
		if f.Function != "" && !engineFrame(&f) {
			fmt.Fprintf(&b, "%s (%s:%d)\n", f.Function, f.File, f.Line)
		}
		if !more {
			return b.String()
		}
	}
}
