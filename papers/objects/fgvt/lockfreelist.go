package fgvt

import (
	"github.com/linsat/linsat/explore"
	"github.com/linsat/linsat/explore/mem"
)

// lockFreeList is the sorted list of Harris and Michael: a node is removed by marking its next
// reference, and every operation that passes a marked node unlinks it.
type lockFreeList struct {
	m      *mem.Memory
	head   *lockFreeNode // its key is smaller than all others and it is never marked
	faulty bool
}

type lockFreeNode struct {
	key  int
	next *mem.Atomic[markable]
}

// markable is a reference and a mark, read and updated together.
type markable struct {
	to     *lockFreeNode
	marked bool
}

func (l *lockFreeList) node(key int, next *lockFreeNode) *lockFreeNode {
	return &lockFreeNode{key, mem.NewAtomic(l.m, named("next", key), markable{to: next})}
}

// attemptMark is that of Java's AtomicMarkableReference: it sets the mark if the reference is the
// expected one, and reports whether reference and mark are now as requested. It also succeeds if
// another thread has already set the mark.
func (n *lockFreeNode) attemptMark(expected *lockFreeNode, mark bool) bool {
	seen := n.next.Load()
	return seen.to == expected && (seen.marked == mark || n.next.CompareAndSwap(seen, markable{expected, mark}))
}

// find returns the first node whose key is at least key, nil if there is none, with its predecessor
// and its successor, and unlinks the marked nodes on the way.
func (l *lockFreeList) find(key int) (pred, curr, succ *lockFreeNode) {
retry:
	for {
		pred = l.head
		curr = pred.next.Load().to
		for curr != nil {
			next := curr.next.Load()
			for next.marked {
				if !pred.next.CompareAndSwap(markable{curr, false}, markable{next.to, false}) {
					continue retry
				}
				if curr = next.to; curr == nil {
					return pred, nil, nil
				}
				next = curr.next.Load()
			}
			if curr.key >= key {
				return pred, curr, next.to
			}
			pred, curr = curr, next.to
		}
		return pred, nil, nil
	}
}

func (l *lockFreeList) add(key int) bool {
	for {
		pred, curr, _ := l.find(key)
		if curr != nil && curr.key == key {
			return false
		}
		if pred.next.CompareAndSwap(markable{curr, false}, markable{l.node(key, curr), false}) {
			return true
		}
	}
}

func (l *lockFreeList) remove(key int) bool {
	for {
		pred, curr, succ := l.find(key)
		if curr == nil || curr.key != key {
			return false
		}
		if l.faulty {
			if !curr.attemptMark(succ, true) { // true also if another remove has marked the node
				continue
			}
		} else if !curr.next.CompareAndSwap(markable{succ, false}, markable{succ, true}) {
			continue
		}
		pred.next.CompareAndSwap(markable{curr, false}, markable{succ, false})
		return true
	}
}

func (l *lockFreeList) contains(key int) bool {
	curr := l.head.next.Load().to
	for curr != nil && curr.key < key {
		curr = curr.next.Load().to
	}
	return curr != nil && curr.key == key && !curr.next.Load().marked
}

func newLockFreeList(faulty bool) func(m *mem.Memory) explore.Instance {
	return func(m *mem.Memory) explore.Instance {
		l := &lockFreeList{m: m, faulty: faulty}
		l.head = &lockFreeNode{next: mem.NewAtomic(m, "head.next", markable{to: l.node(1, nil)})}
		return func(f string, arg any) any {
			switch f {
			case "add":
				return l.add(arg.(int))
			case "remove":
				return l.remove(arg.(int))
			case "contains":
				return l.contains(arg.(int))
			}
			panic(unknown(f))
		}
	}
}
