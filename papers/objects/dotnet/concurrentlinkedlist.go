package dotnet

import (
	"github.com/linsat/linsat/explore"
	"github.com/linsat/linsat/explore/mem"
)

// linkedList is a doubly linked list with a count. What works at the front takes the front's lock,
// what works at the back the back's; in the correct list the two are one lock. The seeded bug of
// class C are two locks, which protect nothing from each other while the list has one element or
// none.
type linkedList struct {
	m           *mem.Memory
	front, back *mem.Mutex
	first, last *mem.Var[*linkedNode]
	count       *mem.Int64
}

type linkedNode struct {
	value      any
	prev, next *mem.Var[*linkedNode]
}

func (l *linkedList) node(v any, prev, next *linkedNode) *linkedNode {
	return &linkedNode{v, mem.NewVar(l.m, "node.prev", prev), mem.NewVar(l.m, "node.next", next)}
}

func (l *linkedList) AddFirst(v any) {
	l.front.Lock()
	old := l.first.Load()
	n := l.node(v, nil, old)
	if old == nil {
		l.last.Store(n)
	} else {
		old.prev.Store(n)
	}
	l.first.Store(n)
	l.count.Add(1)
	l.front.Unlock()
}

func (l *linkedList) AddLast(v any) {
	l.back.Lock()
	old := l.last.Load()
	n := l.node(v, old, nil)
	if old == nil {
		l.first.Store(n)
	} else {
		old.next.Store(n)
	}
	l.last.Store(n)
	l.count.Add(1)
	l.back.Unlock()
}

// RemoveFirst returns the first value, or nil if there is none.
func (l *linkedList) RemoveFirst() any {
	l.front.Lock()
	n := l.first.Load()
	if n == nil {
		l.front.Unlock()
		return nil
	}
	next := n.next.Load()
	l.first.Store(next)
	if next == nil {
		l.last.Store(nil)
	} else {
		next.prev.Store(nil)
	}
	l.count.Add(-1)
	l.front.Unlock()
	return n.value
}

// RemoveLast returns the last value, or nil if there is none.
func (l *linkedList) RemoveLast() any {
	l.back.Lock()
	n := l.last.Load()
	if n == nil {
		l.back.Unlock()
		return nil
	}
	prev := n.prev.Load()
	l.last.Store(prev)
	if prev == nil {
		l.first.Store(nil)
	} else {
		prev.next.Store(nil)
	}
	l.count.Add(-1)
	l.back.Unlock()
	return n.value
}

// RemoveList takes everything out and returns it, first one first.
func (l *linkedList) RemoveList() []any {
	l.front.Lock()
	values := []any{}
	for n := l.first.Load(); n != nil; n = n.next.Load() {
		values = append(values, n.value)
	}
	l.first.Store(nil)
	l.last.Store(nil)
	l.count.Store(0)
	l.front.Unlock()
	return values
}

func newLinkedList(twoLocks bool) func(*mem.Memory) explore.Instance {
	return func(m *mem.Memory) explore.Instance {
		lock := mem.NewMutex(m, "lock")
		l := &linkedList{m, lock, lock, mem.NewVar[*linkedNode](m, "first", nil), mem.NewVar[*linkedNode](m, "last",
			nil), mem.NewInt64(m, "count", 0)}
		if twoLocks {
			l.back = mem.NewMutex(m, "back lock")
		}
		return func(f string, arg any) any {
			switch f {
			case "addFirst":
				l.AddFirst(arg)
				return nil
			case "addLast":
				l.AddLast(arg)
				return nil
			case "removeFirst":
				return l.RemoveFirst()
			case "removeLast":
				return l.RemoveLast()
			case "removeList":
				return l.RemoveList()
			case "count":
				return l.count.Load()
			}
			panic(unknown(f))
		}
	}
}

var linkedListCalls = []explore.Call{{F: "count"}, {F: "addFirst", Arg: 10}, {F: "addLast", Arg: 20},
	{F: "removeFirst"}, {F: "removeLast"}, {F: "removeList"}}
