package relaxed

import (
	"github.com/linsat/linsat/explore"
	"github.com/linsat/linsat/explore/mem"
)

// randomDequeue is the random dequeued queue of Afek, Korland and Yanovsky (OPODIS 2010):
// insertions as in michaelScott; a removal goes a random number of nodes from the head, marks the
// node that it gets to, and if that one is marked already, the first that is not. The head moves
// only over marked nodes.
//
// Invariant: the k nodes from the head on are the window, marked or not. As long as its first value
// is not taken, the window stays, so at most k-1 others are taken before it; and none beyond the
// window is. Without marked nodes in the count (the first k *values* instead of nodes) the first
// value could be passed over for ever.
type randomDequeue struct {
	m          *mem.Memory
	k          int
	head, tail *mem.Atomic[*markedNode]
}

type markedNode struct {
	value int
	taken *mem.Atomic[bool]
	next  *mem.Atomic[*markedNode]
}

// RDQueue returns rd-queue with a window of k nodes.
func RDQueue(k int) func(*mem.Memory) explore.Instance {
	return func(m *mem.Memory) explore.Instance {
		q := &randomDequeue{m: m, k: k}
		first := q.node(nothing)
		q.head, q.tail = mem.NewAtomic(m, "head", first), mem.NewAtomic(m, "tail", first)
		return queue(q.enq, q.deq)
	}
}

func (q *randomDequeue) node(v int) *markedNode {
	return &markedNode{value: v, taken: mem.NewAtomic(q.m, "node.taken", false), next: mem.NewAtomic[*markedNode](q.m,
		"node.next", nil)}
}

func (q *randomDequeue) enq(v int) {
	n := q.node(v)
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

func (q *randomDequeue) deq() int {
	first := q.head.Load()
	n := first.next.Load()
	for range q.m.Choose(q.k) {
		if n == nil {
			break
		}
		n = n.next.Load()
	}
	if n != nil && n.taken.CompareAndSwap(false, true) {
		return n.value
	}
	// The first value from the head on; marked nodes before it leave the window.
	for {
		n = first.next.Load()
		if n == nil {
			return nothing
		}
		if n.taken.CompareAndSwap(false, true) {
			return n.value
		}
		q.head.CompareAndSwap(first, n)
		first = n
	}
}
