package dotnet

import (
	"github.com/linsat/linsat/explore"
	"github.com/linsat/linsat/explore/mem"
)

// queue is the queue of Michael and Scott (1996) with the reading operations of .NET's.
//
// A node's next is written once, and head only moves forward, to fresh nodes: so a walk from a head
// that still is the head when the walk has found the end saw the contents of the queue at that end.
type queue struct {
	m          *mem.Memory
	head, tail *mem.Atomic[*queueNode]
}

type queueNode struct {
	value any
	next  *mem.Atomic[*queueNode]
}

func makeQueue(m *mem.Memory) *queue {
	first := &queueNode{next: mem.NewAtomic[*queueNode](m, "first.next", nil)}
	return &queue{m, mem.NewAtomic(m, "head", first), mem.NewAtomic(m, "tail", first)}
}

func (q *queue) Enqueue(v any) {
	n := &queueNode{v, mem.NewAtomic[*queueNode](q.m, "node.next", nil)}
	for {
		tail := q.tail.Load()
		if next := tail.next.Load(); next != nil {
			q.tail.CompareAndSwap(tail, next)
			continue
		}
		if tail.next.CompareAndSwap(nil, n) {
			q.tail.CompareAndSwap(tail, n)
			return
		}
	}
}

// TryDequeue returns the oldest value, or nil if there is none.
func (q *queue) TryDequeue() any {
	for {
		head := q.head.Load()
		tail := q.tail.Load()
		next := head.next.Load()
		switch {
		case next == nil:
			return nil
		case head == tail:
			q.tail.CompareAndSwap(tail, next)
		case q.head.CompareAndSwap(head, next):
			return next.value
		}
	}
}

// TryPeek returns the oldest value, or nil if there is none.
func (q *queue) TryPeek() any {
	if next := q.head.Load().next.Load(); next != nil {
		return next.value
	}
	return nil
}

func (q *queue) IsEmpty() bool { return q.head.Load().next.Load() == nil }

// ToArray returns all values, oldest first.
func (q *queue) ToArray() []any {
	for {
		head := q.head.Load()
		values := []any{}
		for n := head.next.Load(); n != nil; n = n.next.Load() {
			values = append(values, n.value)
		}
		if q.head.Load() == head {
			return values
		}
	}
}

func newQueue(m *mem.Memory) explore.Instance {
	q := makeQueue(m)
	return func(f string, arg any) any {
		switch f {
		case "enqueue":
			q.Enqueue(arg)
			return nil
		case "tryDequeue":
			return q.TryDequeue()
		case "tryPeek":
			return q.TryPeek()
		case "isEmpty":
			return q.IsEmpty()
		case "count":
			return len(q.ToArray())
		case "toArray":
			return q.ToArray()
		}
		panic(unknown(f))
	}
}

var queueCalls = []explore.Call{{F: "enqueue", Arg: 200}, {F: "enqueue", Arg: 400}, {F: "tryDequeue"}, {F: "tryPeek"},
	{F: "isEmpty"}, {F: "count"}, {F: "toArray"}}

// lockedQueue is a queue under one lock. With bug B of the paper a removal that does not get the
// lock in time gives up, as if the queue were empty; how long it waits is not modelled: if the lock
// is held, its time is over.
type lockedQueue struct {
	lock        *mem.Mutex
	first, last *mem.Var[*listNode]
	m           *mem.Memory
	hurried     bool // bug B
}

type listNode struct {
	value any
	next  *mem.Var[*listNode]
}

func (q *lockedQueue) Add(v any) {
	n := &listNode{v, mem.NewVar[*listNode](q.m, "node.next", nil)}
	q.lock.Lock()
	if last := q.last.Load(); last != nil {
		last.next.Store(n)
	} else {
		q.first.Store(n)
	}
	q.last.Store(n)
	q.lock.Unlock()
}

func (q *lockedQueue) TryTake() any {
	if !q.hurried {
		q.lock.Lock()
	} else if !q.lock.TryLock() {
		return nil
	}
	first := q.first.Load()
	if first == nil {
		q.lock.Unlock()
		return nil
	}
	next := first.next.Load()
	q.first.Store(next)
	if next == nil {
		q.last.Store(nil)
	}
	q.lock.Unlock()
	return first.value
}

func newLockedQueue(hurried bool) func(*mem.Memory) explore.Instance {
	return func(m *mem.Memory) explore.Instance {
		q := &lockedQueue{mem.NewMutex(m, "lock"), mem.NewVar[*listNode](m, "first", nil),
			mem.NewVar[*listNode](m, "last", nil), m, hurried}
		return func(f string, arg any) any {
			switch f {
			case "add":
				q.Add(arg)
				return nil
			case "tryDequeue":
				return q.TryTake()
			}
			panic(unknown(f))
		}
	}
}

// tryDequeue is the paper's TryTake under the name that linsat's specification of queues knows.
var lockedQueueCalls = []explore.Call{{F: "add", Arg: 200}, {F: "add", Arg: 400}, {F: "tryDequeue"}}
