package mem

import "github.com/linsat/linsat/internal/schedule"

// Cond is a condition variable. As with that of package sync, waiters wake in the order in which
// they began to wait, and none wakes without a signal.
type Cond struct {
	L       *Mutex
	m       *Memory
	loc     int32
	waiters []*waiter
}

type waiter struct {
	l     *Mutex
	awake bool
}

func (w *waiter) Open() bool { return w.awake && !w.l.held }

// NewCond makes a condition variable of lock l.
func NewCond(m *Memory, name string, l *Mutex) *Cond {
	return &Cond{L: l, m: m, loc: m.location(name)}
}

// Wait releases the lock and begins to wait in one event; acquiring the lock again once it is
// signalled is a second event.
func (c *Cond) Wait() {
	c.m.point(schedule.Wait, c.loc, c.L.loc, nil)
	if !c.L.held {
		c.m.done(c.loc, c.L.loc)
		panic("mem: wait with unlocked mutex")
	}
	w := &waiter{l: c.L}
	c.waiters = append(c.waiters, w)
	c.L.set(false)
	c.m.done(c.loc, c.L.loc)
	c.m.point(schedule.Lock, c.L.loc, c.loc, w)
	c.L.set(true)
	c.m.done(c.loc, c.L.loc)
}

// Signal wakes the first waiter, if there is one.
func (c *Cond) Signal() { c.wake(1) }

// Broadcast wakes all waiters.
func (c *Cond) Broadcast() { c.wake(-1) }

func (c *Cond) wake(n int) {
	if !c.m.point(schedule.Signal, c.loc, schedule.NoLocation, nil) {
		return
	}
	before := len(c.waiters)
	if n < 0 || n > before {
		n = before
	}
	for _, w := range c.waiters[:n] {
		w.awake = true
	}
	c.waiters = c.waiters[n:]
	if c.m.tracing {
		c.m.traced(before, before-n)
	}
	c.m.done(c.loc, schedule.NoLocation)
}

// Semaphore holds a number of permits.
type Semaphore struct {
	m       *Memory
	loc     int32
	permits int
}

// NewSemaphore makes one that holds n permits.
func NewSemaphore(m *Memory, name string, n int) *Semaphore {
	return &Semaphore{m: m, loc: m.location(name), permits: n}
}

// Open reports whether Acquire would not block; it is for the scheduler.
func (s *Semaphore) Open() bool { return s.permits > 0 }

// Acquire blocks until there is a permit and takes it.
func (s *Semaphore) Acquire() {
	s.m.point(schedule.Acquire, s.loc, schedule.NoLocation, s)
	s.set(s.permits - 1)
	s.m.done(s.loc, schedule.NoLocation)
}

// TryAcquire takes a permit if there is one, and reports whether it did.
func (s *Semaphore) TryAcquire() bool {
	s.m.point(schedule.Update, s.loc, schedule.NoLocation, nil)
	if s.permits == 0 {
		s.m.failed()
		s.set(s.permits)
		s.m.done(s.loc, schedule.NoLocation)
		return false
	}
	s.set(s.permits - 1)
	s.m.done(s.loc, schedule.NoLocation)
	return true
}

// Release adds a permit.
func (s *Semaphore) Release() {
	if s.m.point(schedule.Release, s.loc, schedule.NoLocation, nil) {
		s.set(s.permits + 1)
		s.m.done(s.loc, schedule.NoLocation)
	}
}

func (s *Semaphore) set(permits int) {
	if s.m.tracing {
		s.m.traced(s.permits, permits)
	}
	s.permits = permits
}
