//go:build !linsat_native

package c11

import (
	"runtime"

	"github.com/linsat/linsat/internal/relaxed/program"
)

// Program builds objects and starts threads. It is the main thread itself.
type Program func(x *Exec)

// Exec is the execution that a program is part of.
type Exec struct {
	runner *program.Runner
	search program.Search
	trace  bool
	orders func(Site, Order) Order
	frames map[[callers]uintptr]*runtime.Frame
}

// Thread is a thread of an execution.
type Thread struct {
	x  *Exec
	id int
}

// Go starts a thread. What the running thread did before happens before it. There are at most 16
// threads, with main.
func (x *Exec) Go(body func()) *Thread {
	return &Thread{x, x.runner.Go(body).ID}
}

// Join waits for the end of the thread, which happens before what follows.
func (t *Thread) Join() {
	t.x.do(program.Request{Op: program.JoinThread, Arg: t.id})
}

// Thread returns the number of the running thread: 0 is main, the others count from 1. It is the
// same in every execution, and among those that one thread starts in their order.
func (x *Exec) Thread() int { return x.runner.Current.ID }

// Fence is a fence of all memory.
func (x *Exec) Fence(o Order) {
	legal(o, Acquire, Release, AcqRel, SeqCst)
	x.do(program.Request{Op: program.Fence, Order: o})
}

// Choose returns a number from 0 to n-1; every one of them is tried.
func (x *Exec) Choose(n int) int {
	if n < 1 {
		panic("c11: Choose of nothing")
	}
	return x.do(program.Request{Op: program.Choose, Arg: n}).N
}

// Assume ends the thread if ok is false, and makes the execution Blocked: for a spin loop with an
// effect, of which only the last round counts.
func (x *Exec) Assume(ok bool) {
	if !ok {
		x.do(program.Request{Op: program.Assume})
	}
}

// Spin belongs at the end of each round of a loop that waits, of which only the last round counts:
// the thread ends. The execution is Stuck if what the thread has read since its last write was
// written last in each location, and Blocked if another round may read something else. A round may
// take a lock and give it back; without a read behind that the execution is Blocked.
func (x *Exec) Spin() { x.do(program.Request{Op: program.Spin}) }

// Annotate notes something at this place of the running thread, between its accesses. It has no
// effect on memory, and is in Graph.Notes.
func (x *Exec) Annotate(payload any) {
	e := x.search.Execution()
	t := x.Thread()
	e.Notes = append(e.Notes, program.Note{Thread: t, After: len(e.Info[t]), Born: x.runner.Born(),
		Payload: payload})
}

func (x *Exec) do(q program.Request) program.Result {
	if x.trace {
		q.Where = x.where()
	}
	if x.orders != nil {
		x.reorder(&q)
		if q.Op == program.Fence && q.Order == Relaxed {
			return program.Result{}
		}
	}
	return x.runner.Do(q)
}

// location makes a location.
func (x *Exec) location(name string, v any, started bool, o Order) int32 {
	loc := x.runner.Location(name)
	if x.runner.Static() {
		x.search.Declare(loc, v, started)
		return loc
	}
	x.search.Declare(loc, v, false)
	if started {
		op := program.Initialize
		if o == NotAtomic {
			op = program.WriteCell
		}
		x.do(program.Request{Op: op, Order: o, Loc: loc, Value: v})
	}
	return loc
}

// where returns the innermost frame that is not of this package.
func (x *Exec) where() *runtime.Frame {
	var pcs [callers]uintptr
	n := runtime.Callers(3, pcs[:])
	if f, ok := x.frames[pcs]; ok {
		return f
	}
	frames := runtime.CallersFrames(pcs[:n])
	for {
		f, more := frames.Next()
		if program.Internal(&f) && more {
			continue
		}
		x.frames[pcs] = &f
		return &f
	}
}
