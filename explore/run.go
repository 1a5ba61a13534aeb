package explore

import (
	"errors"
	"fmt"
	"runtime"
	"sync/atomic"
	"time"

	"github.com/linsat/linsat/explore/mem"
	"github.com/linsat/linsat/internal/schedule"
)

// Options bounds a Run. The zero value is fine.
type Options struct {
	MaxSteps int // accesses of one execution, beyond which it is cut off; 0: 10,000
	// OpSteps is how many accesses of one operation of a thread are explored: where it would make
	// another one, it stops for good, and the others go on. So loops that write, and would go round
	// for ever, have an end, and "every schedule" is every one within that bound. 0: no bound.
	OpSteps int
	MaxRuns int           // executions, pruned ones included; 0: no bound
	MaxTime time.Duration // of the whole Run; 0: no bound
	Trace   bool          // fill Execution.Events, at some cost
	// SetUps is how many combinations of the choices that operations make before the threads run
	// are tried, beginning with the choice 0 everywhere; those after the threads are then drawn for
	// each execution. 0: all combinations of both, which may be far more than the threads need.
	SetUps int

	rereads   int  // for tests; 0: the constant
	backwards bool // the last thread starts first
	// Hang is how long one execution may go without an access before Run gives up on it: a thread
	// computes for ever, or blocks outside of package mem. 0: 10 s. What hangs can't be stopped;
	// its goroutine stays until it comes back by itself.
	Hang time.Duration
}

// check refuses bounds below zero.
func (o Options) check() error {
	for _, bound := range []struct {
		name  string
		value int64
	}{{"MaxSteps", int64(o.MaxSteps)}, {"OpSteps", int64(o.OpSteps)}, {"MaxRuns", int64(o.MaxRuns)},
		{"MaxTime", int64(o.MaxTime)}, {"Hang", int64(o.Hang)}, {"SetUps", int64(o.SetUps)}} {
		if bound.value < 0 {
			return fmt.Errorf("options: %s is negative", bound.name)
		}
	}
	return nil
}

// Stats describes what a Run did.
type Stats struct {
	Executions int // visited
	Pruned     int // ended by the strategy
	Outcomes   [schedule.Outcomes]int
	Steps      int64 // accesses, pruned executions included
	Elapsed    time.Duration
	// Complete reports whether the strategy finished: it covered all that it promises.
	Complete bool
	Stopped  string // why it did not finish: "runs", "time", "visit"
}

// runner is a Run.
type runner struct {
	x        Exec
	visit    func(*Execution) bool
	stats    Stats
	deadline time.Time
	runs     int
	finished schedule.Finished

	beat   atomic.Int64 // counts steps; negative once the watchdog gave up
	aside  atomic.Bool  // a visit runs, for which the watchdog waits
	within bool         // an execution has begun and not ended
	done   bool
	rescue any // panic of visit, strategy
}

// Run runs the program under one schedule after the other, as the strategy chooses, and calls visit
// after each. It stops when the strategy is done, at a bound, or when visit returns false. A panic
// of a thread is an outcome, not an error. Errors are: a program that is not deterministic
// (*Nondeterministic), one that hangs (*Hang), a schedule that does not fit, and a negative bound.
// visit runs on a goroutine of Run's; if it panics or calls runtime.Goexit, so does Run.
func Run(p Program, s Strategy, o Options, visit func(*Execution) bool) (Stats, error) {
	if p == nil || s == nil || visit == nil {
		return Stats{}, errors.New("explore: Run needs a program, a strategy and a function to visit what happened")
	}
	if err := o.check(); err != nil {
		return Stats{}, err
	}
	if o.MaxSteps == 0 {
		o.MaxSteps = defaultMaxSteps
	}
	if o.Hang == 0 {
		o.Hang = defaultHang
	}
	r := &runner{visit: visit}
	r.x = Exec{program: p, strategy: schedule.Full(s), options: o, runner: r, rereads: rereads}
	if o.rereads > 0 {
		r.x.rereads = o.rereads
	}
	r.x.placed, _ = r.x.strategy.(schedule.Placed)
	r.x.main = newThread(&r.x, schedule.Main)
	start := time.Now()
	if o.MaxTime > 0 {
		r.deadline = start.Add(o.MaxTime)
	}
	ended := make(chan struct{}, 1)
	goexit := false
	drive := func() {
		defer func() { ended <- struct{}{} }()
		r.drive()
	}
	go drive()
	watch := time.NewTicker(o.Hang)
	defer watch.Stop()
	beat := int64(-1)
	for running := true; running; {
		select {
		case <-ended:
			switch {
			case r.done:
				running = false
			case r.x.current != r.x.main || r.within && (r.x.halted || r.x.phase == ending):
				// A thread called Goexit, or After, or serial code that is over. It ended its
				// driver, too.
				r.x.current = r.x.main
				go drive()
			default:
				running, goexit = false, true
			}
		case <-watch.C:
			now := r.beat.Load()
			if now == beat && !r.aside.Load() && r.beat.CompareAndSwap(now, -1<<62) {
				return Stats{}, r.hang()
			}
			beat = now
		}
	}
	r.close()
	r.stats.Elapsed = time.Since(start)
	if r.rescue != nil {
		panic(r.rescue)
	}
	if goexit {
		runtime.Goexit()
	}
	return r.stats, r.x.failure
}

// drive runs executions until the Run is over or a Goexit ends the goroutine.
func (r *runner) drive() {
	hide()
	defer show()
	defer func() {
		if v := recover(); v != nil {
			r.rescue = v
			r.done = true
		}
	}()
	for {
		if !r.within && !r.begin() {
			break
		}
		r.x.unwind()
		if !r.end() {
			break
		}
	}
	r.done = true
}

// begin runs one execution, except for its end.
func (r *runner) begin() bool {
	if !r.x.strategy.Begin() {
		r.stats.Complete = true
		return false
	}
	if !r.deadline.IsZero() && time.Now().After(r.deadline) {
		r.stats.Stopped = "time"
		return false
	}
	if most := r.x.options.MaxRuns; most > 0 && r.runs >= most {
		r.stats.Stopped = "runs"
		return false
	}
	r.runs++
	r.within = true
	r.x.execute()
	return true
}

// end passes an execution to the strategy and the visitor, and reports whether to continue.
func (r *runner) end() bool {
	r.within = false
	x := &r.x
	if x.failure != nil {
		return false
	}
	r.stats.Steps += int64(len(x.accesses))
	e := &x.execution
	e.Steps = len(x.accesses)
	e.stopped, e.abrupt, e.crowded, e.time, e.accesses = x.stopped, x.abrupt, x.crowded, x.time, x.accesses
	r.finished.Outcome, r.finished.Pruned, r.finished.Abrupt, r.finished.Accesses = e.Outcome, x.pruned,
		x.abrupt, x.accesses
	x.strategy.End(&r.finished)
	if x.pruned {
		r.stats.Pruned++
		return true
	}
	r.stats.Executions++
	r.stats.Outcomes[e.Outcome]++
	r.aside.Store(true)
	show()
	on := r.visit(e)
	hide()
	r.aside.Store(false)
	r.beats()
	switch {
	case !on:
		r.stats.Stopped = "visit"
	case e.Outcome == TimedOut:
		// What follows the cut is unknown, so the exploration is incomplete whatever the strategy
		// says.
		r.stats.Stopped = "time"
	}
	return r.stats.Stopped == ""
}

// execute runs the program and its threads to the end of the execution; threads may then be in the
// middle of an operation.
func (x *Exec) execute() {
	x.reset()
	x.phase = building
	x.runner.beats()
	if !x.serially(func() { x.program(x) }) {
		return
	}
	x.phase = starting
	x.state.Live = 1<<uint(len(x.threads)) - 1
	for i := range x.threads {
		if x.options.backwards {
			i = len(x.threads) - 1 - i
		}
		x.runner.beats()
		x.threads[i].resume()
		if x.over {
			return
		}
	}
	x.phase = running
	for !x.over {
		if x.chosen < 0 {
			x.decide()
			continue
		}
		x.threads[x.chosen].resume()
	}
	if x.execution.Outcome != Completed || x.pruned {
		return
	}
	x.phase = ending
	x.runner.beats()
	for _, f := range x.after {
		if !x.serially(f) {
			return
		}
	}
}

// serially runs code of process main, and reports whether it finished.
func (x *Exec) serially(f func()) (ended bool) {
	defer func() {
		v := recover()
		switch {
		case x.halted: // whatever became of the panic on its way
			x.over, ended = true, false
		case v == nil && !ended && x.phase == ending:
			x.panicked(goexit, userStack())
		case v != nil:
			x.panicked(v, userStack())
		}
	}()
	if racing {
		show()
		happensAfter(&x.ended)
		defer func() {
			happensBefore(&x.begun)
			happensBefore(&x.ended)
			hide()
		}()
	}
	f()
	return true
}

func (x *Exec) reset() {
	x.memory = schedule.NewMemory((*scheduler)(x), x.options.Trace).(*mem.Memory)
	x.main.reset(nil)
	x.current = x.main
	x.threads = x.threads[:0]
	x.after = x.after[:0]
	x.chosen, x.over, x.pruned, x.halted, x.mainSteps = -1, false, false, false, 0
	x.stopped, x.abrupt, x.crowded = false, false, false
	x.state = schedule.State{Prev: -1, Pending: x.state.Pending[:0]}
	x.gates, x.waits = x.gates[:0], x.waits[:0]
	x.gated, x.waiting, x.own, x.blocked, x.spins, x.idle = 0, 0, 0, 0, 0, 0
	x.time, x.polled, x.passes = &schedule.Clock{}, 0, 0
	clear(x.written)
	x.accesses = x.accesses[:0]
	x.clock = 0
	x.drawn.before, x.drawn.made = false, 0
	e := &x.execution
	clear(e.Ops)
	e.Outcome, e.Panic, e.PanicOp, e.Stack, e.initial = Completed, nil, nil, "", nil
	e.Schedule, e.Ops, e.Events, e.Waiting = e.Schedule[:0], e.Ops[:0], e.Events[:0], e.Waiting[:0]
	x.memo.begin()
}

// unwind ends all threads that have not ended: deferred functions run, and their accesses to shared
// memory have no effect.
func (x *Exec) unwind() {
	if x.phase != aborting {
		f := &x.runner.finished
		f.Live, f.Own, f.Blocked = x.state.Live, x.own, x.blocked
		f.Pending = append(f.Pending[:0], x.state.Pending...)
		for i, g := range x.gates {
			if g, ok := g.(schedule.Timed); ok && schedule.Has(f.Live, i) {
				f.Pending[i].Since = since(g)
			}
		}
		x.phase = aborting
	}
	for _, t := range x.threads {
		if t.started {
			t.resume()
		}
	}
	x.phase = idle
}

// close ends the coroutines.
func (r *runner) close() {
	for _, t := range r.x.pool {
		if t.stop != nil {
			t.stop()
		}
	}
}
