package sets

import "github.com/linsat/linsat/explore/mem"

// refinable is striped with a new array of locks for each capacity (chapter 13.2.3). A thread that
// resizes owns the set: it waits until each lock is free, and an operation that then takes a lock
// sees the owner and begins again.
type refinable struct {
	m     *mem.Memory
	owned *mem.Atomic[bool]
	locks *mem.Atomic[*lockArray]
	*table
}

type lockArray struct{ locks []*mem.Mutex }

func newRefinable(m *mem.Memory) set {
	s := &refinable{m, mem.NewAtomic(m, "owned", false),
		mem.NewAtomic(m, "locks", &lockArray{newLocks(m, firstBuckets)}), newTable(m)}
	return &keyLocked{s.table, s.lock, s.resize}
}

func (s *refinable) lock(key int) *mem.Mutex {
	for {
		s.owned.Await(func(owned bool) bool { return !owned })
		of := s.locks.Load()
		l := of.locks[key%len(of.locks)]
		l.Lock()
		if !s.owned.Load() && s.locks.Load() == of {
			return l
		}
		l.Unlock()
	}
}

func (s *refinable) resize(from int) {
	if !s.owned.CompareAndSwap(false, true) {
		return // another thread does
	}
	if s.capacity() == from {
		for _, l := range s.locks.Load().locks {
			wait(l)
		}
		s.grow()
		s.locks.Store(&lockArray{newLocks(s.m, 2*from)})
	}
	s.owned.Store(false)
}

// wait returns once the lock has been free.
func wait(l *mem.Mutex) {
	l.Lock()
	defer l.Unlock()
}
