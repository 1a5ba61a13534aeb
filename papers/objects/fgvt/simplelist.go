package fgvt

import (
	"math"

	"github.com/linsat/linsat/explore"
	"github.com/linsat/linsat/explore/mem"
)

// simpleList is a sorted list without any synchronization around its plain references; corrected,
// every change holds a lock.
type simpleList struct {
	m *mem.Memory
	// comes before all values; behind them comes a node with a number larger than any
	head *simpleNode
	lock *mem.Mutex // nil: faulty
}

type simpleNode struct {
	val  *mem.Var[int]
	next *mem.Var[*simpleNode]
}

func (l *simpleList) node(v int, next *simpleNode) *simpleNode {
	return &simpleNode{mem.NewVar(l.m, named("val", v), v), mem.NewVar(l.m, named("next", v), next)}
}

// locate returns the first node whose value is at least v, that value, and the node before it.
func (l *simpleList) locate(v int) (pred, curr *simpleNode, val int) {
	pred = l.head
	for {
		curr = pred.next.Load()
		if val = curr.val.Load(); val >= v {
			return pred, curr, val
		}
		pred = curr
	}
}

func (l *simpleList) add(v int) bool {
	if l.lock != nil {
		l.lock.Lock()
		defer l.lock.Unlock()
	}
	pred, curr, val := l.locate(v)
	if val == v {
		return false
	}
	pred.next.Store(l.node(v, curr)) // whatever came behind pred since locate is lost
	return true
}

func (l *simpleList) remove(v int) bool {
	if l.lock != nil {
		l.lock.Lock()
		defer l.lock.Unlock()
	}
	pred, curr, val := l.locate(v)
	if val != v {
		return false
	}
	pred.next.Store(curr.next.Load())
	return true
}

func (l *simpleList) contains(v int) bool {
	if l.lock != nil {
		l.lock.Lock()
		defer l.lock.Unlock()
	}
	_, _, val := l.locate(v)
	return val == v
}

func newSimpleList(faulty bool) func(m *mem.Memory) explore.Instance {
	return func(m *mem.Memory) explore.Instance {
		l := &simpleList{m: m}
		if !faulty {
			l.lock = mem.NewMutex(m, "lock")
		}
		tail := &simpleNode{val: mem.NewVar(m, "val(tail)", math.MaxInt16)}
		l.head = &simpleNode{next: mem.NewVar(m, "head.next", l.node(1, tail))}
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
