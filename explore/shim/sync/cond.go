package sync

import (
	real "sync"
	"unsafe"

	"github.com/linsat/linsat/explore/shim/internal/core"
	"github.com/linsat/linsat/internal/schedule"
)

// Cond is a condition variable. Waiters wake in the order in which they began to wait.
type Cond struct {
	L Locker

	once    real.Once
	real    *real.Cond
	self    *Cond // of a Cond that was used
	waiters core.Cell[[]*waiter]
}

// waiter is a goroutine that waits; it is open once it is woken.
type waiter struct{ awake bool }

func (w *waiter) Open() bool { return w.awake }

// NewCond returns a condition variable with the lock l.
func NewCond(l Locker) *Cond { return &Cond{L: l} }

func (c *Cond) outside() *real.Cond {
	c.once.Do(func() { c.real = real.NewCond(c.L) })
	return c.real
}

// in returns the location of the condition variable. It panics if that was copied.
func (c *Cond) in(x *schedule.Running) int32 {
	if c.self != nil && c.self != c {
		panic("sync.Cond is copied")
	}
	c.self = c
	return c.waiters.In(x, nil, "cond", func() []*waiter { return nil })
}

// Wait unlocks c.L, waits to be woken, and locks c.L.
func (c *Cond) Wait() {
	x := core.Running()
	if x == nil {
		c.outside().Wait()
		return
	}
	loc := c.in(x)
	x.Point(schedule.Update, loc, schedule.NoLocation, nil)
	w := &waiter{}
	x.Traced(len(c.waiters.V), len(c.waiters.V)+1)
	c.waiters.V = append(c.waiters.V, w)
	c.L.Unlock()
	x.Point(schedule.Acquire, loc, schedule.NoLocation, w)
	core.Acquire(unsafe.Pointer(w))
	c.L.Lock()
}

// Signal wakes the first waiter, if there is one.
func (c *Cond) Signal() {
	if x := core.Running(); x != nil {
		c.wake(x, 1)
		return
	}
	c.outside().Signal()
}

// Broadcast wakes all waiters.
func (c *Cond) Broadcast() {
	if x := core.Running(); x != nil {
		c.wake(x, int(^uint(0)>>1))
		return
	}
	c.outside().Broadcast()
}

func (c *Cond) wake(x *schedule.Running, most int) {
	if !x.Point(schedule.Signal, c.in(x), schedule.NoLocation, nil) {
		return
	}
	n := min(most, len(c.waiters.V))
	x.Traced(len(c.waiters.V), len(c.waiters.V)-n)
	for _, w := range c.waiters.V[:n] {
		core.ReleaseMerge(unsafe.Pointer(w))
		w.awake = true
	}
	c.waiters.V = c.waiters.V[n:]
}
