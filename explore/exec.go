package explore

import (
	"fmt"
	"runtime"
	"strings"

	"github.com/linsat/linsat/explore/mem"
	"github.com/linsat/linsat/internal/schedule"
)

// Exec is an execution that is being built or runs.
type Exec struct {
	program  Program
	strategy schedule.Strategy
	options  Options
	runner   *runner

	placed  schedule.Placed // the strategy, if it wants to know where threads stand, or nil
	memory  *mem.Memory
	main    *Thread
	threads []*Thread // those of this execution; pool keeps the rest
	pool    []*Thread
	after   []func()

	phase   phase
	current *Thread // the one whose code runs; main between
	chosen  int     // the thread that makes the next access, -1: not decided
	over    bool    // no further access takes place
	halted  bool    // serial code is ended, and unwinds
	pruned  bool
	failure error // the strategy or the program broke the rules

	state    schedule.State
	gates    []schedule.Gate // by thread, nil: not blocked
	waits    []uint64        // by thread: which others it lets go first
	gated    uint64          // threads with a gate
	waiting  uint64          // threads with a non-empty wait set
	spins    uint64          // threads blocked because they read the same again and again
	rereads  int             // how often they may
	idle     int             // accesses in a row of threads that were blocked so, and went on
	written  []changes       // by location
	stopped  bool            // a thread has reached the bound on the accesses of an operation
	abrupt   bool            // the bound on steps ended the execution, or that on threads
	crowded  bool            // it has no thread for what one of them starts
	own      uint64          // threads of the object's own, which need not end
	time     *schedule.Clock
	polled   uint64 // threads that have yielded since time passed
	passes   int    // how often it has since a thread that has to end has made an access
	accesses []schedule.Access
	blocked  uint64

	clock     int32
	mainSteps int // of serial code
	// for the race detector: the threads begin after the program, what follows after the threads
	begun, ended byte
	drawn        drawn
	execution    Execution
	memo         memo
}

type phase uint8

const (
	idle     phase = iota
	building       // the program runs
	starting       // threads run to their first access
	running
	asking   // a gate reports whether it is open
	ending   // After runs
	aborting // threads unwind
)

// scheduler is an Exec as package mem sees it.
type scheduler Exec

func (s *scheduler) Point(m any, a schedule.Access, gate schedule.Gate) bool {
	if racing {
		hide()
		defer show()
	}
	return (*Exec)(s).point(m, a, gate)
}
func (s *scheduler) Failed()                     { (*Exec)(s).failed() }
func (s *scheduler) Traced(before, after string) { (*Exec)(s).traced(before, after) }
func (s *scheduler) Choose(n int) int {
	if racing {
		hide()
		defer show()
	}
	return (*Exec)(s).choose(n)
}
func (s *scheduler) Yield() {
	if racing {
		hide()
		defer show()
	}
	(*Exec)(s).yield()
}
func (s *scheduler) Spin() {
	if racing {
		hide()
		defer show()
	}
	if x := (*Exec)(s); x.current.id != schedule.Main && !x.unwinds(x.current) {
		x.current.spin.spins()
	}
}
func (s *scheduler) Rounds() {
	if t := s.current; t.id != schedule.Main {
		t.spin.look.marked = true
		t.spin.look.begin()
	}
}
func (s *scheduler) Nap() func() bool {
	if t := s.current; t.id != schedule.Main && !(*Exec)(s).unwinds(t) {
		return t.spin.nap()
	}
	return nil
}
func (s *scheduler) Crowded()               { s.crowded = true }
func (s *scheduler) Thread() int            { return s.current.id }
func (s *scheduler) Clock() *schedule.Clock { return s.time }

// Memory returns the memory of this execution.
func (x *Exec) Memory() *mem.Memory { return x.memory }

// Go adds a thread. It is called by the Program, before the threads run.
func (x *Exec) Go(body func(t *Thread)) {
	if x.phase != building {
		panic("explore: Go outside of the program")
	}
	n := len(x.threads)
	if n == schedule.MaxThreads {
		panic(fmt.Sprintf("explore: more than %d threads", schedule.MaxThreads))
	}
	if n == len(x.pool) {
		x.pool = append(x.pool, newThread(x, n))
	}
	t := x.pool[n]
	t.reset(body)
	x.threads = append(x.threads, t)
	x.state.Pending = append(x.state.Pending, schedule.Access{})
	x.gates = append(x.gates, nil)
	x.waits = append(x.waits, 0)
	x.runner.beats()
}

// Background adds a thread of the object's own, which performs no operation. The execution ends
// when the others have ended and no thread of its own can go on. It is called as Go is.
func (x *Exec) Background(body func()) {
	x.own |= 1 << uint(len(x.threads))
	x.Go(func(*Thread) { body() })
}

// SetInitial states the initial state of the specification. It is called by the Program.
func (x *Exec) SetInitial(state any) { x.execution.initial = state }

// After adds a function that runs serially once all threads have ended.
func (x *Exec) After(f func()) {
	if x.phase != building {
		panic("explore: After outside of the program")
	}
	x.after = append(x.after, f)
}

// Do performs an operation serially, as process "main": in the Program, before the threads run, or
// in After.
func (x *Exec) Do(f string, arg any, body func() any) any { return x.main.Do(f, arg, body) }

// DoKey is Do on the object of that key.
func (x *Exec) DoKey(key any, f string, arg any, body func() any) any {
	return x.main.DoKey(key, f, arg, body)
}

// Do performs an operation: body does the work and returns the result. The operation is called in
// the step of its first access and returns in the step of its last one.
func (t *Thread) Do(f string, arg any, body func() any) any {
	return t.DoKey(nil, f, arg, body)
}

// DoKey is Do on the object of that key, nil for none.
func (t *Thread) DoKey(key any, f string, arg any, body func() any) any {
	t.key = key
	t.open(f, arg)
	result := body()
	if racing {
		hide()
		defer show()
	}
	t.close(result)
	return result
}

func (x *Exec) call(t *Thread, instance Instance, c Call) {
	t.key = nil
	t.open(c.F, c.Arg)
	t.close(instance(c.F, c.Arg))
}

func (t *Thread) open(f string, arg any) {
	switch {
	case t.inside:
		panic("explore: operation " + f + " inside of operation " + t.f)
	case t != t.x.current:
		panic("explore: operation " + f + " of a thread that does not run")
	}
	t.f, t.arg, t.before = f, arg, t.accesses
	t.inside, t.first = true, true
	if t.id == schedule.Main {
		t.called()
	}
}

// called records the call of the open operation.
func (t *Thread) called() {
	x := t.x
	e := &x.execution
	t.op = int32(len(e.Ops))
	t.first = false
	e.Ops = append(e.Ops, Op{Thread: t.id, F: t.f, Key: t.key, Arg: t.arg, Call: x.clock, Return: -1})
	x.clock++
}

func (t *Thread) close(result any) {
	x := t.x
	if x.unwinds(t) {
		t.abort()
	}
	if t.first {
		x.point(x.memory, schedule.Access{Loc: schedule.NoLocation, Loc2: schedule.NoLocation, Kind: schedule.Local},
			nil)
	}
	o := &x.execution.Ops[t.op]
	o.Result = result
	o.Return = x.clock
	x.time.Returned(t.id)
	o.apart = t.id != schedule.Main && !t.touched && !x.main.touched
	x.clock++
	if t.id != schedule.Main {
		x.accesses[t.last].Last = true
		if x.options.Trace {
			schedule.Inside(&x.execution.Events[t.lastEvent].Access).Last = true
		}
	}
	t.op, t.inside = -1, false
}

// point stops the running thread before an access until the strategy lets it go on.
func (x *Exec) point(m any, a schedule.Access, gate schedule.Gate) bool {
	if m != any(x.memory) {
		panic("explore: a variable of another execution")
	}
	x.notAsking()
	t := x.current
	if x.unwinds(t) {
		if a.Kind == schedule.Unlock || a.Kind == schedule.ReadUnlock || a.Kind == schedule.Release ||
			a.Kind == schedule.Signal {
			return false
		}
		t.abort()
	}
	id := t.id
	if id == schedule.Main {
		return x.mainPoint(a, gate)
	}
	a.Thread, a.First, a.Op = int32(id), t.first, t.op
	x.spins &^= 1 << uint(id)
	if !t.first && t.spin.waits(&a, gate) {
		gate = &t.spin
		x.spins |= 1 << uint(id)
	}
	x.state.Pending[id] = a
	x.gates[id] = gate
	if gate != nil {
		x.gated |= 1 << uint(id)
	} else {
		x.gated &^= 1 << uint(id)
	}
	if most := x.options.OpSteps; most > 0 && t.inside && t.accesses-t.before >= most {
		x.stopped = true
		x.state.Live &^= 1 << uint(id)
	}
	if x.options.Trace {
		t.event = x.eventAt(t, a)
	}
	if x.placed != nil {
		x.placed.Stands(id, site)
	}
	if x.phase == starting {
		t.pause()
	} else if x.decide(); x.chosen != id {
		t.pause()
	}
	if x.phase == aborting {
		t.abort()
	}
	x.grant(t)
	return true
}

// notAsking panics if the predicate of an Await uses shared memory.
func (x *Exec) notAsking() {
	if x.phase == asking {
		panic("explore: the predicate of an Await uses shared memory")
	}
}

// grant lets t make its pending access.
func (x *Exec) grant(t *Thread) {
	if t.first {
		t.called()
	}
	a := &x.state.Pending[t.id]
	a.Op = t.op
	a.Enabled = x.state.Enabled | x.state.Held
	if g, ok := x.gates[t.id].(schedule.Timed); ok {
		a.Since = since(g)
		t.spin.change()
	}
	if !schedule.Has(x.own, t.id) {
		x.passes = 0
	}
	x.polled &^= 1 << uint(t.id)
	a.Yields = schedule.Has(x.spins, t.id) && !t.spin.Open()
	switch {
	case a.Yields:
		x.idle++
		t.spin.alone = t.spin.locked
	case !t.spin.alone || a.Kind == schedule.Write || a.Kind == schedule.Update:
		x.idle, t.spin.alone = 0, false
	}
	x.time.Accessed(a, a.Yields || t.last >= 0 && x.accesses[t.last].Yields)
	t.spin.accessed(a)
	if t.spin.naps {
		t.spin.slept()
	}
	t.accesses++
	t.touched = t.touched || a.Kind != schedule.Local
	t.last = int32(len(x.accesses))
	x.accesses = append(x.accesses, *a)
	x.chosen = -1
	if x.options.Trace {
		t.lastEvent = len(x.execution.Events)
		t.event.Access, t.event.Op = schedule.Record(*a), int(t.op)
		x.execution.Events = append(x.execution.Events, t.event)
	}
	x.runner.beats()
}

// unwinds reports whether accesses of t to shared memory have no effect, because its execution is
// over.
func (x *Exec) unwinds(t *Thread) bool {
	if t.id == schedule.Main {
		return x.halted
	}
	return x.phase == aborting
}

// mainPoint is an access of serial code, which no strategy schedules. If it would block, or is one
// too many, the execution is over.
func (x *Exec) mainPoint(a schedule.Access, gate schedule.Gate) bool {
	if gate != nil && !gate.Open() {
		x.halt(Stuck)
	}
	x.mainStep()
	if x.options.Trace && x.main.inside {
		a.Thread, a.Op, a.Enabled = schedule.Main, x.main.op, 0
		x.execution.Events = append(x.execution.Events, x.eventAt(x.main, a))
	}
	return true
}

// mainStep counts what serial code does to shared memory.
func (x *Exec) mainStep() {
	x.mainSteps++
	x.runner.beats()
	if x.mainSteps > x.options.MaxSteps {
		x.abrupt = true
		x.halt(CutOff)
	}
}

// halt ends the execution in the middle of serial code: its deferred functions run, and their
// accesses to shared memory have no effect, as in threads.
func (x *Exec) halt(o Outcome) {
	x.halted = true
	x.execution.Outcome = o
	x.main.abort()
}

// failed records that the update that has just happened wrote nothing.
func (x *Exec) failed() {
	if t := x.current; t.id != schedule.Main {
		a := &x.accesses[t.last]
		a.Kind, a.Failed = schedule.Read, true
		x.time.Failed(a)
		t.spin.failed(a)
	}
	if n := len(x.execution.Events); x.options.Trace && n > 0 && x.recording() {
		a := schedule.Inside(&x.execution.Events[n-1].Access)
		a.Kind, a.Failed = schedule.Read, true
	}
}

// recording reports whether the running code makes events.
func (x *Exec) recording() bool { return x.current.id != schedule.Main || x.main.inside }

// traced records the values of the access that has just happened.
func (x *Exec) traced(before, after string) {
	if n := len(x.execution.Events); n > 0 && x.recording() {
		e := &x.execution.Events[n-1]
		e.Before, e.After = before, after
	}
}

// choose makes a data choice.
func (x *Exec) choose(n int) int {
	x.notAsking()
	if x.unwinds(x.current) {
		x.current.abort()
	}
	x.current.spin.change()
	x.current.touched = true
	v := 0
	if x.draws() {
		v = x.draw(n)
	} else {
		v = x.ask(n)
	}
	x.execution.Schedule = append(x.execution.Schedule, int32(-1-v))
	return v
}

// ask has the strategy make a data choice.
func (x *Exec) ask(n int) int {
	x.memo.check(x, uint64(n)<<1|1)
	v := x.strategy.Choose(n)
	if v < 0 || v >= n {
		x.fail(fmt.Errorf("schedule: choice %d of %d", v, n))
		v = 0
	}
	x.memo.decided(int32(-1 - v))
	return v
}

// yield holds the running thread back until others have run.
func (x *Exec) yield() {
	x.notAsking()
	t := x.current
	if x.unwinds(t) {
		t.abort()
	}
	if t.id == schedule.Main {
		x.mainStep()
		return
	}
	bit := uint64(1) << uint(t.id)
	// nothing happened since the last Yield, or at all: only its own accesses are held back
	if x.waiting&bit != 0 || t.last < 0 {
		x.point(x.memory, schedule.Access{Loc: schedule.NoLocation, Loc2: schedule.NoLocation, Kind: schedule.Local},
			nil)
	}
	if t.last >= 0 {
		x.accesses[t.last].Yields = true
		x.time.Yielded(t.id)
		if x.options.Trace {
			schedule.Inside(&x.execution.Events[t.lastEvent].Access).Yields = true
		}
	}
	t.spin.change()
	x.waits[t.id] = x.state.Live &^ bit
	x.waiting |= bit
	x.polled |= bit
}

// eventAt makes the event of the access before which t stands.
func (x *Exec) eventAt(t *Thread, a schedule.Access) Event {
	e := Event{Access: schedule.Record(a), Thread: t.id, Op: int(t.op), Name: x.memory.Name(a.Loc),
		own: schedule.Has(x.own, t.id)}
	if a.Loc2 >= 0 {
		e.Name += ", " + x.memory.Name(a.Loc2)
	}
	f := caller()
	e.File, e.Line, e.Func = f.File, f.Line, f.Function
	return e
}

// site returns the line of code that is about to make an access.
func site() (file string, line int) {
	f := caller()
	return f.File, f.Line
}

// caller returns the innermost frame of the running thread that is code of the object or of the
// test.
func caller() runtime.Frame {
	var pcs [16]uintptr
	frames := runtime.CallersFrames(pcs[:runtime.Callers(4, pcs[:])])
	for {
		f, more := frames.Next()
		if !engineFrame(&f) {
			return f
		}
		if !more {
			return runtime.Frame{}
		}
	}
}

const here = "github.com/linsat/linsat/explore"

// engineFrame reports whether a frame is of the packages explore, mem and below shim, which objects
// call, and not of their tests, or of the runtime below.
func engineFrame(f *runtime.Frame) bool {
	if strings.HasPrefix(f.Function, "runtime.") || strings.HasPrefix(f.Function, "iter.") ||
		strings.HasPrefix(f.Function, "github.com/linsat/linsat/internal/shimrun.(*") {
		return true
	}
	rest, ok := strings.CutPrefix(f.Function, here)
	return ok && (strings.HasPrefix(rest, ".") || strings.HasPrefix(rest, "/mem.") ||
		strings.HasPrefix(rest, "/shim")) && !strings.HasSuffix(f.File, "_test.go")
}
