package sets

import "github.com/linsat/linsat/explore/mem"

// plainList is a sorted list for use under a lock.
type plainList struct {
	m    *mem.Memory
	head *plainNode
}

type plainNode struct {
	key  int
	next *mem.Var[*plainNode]
}

func newPlainList(m *mem.Memory) *plainList {
	l := &plainList{m: m}
	l.head = l.node(first, l.node(last, nil))
	return l
}

func (l *plainList) node(key int, next *plainNode) *plainNode {
	return &plainNode{key, mem.NewVar(l.m, named("next", key), next)}
}

// find returns the first node whose key is at least key, and its predecessor.
func (l *plainList) find(key int) (pred, curr *plainNode) {
	pred = l.head
	curr = pred.next.Load()
	for curr.key < key {
		pred, curr = curr, curr.next.Load()
	}
	return pred, curr
}

func (l *plainList) add(key int) bool {
	pred, curr := l.find(key)
	if curr.key == key {
		return false
	}
	pred.next.Store(l.node(key, curr))
	return true
}

func (l *plainList) remove(key int) bool {
	pred, curr := l.find(key)
	if curr.key != key {
		return false
	}
	pred.next.Store(curr.next.Load())
	return true
}

func (l *plainList) contains(key int) bool {
	_, curr := l.find(key)
	return curr.key == key
}

// coarse is a list under one lock (chapter 9.4).
type coarse struct {
	lock *mem.Mutex
	list *plainList
}

func newCoarse(m *mem.Memory) set { return &coarse{mem.NewMutex(m, "lock"), newPlainList(m)} }

func (s *coarse) add(key int) bool {
	s.lock.Lock()
	defer s.lock.Unlock()
	return s.list.add(key)
}

func (s *coarse) remove(key int) bool {
	s.lock.Lock()
	defer s.lock.Unlock()
	return s.list.remove(key)
}

func (s *coarse) contains(key int) bool {
	s.lock.Lock()
	defer s.lock.Unlock()
	return s.list.contains(key)
}
