package fgvt

import (
	"github.com/linsat/linsat/explore"
	"github.com/linsat/linsat/explore/mem"
)

// optimisticQueue is the doubly linked queue of Ladan-Mozes and Shavit: an insertion links its node
// to the tail, swings the tail with one compare-and-swap, and stores the backward reference that
// removals go by afterwards, without synchronization. A removal that finds it missing repairs the
// references from the tail on. The node at the head is a dummy.
type optimisticQueue struct {
	m          *mem.Memory
	head, tail *mem.Atomic[*optimisticNode]
	faulty     bool
}

type optimisticNode struct {
	item any
	next *optimisticNode              // towards the head; set before the node is published
	prev *mem.Atomic[*optimisticNode] // towards the tail; set after that
}

func (q *optimisticQueue) node(item any) *optimisticNode {
	return &optimisticNode{item: item, prev: mem.NewAtomic[*optimisticNode](q.m, named("prev", item), nil)}
}

func (q *optimisticQueue) offer(item any) {
	n := q.node(item)
	for {
		t := q.tail.Load()
		n.next = t
		if q.tail.CompareAndSwap(t, n) {
			t.prev.Store(n)
			return
		}
	}
}

// first returns the dummy at the head and the node behind it, nil if the queue is empty.
func (q *optimisticQueue) first() (h, first *optimisticNode) {
	for {
		h = q.head.Load()
		t := q.tail.Load()
		if h == t {
			return h, nil
		}
		if first = h.prev.Load(); first != nil {
			return h, first
		}
		// Every node between tail and head is linked forward; those that the head has passed need
		// no repair.
		for n := t; n != h && n.next != nil; n = n.next {
			n.next.prev.Store(n)
		}
	}
}

func (q *optimisticQueue) poll() any {
	if q.faulty {
		_, first := q.first()
		if first == nil {
			return nil
		}
		item := first.item
		for { // moves the head by one, wherever it is by now: item need not be what it leaves
			h, first := q.first()
			if first == nil || q.head.CompareAndSwap(h, first) {
				return item
			}
		}
	}
	for {
		h, first := q.first()
		if first == nil {
			return nil
		}
		if q.head.CompareAndSwap(h, first) {
			return first.item
		}
	}
}

func newOptimisticQueue(faulty bool) func(m *mem.Memory) explore.Instance {
	return func(m *mem.Memory) explore.Instance {
		q := &optimisticQueue{m: m, faulty: faulty}
		dummy := q.node("head")
		q.head = mem.NewAtomic(m, "head", dummy)
		q.tail = mem.NewAtomic(m, "tail", dummy)
		q.offer(1)
		q.offer(2)
		return func(f string, arg any) any {
			switch f {
			case "offer":
				q.offer(arg)
				return nil
			case "poll":
				return q.poll()
			}
			panic(unknown(f))
		}
	}
}
