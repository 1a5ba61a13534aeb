package sync

import (
	real "sync"
	"unsafe"

	"github.com/linsat/linsat/explore/shim/internal/core"
	"github.com/linsat/linsat/internal/schedule"
)

// WaitGroup waits for goroutines to end.
type WaitGroup struct {
	real    real.WaitGroup
	counter core.Cell[int]
	// first is written atomically by an Add to a counter of 0, and read plainly by Wait: to the
	// race detector, the two are a race unless they are ordered, as the documentation asks for, and
	// no others are.
	first int32
}

func (g *WaitGroup) in(x *schedule.Running) int32 {
	return g.counter.In(x, nil, "wait group", func() int { return 0 })
}

// none is open while the counter is 0.
type none WaitGroup

func (g *none) Open() bool { return g.counter.V == 0 }

// Add adds delta to the counter. It panics if the counter becomes negative.
func (g *WaitGroup) Add(delta int) {
	x := core.Running()
	if x == nil {
		g.real.Add(delta)
		return
	}
	if !x.Point(schedule.Signal, g.in(x), schedule.NoLocation, nil) {
		return
	}
	if delta < 0 {
		core.ReleaseMerge(g.counter.At())
	}
	x.Traced(g.counter.V, g.counter.V+delta)
	if g.counter.V += delta; delta > 0 && g.counter.V == delta {
		schedule.WrittenAtomically(unsafe.Pointer(&g.first), unsafe.Sizeof(g.first))
	}
	if g.counter.V < 0 {
		panic("sync: negative WaitGroup counter")
	}
}

// Done subtracts 1 from the counter.
func (g *WaitGroup) Done() { g.Add(-1) }

// Wait blocks until the counter is 0.
func (g *WaitGroup) Wait() {
	x := core.Running()
	if x == nil {
		g.real.Wait()
		return
	}
	schedule.ReadPlainly(unsafe.Pointer(&g.first))
	x.Point(schedule.Await, g.in(x), schedule.NoLocation, (*none)(g))
	core.Acquire(g.counter.At())
	x.Traced(0, 0)
}

// Go runs f in a goroutine, and counts it until it ends.
func (g *WaitGroup) Go(f func()) {
	x := core.Running()
	if x == nil {
		g.real.Go(core.Astray(f))
		return
	}
	g.Add(1)
	x.Spawn(func() {
		defer g.Done()
		f()
	})
}
