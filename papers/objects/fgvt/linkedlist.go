package fgvt

import (
	"github.com/linsat/linsat/explore"
	"github.com/linsat/linsat/explore/mem"
)

// linkedList is a list in which values are added at the end. Changes hold its lock; the faulty size
// walks without it.
type linkedList struct {
	m      *mem.Memory
	head   *linkedNode // holds no value
	lock   *mem.Mutex
	faulty bool
}

type linkedNode struct {
	val  int
	next *mem.Var[*linkedNode]
}

func (l *linkedList) node(v int) *linkedNode {
	return &linkedNode{v, mem.NewVar[*linkedNode](l.m, named("next", v), nil)}
}

// add appends v if it is not there.
func (l *linkedList) add(v int) bool {
	l.lock.Lock()
	defer l.lock.Unlock()
	n := l.head
	for next := n.next.Load(); next != nil; next = n.next.Load() {
		if next.val == v {
			return false
		}
		n = next
	}
	n.next.Store(l.node(v))
	return true
}

func (l *linkedList) remove(v int) bool {
	l.lock.Lock()
	defer l.lock.Unlock()
	pred := l.head
	for n := pred.next.Load(); n != nil; n = n.next.Load() {
		if n.val == v {
			pred.next.Store(n.next.Load())
			return true
		}
		pred = n
	}
	return false
}

func (l *linkedList) size() int {
	if !l.faulty {
		l.lock.Lock()
		defer l.lock.Unlock()
	}
	count := 0
	for n := l.head.next.Load(); n != nil; n = n.next.Load() { // counts nodes of different moments
		count++
	}
	return count
}

func newLinkedList(faulty bool) func(m *mem.Memory) explore.Instance {
	return func(m *mem.Memory) explore.Instance {
		l := &linkedList{m: m, faulty: faulty, lock: mem.NewMutex(m, "lock")}
		l.head = &linkedNode{next: mem.NewVar[*linkedNode](m, "head.next", nil)}
		l.add(1)
		l.add(5)
		return func(f string, arg any) any {
			switch f {
			case "add":
				return l.add(arg.(int))
			case "remove":
				return l.remove(arg.(int))
			case "size":
				return l.size()
			}
			panic(unknown(f))
		}
	}
}
