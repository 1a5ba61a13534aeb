package mem

import (
	"strconv"

	"github.com/linsat/linsat/internal/schedule"
)

// Mutex is a mutual exclusion lock.
type Mutex struct {
	m    *Memory
	loc  int32
	held bool
}

// NewMutex makes an unlocked mutex.
func NewMutex(m *Memory, name string) *Mutex {
	return &Mutex{m: m, loc: m.location(name)}
}

// Open reports whether Lock would not block; it is for the scheduler.
func (l *Mutex) Open() bool { return !l.held }

// Lock blocks until the mutex is free and takes it.
func (l *Mutex) Lock() {
	l.m.point(schedule.Lock, l.loc, schedule.NoLocation, l)
	l.set(true)
	l.m.done(l.loc, schedule.NoLocation)
}

// TryLock takes the mutex if it is free, and reports whether it did.
func (l *Mutex) TryLock() bool {
	l.m.point(schedule.Update, l.loc, schedule.NoLocation, nil)
	if l.held {
		l.m.failed()
		l.set(true)
		l.m.done(l.loc, schedule.NoLocation)
		return false
	}
	l.set(true)
	l.m.done(l.loc, schedule.NoLocation)
	return true
}

// Unlock frees the mutex. It panics if it is free.
func (l *Mutex) Unlock() {
	if !l.m.point(schedule.Unlock, l.loc, schedule.NoLocation, nil) {
		return
	}
	if !l.held {
		l.m.done(l.loc, schedule.NoLocation)
		panic("mem: unlock of unlocked mutex")
	}
	l.set(false)
	l.m.done(l.loc, schedule.NoLocation)
}

func (l *Mutex) set(held bool) {
	if l.m.tracing {
		l.m.traced(l.held, held)
	}
	l.held = held
}

// RWMutex is a lock held by one writer or by any number of readers. As with that of package sync, a
// waiting writer keeps further readers out, so a thread that holds the lock for reading can
// deadlock if it asks for it again.
type RWMutex struct {
	m       *Memory
	loc     int32
	readers int
	writer  bool // one waits for the readers to leave, or writes
	writing bool
}

// NewRWMutex makes an unlocked RWMutex.
func NewRWMutex(m *Memory, name string) *RWMutex {
	return &RWMutex{m: m, loc: m.location(name)}
}

// Open reports whether RLock would not block; it is for the scheduler.
func (l *RWMutex) Open() bool { return !l.writer }

type readersGone struct{ l *RWMutex }

func (g readersGone) Open() bool { return g.l.readers == 0 }

// Lock takes the lock for writing, in two events. Acquire happens once there is no other writer,
// and keeps further readers out. Lock happens once the last reader has left.
func (l *RWMutex) Lock() {
	l.m.point(schedule.Acquire, l.loc, schedule.NoLocation, l)
	l.set(l.readers, true, false)
	l.m.done(l.loc, schedule.NoLocation)
	l.m.point(schedule.Lock, l.loc, schedule.NoLocation, readersGone{l})
	l.set(0, true, true)
	l.m.done(l.loc, schedule.NoLocation)
}

// TryLock takes the lock for writing if no thread holds it or waits for it, and reports whether it
// did.
func (l *RWMutex) TryLock() bool {
	l.m.point(schedule.Update, l.loc, schedule.NoLocation, nil)
	if l.readers > 0 || l.writer {
		l.m.failed()
		l.set(l.readers, l.writer, l.writing)
		l.m.done(l.loc, schedule.NoLocation)
		return false
	}
	l.set(0, true, true)
	l.m.done(l.loc, schedule.NoLocation)
	return true
}

// Unlock ends writing. It panics if no thread writes.
func (l *RWMutex) Unlock() {
	if !l.m.point(schedule.Unlock, l.loc, schedule.NoLocation, nil) {
		return
	}
	if !l.writing {
		l.m.done(l.loc, schedule.NoLocation)
		panic("mem: unlock of unlocked rwmutex")
	}
	l.set(0, false, false)
	l.m.done(l.loc, schedule.NoLocation)
}

// RLock blocks until no thread writes or waits to write, and takes the lock for reading.
func (l *RWMutex) RLock() {
	l.m.point(schedule.ReadLock, l.loc, schedule.NoLocation, l)
	l.set(l.readers+1, false, false)
	l.m.done(l.loc, schedule.NoLocation)
}

// TryRLock takes the lock for reading if no thread writes or waits to write, and reports whether it
// did.
func (l *RWMutex) TryRLock() bool {
	l.m.point(schedule.Update, l.loc, schedule.NoLocation, nil)
	if l.writer {
		l.m.failed()
		l.set(l.readers, l.writer, l.writing)
		l.m.done(l.loc, schedule.NoLocation)
		return false
	}
	l.set(l.readers+1, false, false)
	l.m.done(l.loc, schedule.NoLocation)
	return true
}

// RUnlock ends reading. It panics if no thread reads.
func (l *RWMutex) RUnlock() {
	if !l.m.point(schedule.ReadUnlock, l.loc, schedule.NoLocation, nil) {
		return
	}
	if l.readers == 0 {
		l.m.done(l.loc, schedule.NoLocation)
		panic("mem: runlock of rwmutex without readers")
	}
	l.set(l.readers-1, l.writer, false)
	l.m.done(l.loc, schedule.NoLocation)
}

func (l *RWMutex) set(readers int, writer, writing bool) {
	before := ""
	if l.m.tracing {
		before = l.String()
	}
	l.readers, l.writer, l.writing = readers, writer, writing
	if l.m.tracing {
		l.m.tracedText(before, l.String())
	}
}

// String returns the state of the lock: "free", "2 readers", "1 reader, a writer waits", "a
// writer".
func (l *RWMutex) String() string {
	who := "free"
	switch {
	case l.writing:
		return "a writer"
	case l.readers == 1:
		who = "1 reader"
	case l.readers > 1:
		who = strconv.Itoa(l.readers) + " readers"
	}
	if l.writer {
		return who + ", a writer waits"
	}
	return who
}
