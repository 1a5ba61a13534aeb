package sets

import (
	"slices"

	"github.com/linsat/linsat/explore/mem"
)

// table is a hash table with chains, for use under locks: of capacity lists, key k is in list
// k mod capacity. Its content and its capacity change together when it is resized.
type table struct {
	m       *mem.Memory
	buckets *mem.Var[*buckets]
	size    *mem.Int64
}

// buckets are the lists of one capacity.
type buckets struct{ lists []*plainList }

func newTable(m *mem.Memory) *table {
	t := &table{m: m, size: mem.NewInt64(m, "size", 0)}
	t.buckets = mem.NewVar(m, "buckets", t.make(firstBuckets))
	return t
}

func (t *table) make(capacity int) *buckets {
	b := &buckets{make([]*plainList, capacity)}
	for i := range b.lists {
		b.lists[i] = newPlainList(t.m)
	}
	return b
}

func (t *table) list(key int) *plainList {
	b := t.buckets.Load()
	return b.lists[key%len(b.lists)]
}

func (t *table) add(key int) bool {
	added := t.list(key).add(key)
	if added {
		t.size.Add(1)
	}
	return added
}

func (t *table) remove(key int) bool {
	removed := t.list(key).remove(key)
	if removed {
		t.size.Add(-1)
	}
	return removed
}

func (t *table) contains(key int) bool { return t.list(key).contains(key) }

func (t *table) capacity() int { return len(t.buckets.Load().lists) }

// full reports whether there are so many keys that the table should grow.
func (t *table) full() bool { return t.size.Load() > int64(keysInBucket*t.capacity()) }

// grow doubles the capacity. The caller holds all locks.
func (t *table) grow() {
	old := t.buckets.Load()
	wide := t.make(2 * len(old.lists))
	for _, l := range old.lists {
		for n := l.head.next.Load(); n.key != last; n = n.next.Load() {
			wide.lists[n.key%len(wide.lists)].add(n.key)
		}
	}
	t.buckets.Store(wide)
}

// hashSet is a table under one lock (chapter 13.2.1).
type hashSet struct {
	lock *mem.Mutex
	*table
}

func newHashSet(m *mem.Memory) set { return &hashSet{mem.NewMutex(m, "lock"), newTable(m)} }

func (s *hashSet) add(key int) bool {
	s.lock.Lock()
	defer s.lock.Unlock()
	added := s.table.add(key)
	if added && s.full() {
		s.grow()
	}
	return added
}

func (s *hashSet) remove(key int) bool {
	s.lock.Lock()
	defer s.lock.Unlock()
	return s.table.remove(key)
}

func (s *hashSet) contains(key int) bool {
	s.lock.Lock()
	defer s.lock.Unlock()
	return s.table.contains(key)
}

// striped has as many locks as the table had lists at first; lock i protects the lists i, i + n,
// and so on (chapter 13.2.2).
type striped struct {
	locks []*mem.Mutex
	*table
}

func newStriped(m *mem.Memory) set {
	s := &striped{newLocks(m, firstBuckets), newTable(m)}
	return &keyLocked{s.table, s.lock, s.resize}
}

// keyLocked is a table in which a lock is chosen for each key.
type keyLocked struct {
	*table
	// lock locks the list of a key and returns its lock.
	lock func(key int) *mem.Mutex
	// resize grows a table of that capacity, without any lock held.
	resize func(from int)
}

func (s *keyLocked) add(key int) bool {
	l := s.lock(key)
	added := s.table.add(key)
	full := added && s.full()
	capacity := s.capacity()
	l.Unlock()
	if full {
		s.resize(capacity)
	}
	return added
}

func (s *keyLocked) remove(key int) bool {
	defer s.lock(key).Unlock()
	return s.table.remove(key)
}

func (s *keyLocked) contains(key int) bool {
	defer s.lock(key).Unlock()
	return s.table.contains(key)
}

func newLocks(m *mem.Memory, n int) []*mem.Mutex {
	locks := make([]*mem.Mutex, n)
	for i := range locks {
		locks[i] = mem.NewMutex(m, named("lock", i))
	}
	return locks
}

func (s *striped) lock(key int) *mem.Mutex {
	l := s.locks[key%len(s.locks)]
	l.Lock()
	return l
}

// resize takes all locks in order and grows, unless another thread has.
func (s *striped) resize(from int) {
	for _, l := range s.locks {
		l.Lock()
	}
	if s.capacity() == from {
		s.grow()
	}
	for _, l := range slices.Backward(s.locks) {
		l.Unlock()
	}
}
