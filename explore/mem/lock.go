package mem

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

// Open says whether Lock would not block; it is for the scheduler.
func (l *Mutex) Open() bool { return !l.held }

// Lock blocks until the mutex is free and takes it.
func (l *Mutex) Lock() {
	l.m.point(Lock, l.loc, NoLocation, l)
	l.set(true)
}

// TryLock takes the mutex if it is free, and says whether it did.
func (l *Mutex) TryLock() bool {
	l.m.point(Update, l.loc, NoLocation, nil)
	if l.held {
		l.m.failed()
		l.set(true)
		return false
	}
	l.set(true)
	return true
}

// Unlock frees the mutex. It panics if it is free.
func (l *Mutex) Unlock() {
	if !l.m.point(Unlock, l.loc, NoLocation, nil) {
		return
	}
	if !l.held {
		panic("mem: unlock of unlocked mutex")
	}
	l.set(false)
}

func (l *Mutex) set(held bool) {
	if l.m.tracing {
		l.m.traced(l.held, held)
	}
	l.held = held
}

// RWMutex is a lock held by one writer or by any number of readers. A waiting writer does not keep readers out, unlike
// that of package sync: the scheduler may prefer either.
type RWMutex struct {
	m       *Memory
	loc     int32
	readers int // -1: a writer
}

// NewRWMutex makes an unlocked one.
func NewRWMutex(m *Memory, name string) *RWMutex {
	return &RWMutex{m: m, loc: m.location(name)}
}

type writerGate struct{ l *RWMutex }

func (g writerGate) Open() bool { return g.l.readers == 0 }

// Open says whether RLock would not block; it is for the scheduler.
func (l *RWMutex) Open() bool { return l.readers >= 0 }

// Lock blocks until nobody holds the lock and takes it for writing.
func (l *RWMutex) Lock() {
	l.m.point(Lock, l.loc, NoLocation, writerGate{l})
	l.set(-1)
}

// TryLock takes the lock for writing if nobody holds it, and says whether it did.
func (l *RWMutex) TryLock() bool {
	l.m.point(Update, l.loc, NoLocation, nil)
	if l.readers != 0 {
		l.m.failed()
		l.set(l.readers)
		return false
	}
	l.set(-1)
	return true
}

// Unlock ends writing. It panics if nobody writes.
func (l *RWMutex) Unlock() {
	if !l.m.point(Unlock, l.loc, NoLocation, nil) {
		return
	}
	if l.readers >= 0 {
		panic("mem: unlock of unlocked rwmutex")
	}
	l.set(0)
}

// RLock blocks until nobody writes and takes the lock for reading.
func (l *RWMutex) RLock() {
	l.m.point(ReadLock, l.loc, NoLocation, l)
	l.set(l.readers + 1)
}

// TryRLock takes the lock for reading if nobody writes, and says whether it did.
func (l *RWMutex) TryRLock() bool {
	l.m.point(Update, l.loc, NoLocation, nil)
	if l.readers < 0 {
		l.m.failed()
		l.set(l.readers)
		return false
	}
	l.set(l.readers + 1)
	return true
}

// RUnlock ends reading. It panics if nobody reads.
func (l *RWMutex) RUnlock() {
	if !l.m.point(ReadUnlock, l.loc, NoLocation, nil) {
		return
	}
	if l.readers <= 0 {
		panic("mem: runlock of rwmutex that nobody reads")
	}
	l.set(l.readers - 1)
}

func (l *RWMutex) set(readers int) {
	if l.m.tracing {
		l.m.traced(l.readers, readers)
	}
	l.readers = readers
}
