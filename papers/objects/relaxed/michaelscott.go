package relaxed

import (
	"github.com/linsat/linsat/explore"
	"github.com/linsat/linsat/explore/mem"
)

// michaelScott is the lock-free queue of Michael and Scott (PODC 1996): a list with a first node
// that holds no value; an insertion links its node behind the last one and then moves the tail,
// which others do for it if it is late.
type michaelScott struct {
	m          *mem.Memory
	head, tail *mem.Atomic[*queueNode]
}

type queueNode struct {
	value int
	next  *mem.Atomic[*queueNode]
}

// MSQueue is ms-queue.
func MSQueue(m *mem.Memory) explore.Instance {
	first := newQueueNode(m, nothing)
	q := &michaelScott{m: m, head: mem.NewAtomic(m, "head", first), tail: mem.NewAtomic(m, "tail", first)}
	return queue(q.enq, q.deq)
}

func newQueueNode(m *mem.Memory, v int) *queueNode {
	return &queueNode{value: v, next: mem.NewAtomic[*queueNode](m, "node.next", nil)}
}

func (q *michaelScott) enq(v int) {
	n := newQueueNode(q.m, v)
	for {
		last := q.tail.Load()
		if next := last.next.Load(); next != nil {
			q.tail.CompareAndSwap(last, next)
		} else if last.next.CompareAndSwap(nil, n) {
			q.tail.CompareAndSwap(last, n)
			return
		}
	}
}

func (q *michaelScott) deq() int {
	for {
		first := q.head.Load()
		last := q.tail.Load()
		next := first.next.Load()
		switch {
		case next == nil:
			return nothing
		case first == last:
			q.tail.CompareAndSwap(last, next)
		case q.head.CompareAndSwap(first, next):
			return next.value
		}
	}
}
