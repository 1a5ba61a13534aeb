package mem

import (
	"fmt"
	"math/rand/v2"
	"runtime"

	"github.com/linsat/linsat/internal/schedule"
)

// Memory is the shared memory of one execution. A Memory serves one goroutine at a time, but for
// that of Parallel.
type Memory struct {
	sched   schedule.Scheduler
	tracing bool
	naming  bool
	locs    int32
	names   []string
	text    texts
	par     *parallel // nil but for Parallel
}

// New makes a memory without a scheduler: all operations happen at once, and one that would block
// panics; so an object can be used in an ordinary test.
func New() *Memory { return &Memory{} }

// Package explore makes memories through internal/schedule. tracing requests names of locations and
// values of accesses.
func init() {
	schedule.NewMemory = func(s schedule.Scheduler, tracing bool) any { return &Memory{sched: s, tracing: tracing} }
}

// Choose returns a number from 0 to n-1, chosen by the strategy and part of the schedule: for
// random dequeues, spurious failures, time-outs. Without scheduler it is 0.
func (m *Memory) Choose(n int) int {
	if n < 1 {
		panic(fmt.Sprintf("mem: Choose(%d): want at least 1", n))
	}
	switch {
	case n == 1:
		return 0
	case m.par != nil:
		return rand.IntN(n)
	case m.sched == nil:
		return 0
	}
	return m.sched.Choose(n)
}

// Yield belongs in every spin loop: the thread continues only after every other thread that can run
// has run.
func (m *Memory) Yield() {
	switch {
	case m.par != nil:
		runtime.Gosched()
	case m.sched != nil:
		m.sched.Yield()
	}
}

// Spin belongs at the end of a loop that does nothing but read one or two variables until they
// change: the thread continues only once another one has written one of them. A compare-and-swap
// that fails is a read, and a lock that is taken and given back counts as a variable.
func (m *Memory) Spin() {
	switch {
	case m.par != nil:
		runtime.Gosched()
	case m.sched != nil:
		m.sched.Spin()
	}
}

// KeepNames keeps names of locations without tracing. It must be called before the first variable
// is made.
func (m *Memory) KeepNames() { m.naming = true }

// Name returns the name of a location; it needs tracing or KeepNames.
func (m *Memory) Name(loc int32) string {
	if loc < 0 || int(loc) >= len(m.names) {
		return ""
	}
	return m.names[loc]
}

func (m *Memory) location(name string) int32 {
	if m.tracing || m.naming {
		m.names = append(m.names, name)
	}
	if m.par != nil {
		return m.par.locs.Add(1) - 1
	}
	m.locs++
	return m.locs - 1
}

func (m *Memory) point(k schedule.Kind, loc, loc2 int32, gate schedule.Gate) bool {
	return m.access(schedule.Access{Loc: loc, Loc2: loc2, Op: -1, Kind: k}, gate)
}

// variable is the point of a load or a store.
func (m *Memory) variable(k schedule.Kind, loc int32, plain bool) {
	m.access(schedule.Access{Loc: loc, Loc2: schedule.NoLocation, Op: -1, Kind: k, Plain: plain}, nil)
}

func (m *Memory) access(a schedule.Access, gate schedule.Gate) bool {
	if m.par != nil {
		m.par.begin(a.Loc, a.Loc2, gate)
		return true
	}
	if m.sched == nil {
		if gate != nil && !gate.Open() {
			panic("mem: the access would block for ever, as no execution is running")
		}
		return true
	}
	return m.sched.Point(m, a, gate)
}

// done ends the operation on the locations that point began.
func (m *Memory) done(loc, loc2 int32) {
	if m.par != nil {
		m.par.end(loc, loc2)
	}
}

func (m *Memory) failed() {
	if m.sched != nil {
		m.sched.Failed()
	}
}
