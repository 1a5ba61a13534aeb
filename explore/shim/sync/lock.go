package sync

import (
	real "sync"
	"unsafe"

	"github.com/linsat/linsat/explore/shim/internal/core"
	"github.com/linsat/linsat/internal/schedule"
)

// Locker is that of the standard library.
type Locker = real.Locker

// Mutex is a mutual exclusion lock.
type Mutex struct {
	real real.Mutex
	held core.Cell[bool]
}

func free() bool { return false }

func (m *Mutex) in(x *schedule.Running) int32 { return m.held.In(x, nil, "mutex", free) }

// unheld is open while nothing holds the mutex.
type unheld Mutex

func (m *unheld) Open() bool { return !m.held.V }

// Lock blocks until the mutex is free and takes it.
func (m *Mutex) Lock() {
	x := core.Running()
	if x == nil {
		m.real.Lock()
		return
	}
	x.Point(schedule.Lock, m.in(x), schedule.NoLocation, (*unheld)(m))
	core.Acquire(m.held.At())
	x.Traced(false, true)
	m.held.V = true
}

// TryLock takes the mutex if it is free, and reports whether it did.
func (m *Mutex) TryLock() bool {
	x := core.Running()
	if x == nil {
		return m.real.TryLock()
	}
	x.Point(schedule.Update, m.in(x), schedule.NoLocation, nil)
	if m.held.V {
		x.Failed()
		x.Traced(true, true)
		return false
	}
	core.Acquire(m.held.At())
	x.Traced(false, true)
	m.held.V = true
	return true
}

// Unlock frees the mutex. It panics if it is free.
func (m *Mutex) Unlock() {
	x := core.Running()
	if x == nil {
		m.real.Unlock()
		return
	}
	if !x.Point(schedule.Unlock, m.in(x), schedule.NoLocation, nil) {
		return
	}
	if !m.held.V {
		panic("sync: unlock of unlocked mutex")
	}
	core.ReleaseMerge(m.held.At())
	x.Traced(true, false)
	m.held.V = false
}

// RWMutex is a lock held by one writer or by any number of readers. A writer that waits keeps
// further readers out.
type RWMutex struct {
	real  real.RWMutex
	state core.Cell[holders]
}

// holders is who holds an RWMutex.
type holders struct {
	Readers int
	Writer  bool // one waits for the readers to leave, or writes
	Writes  bool
}

func (l *RWMutex) in(x *schedule.Running) int32 {
	return l.state.In(x, nil, "rwmutex", func() holders { return holders{} })
}

// set changes who holds the lock.
func (l *RWMutex) set(x *schedule.Running, to holders) {
	x.Traced(l.state.V, to)
	l.state.V = to
}

// noWriter is open while no writer holds the lock or waits for it, noReader while no reader holds
// it.
type (
	noWriter RWMutex
	noReader RWMutex
)

func (l *noWriter) Open() bool { return !l.state.V.Writer }
func (l *noReader) Open() bool { return l.state.V.Readers == 0 }

// Lock takes the lock for writing, in two events: the first keeps readers and writers out, the
// second happens when the last reader has left.
func (l *RWMutex) Lock() {
	x := core.Running()
	if x == nil {
		l.real.Lock()
		return
	}
	loc := l.in(x)
	x.Point(schedule.Acquire, loc, schedule.NoLocation, (*noWriter)(l))
	l.set(x, holders{Readers: l.state.V.Readers, Writer: true})
	x.Point(schedule.Lock, loc, schedule.NoLocation, (*noReader)(l))
	l.wrote()
	l.set(x, holders{Writer: true, Writes: true})
}

// wrote states to the race detector that what writes comes after all that held the lock before.
func (l *RWMutex) wrote() {
	core.Acquire(l.state.At())
	core.Acquire(unsafe.Pointer(&l.real))
}

// TryLock takes the lock for writing if nothing holds it or waits for it, and reports whether it
// did.
func (l *RWMutex) TryLock() bool {
	x := core.Running()
	if x == nil {
		return l.real.TryLock()
	}
	x.Point(schedule.Update, l.in(x), schedule.NoLocation, nil)
	if l.state.V.Readers > 0 || l.state.V.Writer {
		x.Failed()
		l.set(x, l.state.V)
		return false
	}
	l.wrote()
	l.set(x, holders{Writer: true, Writes: true})
	return true
}

// Unlock ends writing. It panics if nothing writes.
func (l *RWMutex) Unlock() {
	x := core.Running()
	if x == nil {
		l.real.Unlock()
		return
	}
	if !x.Point(schedule.Unlock, l.in(x), schedule.NoLocation, nil) {
		return
	}
	if !l.state.V.Writes {
		panic("sync: Unlock of unlocked RWMutex")
	}
	core.ReleaseMerge(l.state.At())
	l.set(x, holders{})
}

// RLock takes the lock for reading once no writer holds it or waits for it.
func (l *RWMutex) RLock() {
	x := core.Running()
	if x == nil {
		l.real.RLock()
		return
	}
	x.Point(schedule.ReadLock, l.in(x), schedule.NoLocation, (*noWriter)(l))
	core.Acquire(l.state.At())
	l.set(x, holders{Readers: l.state.V.Readers + 1})
}

// TryRLock takes the lock for reading if no writer holds it or waits for it, and reports whether it
// did.
func (l *RWMutex) TryRLock() bool {
	x := core.Running()
	if x == nil {
		return l.real.TryRLock()
	}
	x.Point(schedule.Update, l.in(x), schedule.NoLocation, nil)
	if l.state.V.Writer {
		x.Failed()
		l.set(x, l.state.V)
		return false
	}
	core.Acquire(l.state.At())
	l.set(x, holders{Readers: l.state.V.Readers + 1})
	return true
}

// RUnlock ends reading. It panics if nothing reads.
func (l *RWMutex) RUnlock() {
	x := core.Running()
	if x == nil {
		l.real.RUnlock()
		return
	}
	if !x.Point(schedule.ReadUnlock, l.in(x), schedule.NoLocation, nil) {
		return
	}
	if l.state.V.Readers == 0 {
		panic("sync: RUnlock of unlocked RWMutex")
	}
	core.ReleaseMerge(unsafe.Pointer(&l.real)) // for writers, not for readers
	l.set(x, holders{Readers: l.state.V.Readers - 1, Writer: l.state.V.Writer})
}

// RLocker returns the lock for reading as a Locker.
func (l *RWMutex) RLocker() Locker { return (*reading)(l) }

type reading RWMutex

func (l *reading) Lock()   { (*RWMutex)(l).RLock() }
func (l *reading) Unlock() { (*RWMutex)(l).RUnlock() }
