package linsattest

import (
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"runtime/debug"
	"sync"
	"time"

	"github.com/linsat/linsat/explore"
	"github.com/linsat/linsat/explore/mem"
	"github.com/linsat/linsat/history"
)

// Run is one run of a check: a new object and the processes that use it.
type Run struct {
	seed      uint64
	rng       *rand.Rand
	recorder  *history.Recorder
	processes []*Process
	finally   []func()
	whole     bool // the key of an operation is a part of its argument
	started   bool
	mayBlock  bool
	skew      time.Duration

	exec    *explore.Exec // under `linsat test`, and in serial runs, in place of the recorder
	turns   *mem.Var[int] // in serial runs of plain go test: what each operation begins with
	without omissions     // operations that are left out, to find a smaller failing program
}

// Process is a goroutine of a run. Its methods are for that goroutine alone.
type Process struct {
	run  *Run
	id   int
	rng  *rand.Rand
	body func(p *Process)

	thread *explore.Thread // under `linsat test`
	done   int             // operations that it has begun there

	mu     sync.Mutex // of what another goroutine reads when the run hangs or has ended
	doing  string     // the operation of Do that is open, "" if there is none
	panics []string   // what panicked, and where
}

// newRun returns a run whose random choices follow from the seed.
func newRun(seed uint64) *Run {
	return &Run{seed: seed, rng: rand.New(rand.NewPCG(seed, 0)), recorder: new(history.Recorder)}
}

// Go adds a process that runs body. The processes start together when the function that was given
// to Check has returned.
func (r *Run) Go(body func(p *Process)) {
	if r.started {
		panic("linsattest: Run.Go was called by a process; add all processes before the function returns")
	}
	id := len(r.processes)
	r.processes = append(r.processes, &Process{run: r, id: id, rng: rand.New(rand.NewPCG(r.seed, uint64(id)+1)),
		body: body})
}

// Finally adds a condition at the end of the run: when all processes have ended, f runs, and may
// fail the test. Where some wait for ever it does not run.
func (r *Run) Finally(f func()) {
	if r.started {
		panic("linsattest: Run.Finally was called by a process; call it before the function returns")
	}
	r.finally = append(r.finally, f)
}

// Rand returns the random numbers of the run's set-up. They follow from the run's seed.
func (r *Run) Rand() *rand.Rand { return r.rng }

// SetInitial states the initial state of the object, as the specification reads it.
func (r *Run) SetInitial(state any) {
	if r.exec != nil {
		r.exec.SetInitial(state)
		return
	}
	r.recorder.SetInitial(state)
}

// Note adds an annotation to the history, after what has happened so far. Any goroutine may call
// it. Under `linsat test` it does nothing.
func (r *Run) Note(text string) {
	if r.exec == nil {
		r.recorder.Note(text)
	}
}

// MayBlock says that operations may not have returned when the time for a run is up, as a take from
// an empty queue: they are pending then, and no failure. Under `linsat test` the specification says
// which operations may wait; with MayBlock, an insertion may besides wait for a removal, as a send
// without a buffer for its receiver, and a process outside of operations.
func (r *Run) MayBlock() { r.mayBlock = true }

// AnyMoment as argument of Skew says that goroutines may take any time.
const AnyMoment time.Duration = math.MaxInt64

// Skew says how long goroutines may take under `linsat test`: a timer whose time is no further off
// comes at any moment, a later one only when no goroutine can go on. Without it they take no time,
// so that time passes only when no goroutine can go on, as in package testing/synctest. Otherwise
// it does nothing.
func (r *Run) Skew(d time.Duration) { r.skew = max(d, 0) }

// ID returns the number of the process, from 0.
func (p *Process) ID() int { return p.id }

// Rand returns the random numbers of the process. They follow from the run's seed.
func (p *Process) Rand() *rand.Rand { return p.rng }

// Do runs body as operation f with an argument, nil if it has none, and records it with the result
// of body. Both are any values but pointers to structs, functions and channels: of an error the
// text counts, of a struct the fields. If body panics, the outcome of the operation is unknown, the
// process ends, and the test fails. The same if it never returns.
func (p *Process) Do(f string, arg any, body func() any) any { return p.DoKey(nil, f, arg, body) }

// DoKey is Do on the object of that key.
func (p *Process) DoKey(key any, f string, arg any, body func() any) any {
	key, arg = value(key), value(arg)
	if p.run.whole && key != nil {
		if key, arg = nil, []any{key, arg}; arg.([]any)[1] == nil {
			arg = arg.([]any)[:1]
		}
	}
	if p.run.exec == nil {
		return p.do(p.run.recorder.CallKey(p.id, key, f, arg), f, body)
	}
	if p.omitted() {
		return nil
	}
	var result any
	p.thread.DoKey(key, f, arg, func() any {
		if p.run.turns != nil {
			p.run.turns.Load()
		}
		result = body()
		return value(result)
	})
	return result
}

// omitted counts an operation, and reports whether it is left out.
func (p *Process) omitted() bool {
	n := p.done
	p.done++
	return p.run.without[place{p.id, n}]
}

// Call records the call of an operation; the handle records its end. It costs less than Do where an
// operation takes some ten nanoseconds. It panics under `linsat test`.
func (p *Process) Call(f string, arg any) history.Handle { return p.recording().Call(p.id, f, arg) }

// CallKey is Call on the object of that key.
func (p *Process) CallKey(key any, f string, arg any) history.Handle {
	return p.recording().CallKey(p.id, key, f, arg)
}

func (p *Process) recording() *history.Recorder {
	if p.run.exec != nil {
		panic("linsattest: Call and CallKey record real time; under `linsat test` use Do and DoKey")
	}
	return p.run.recorder
}

func (p *Process) do(h history.Handle, f string, body func() any) any {
	p.enter(f)
	ended := false
	defer func() {
		if ended {
			return
		}
		h.Abandon()
		if x := recover(); x != nil {
			p.panicked(fmt.Sprintf("operation %s of process %d panicked: %v", f, p.id, x))
			runtime.Goexit()
		}
	}()
	result := body()
	ended = true
	h.Return(value(result))
	p.enter("")
	return result
}

// enter notes which operation is open.
func (p *Process) enter(f string) {
	p.mu.Lock()
	p.doing = f
	p.mu.Unlock()
}

func (p *Process) panicked(what string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.panics = append(p.panics, what+"\n"+string(debug.Stack()))
	p.doing = ""
}

// start runs the processes and waits for them, at most so long. It returns what panicked, and what
// has not ended.
func (r *Run) start(limit time.Duration) (panics, waiting []string) {
	r.started = true
	var ready, done sync.WaitGroup
	ready.Add(len(r.processes))
	begin := make(chan struct{})
	for _, p := range r.processes {
		done.Go(func() {
			defer func() {
				if x := recover(); x != nil {
					p.panicked(fmt.Sprintf("process %d panicked: %v", p.id, x))
				}
			}()
			ready.Done()
			<-begin
			p.body(p)
		})
	}
	ready.Wait()
	close(begin)
	ended := make(chan struct{})
	go func() {
		done.Wait()
		close(ended)
	}()
	timer := time.NewTimer(limit)
	defer timer.Stop()
	hangs := false
	select {
	case <-ended:
	case <-timer.C:
		hangs = true
	}
	for _, p := range r.processes {
		p.mu.Lock()
		panics = append(panics, p.panics...)
		if hangs && p.doing != "" {
			waiting = append(waiting, fmt.Sprintf("operation %s of process %d has not returned after %v",
				p.doing, p.id, limit))
		}
		p.mu.Unlock()
	}
	if !hangs {
		panics = append(panics, r.conclude()...)
	}
	if hangs && len(waiting) == 0 {
		waiting = append(waiting, fmt.Sprintf("the processes have not ended after %v", limit))
	}
	return panics, waiting
}

// conclude runs what Finally has added.
func (r *Run) conclude() (panics []string) {
	defer func() {
		if x := recover(); x != nil {
			panics = append(panics, fmt.Sprintf("Finally panicked: %v\n%s", x, debug.Stack()))
		}
	}()
	for _, f := range r.finally {
		f()
	}
	return nil
}

// begin makes the processes threads of an execution.
func (r *Run) begin(e *explore.Exec) {
	r.started = true
	if len(r.processes) == 0 {
		panic("no process was added: the function must call Run.Go")
	}
	for _, p := range r.processes {
		e.Go(func(t *explore.Thread) {
			p.thread = t
			p.body(p)
		})
	}
	for _, f := range r.finally {
		e.After(f)
	}
}
