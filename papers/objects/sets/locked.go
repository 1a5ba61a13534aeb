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
	return &lockedNode{key, mem.NewVar(m, named("next", key), next), mem.NewVar(m, named("marked", key), false),
		mem.NewMutex(m, named("lock", key))}
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

// locking is a list whose operations lock a node and its predecessor. The lists differ in how they
// find the two.
type locking struct {
	lockedList
	// find returns the nodes of seek, locked.
	find func(key int) (pred, curr *lockedNode)
}

func (s *locking) add(key int) bool {
	pred, curr := s.find(key)
	defer unlock(pred, curr)
	if curr.key == key {
		return false
	}
	pred.next.Store(newLockedNode(s.m, key, curr))
	return true
}

func (s *locking) remove(key int) bool { return s.removeAfter(key, func(*lockedNode) {}) }

// removeAfter unlinks the node of a key, after it has called first with it.
func (s *locking) removeAfter(key int, first func(n *lockedNode)) bool {
	pred, curr := s.find(key)
	defer unlock(pred, curr)
	if curr.key != key {
		return false
	}
	first(curr)
	pred.next.Store(curr.next.Load())
	return true
}

func (s *locking) contains(key int) bool {
	pred, curr := s.find(key)
	defer unlock(pred, curr)
	return curr.key == key
}

func unlock(pred, curr *lockedNode) {
	curr.lock.Unlock()
	pred.lock.Unlock()
}

// newFine makes a list in which an operation holds the locks of two neighbours wherever it looks
// (chapter 9.5).
func newFine(m *mem.Memory) set {
	s := &locking{lockedList: newLockedList(m)}
	s.find = func(key int) (pred, curr *lockedNode) {
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
	return s
}

// validated finds nodes without locks, locks them, and begins again unless they are valid.
func (l *lockedList) validated(valid func(pred, curr *lockedNode) bool) func(key int) (pred, curr *lockedNode) {
	return func(key int) (pred, curr *lockedNode) {
		for {
			pred, curr = l.seek(key)
			pred.lock.Lock()
			curr.lock.Lock()
			if valid(pred, curr) {
				return pred, curr
			}
			unlock(pred, curr)
		}
	}
}

// newOptimistic makes a list in which an operation that holds two locks goes through the list again
// to see whether they are still neighbours there (chapter 9.6).
func newOptimistic(m *mem.Memory) set {
	s := &locking{lockedList: newLockedList(m)}
	s.find = s.validated(func(pred, curr *lockedNode) bool {
		n := s.head
		for n.key < pred.key {
			n = n.next.Load()
		}
		return n == pred && pred.next.Load() == curr
	})
	return s
}

// lazy marks a node before it unlinks it, so that marks tell whether a node is in the list, and
// contains needs no lock (chapter 9.7).
type lazy struct{ locking }

func newLazy(m *mem.Memory) set {
	s := &lazy{locking{lockedList: newLockedList(m)}}
	s.find = s.validated(func(pred, curr *lockedNode) bool {
		return !pred.marked.Load() && !curr.marked.Load() && pred.next.Load() == curr
	})
	return s
}

func (s *lazy) remove(key int) bool {
	return s.removeAfter(key, func(n *lockedNode) { n.marked.Store(true) })
}

func (s *lazy) contains(key int) bool {
	_, curr := s.seek(key)
	return curr.key == key && !curr.marked.Load()
}
