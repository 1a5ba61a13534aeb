package sets

import "github.com/linsat/linsat/explore/mem"

// lockedNode is a node with a lock. Only lazy lists use marked.
type lockedNode struct {
	key    int
	next   *mem.Var[*lockedNode]
	marked *mem.Var[bool]
	lock   *mem.Mutex
}

func newLockedNode(m *mem.Memory, key int, next *lockedNode) *lockedNode {
	return &lockedNode{key, mem.NewVar(m, named("next", key), next), mem.NewVar(m, named("marked", key), false), mem.NewMutex(m, named("lock", key))}
}

// lockedList is what the lists with a lock for each node share.
type lockedList struct {
	m    *mem.Memory
	head *lockedNode
}

func newLockedList(m *mem.Memory) lockedList {
	return lockedList{m, newLockedNode(m, first, newLockedNode(m, last, nil))}
}

// seek returns the first node whose key is at least key, and its predecessor, without locks.
func (l *lockedList) seek(key int) (pred, curr *lockedNode) {
	pred = l.head
	curr = pred.next.Load()
	for curr.key < key {
		pred, curr = curr, curr.next.Load()
	}
	return pred, curr
}

// fine holds the locks of two neighbours wherever it looks (chapter 9.5).
type fine struct{ lockedList }

func newFine(m *mem.Memory) set { return &fine{newLockedList(m)} }

// find is seek with both nodes locked.
func (s *fine) find(key int) (pred, curr *lockedNode) {
	pred = s.head
	pred.lock.Lock()
	curr = pred.next.Load()
	curr.lock.Lock()
	for curr.key < key {
		pred.lock.Unlock()
		pred, curr = curr, curr.next.Load()
		curr.lock.Lock()
	}
	return pred, curr
}

func (s *fine) add(key int) bool {
	pred, curr := s.find(key)
	defer unlock(pred, curr)
	if curr.key == key {
		return false
	}
	pred.next.Store(newLockedNode(s.m, key, curr))
	return true
}

func (s *fine) remove(key int) bool {
	pred, curr := s.find(key)
	defer unlock(pred, curr)
	if curr.key != key {
		return false
	}
	pred.next.Store(curr.next.Load())
	return true
}

func (s *fine) contains(key int) bool {
	pred, curr := s.find(key)
	defer unlock(pred, curr)
	return curr.key == key
}

func unlock(pred, curr *lockedNode) {
	curr.lock.Unlock()
	pred.lock.Unlock()
}

// optimistic goes without locks and, once it holds two, goes again to see whether they are still
// neighbours in the list (chapter 9.6).
type optimistic struct{ lockedList }

func newOptimistic(m *mem.Memory) set { return &optimistic{newLockedList(m)} }

// find returns the two nodes locked.
func (s *optimistic) find(key int) (pred, curr *lockedNode) {
	for {
		pred, curr = s.seek(key)
		pred.lock.Lock()
		curr.lock.Lock()
		if s.valid(pred, curr) {
			return pred, curr
		}
		unlock(pred, curr)
	}
}

func (s *optimistic) valid(pred, curr *lockedNode) bool {
	n := s.head
	for n.key < pred.key {
		n = n.next.Load()
	}
	return n == pred && pred.next.Load() == curr
}

func (s *optimistic) add(key int) bool {
	pred, curr := s.find(key)
	defer unlock(pred, curr)
	if curr.key == key {
		return false
	}
	pred.next.Store(newLockedNode(s.m, key, curr))
	return true
}

func (s *optimistic) remove(key int) bool {
	pred, curr := s.find(key)
	defer unlock(pred, curr)
	if curr.key != key {
		return false
	}
	pred.next.Store(curr.next.Load())
	return true
}

func (s *optimistic) contains(key int) bool {
	pred, curr := s.find(key)
	defer unlock(pred, curr)
	return curr.key == key
}

// lazy marks a node before it unlinks it, so that marks tell whether a node is in the list, and
// contains needs no lock (chapter 9.7).
type lazy struct{ lockedList }

func newLazy(m *mem.Memory) set { return &lazy{newLockedList(m)} }

func (s *lazy) find(key int) (pred, curr *lockedNode) {
	for {
		pred, curr = s.seek(key)
		pred.lock.Lock()
		curr.lock.Lock()
		if !pred.marked.Load() && !curr.marked.Load() && pred.next.Load() == curr {
			return pred, curr
		}
		unlock(pred, curr)
	}
}

func (s *lazy) add(key int) bool {
	pred, curr := s.find(key)
	defer unlock(pred, curr)
	if curr.key == key {
		return false
	}
	pred.next.Store(newLockedNode(s.m, key, curr))
	return true
}

func (s *lazy) remove(key int) bool {
	pred, curr := s.find(key)
	defer unlock(pred, curr)
	if curr.key != key {
		return false
	}
	curr.marked.Store(true)
	pred.next.Store(curr.next.Load())
	return true
}

func (s *lazy) contains(key int) bool {
	_, curr := s.seek(key)
	return curr.key == key && !curr.marked.Load()
}
