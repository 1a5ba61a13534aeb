package relaxed

import (
	"github.com/linsat/linsat/explore"
	"github.com/linsat/linsat/explore/mem"
)

// listQueue is a linked list with a first node that holds no value, written for one thread: plain
// variables.
type listQueue struct {
	m          *mem.Memory
	head, tail *mem.Var[*listNode]
}

type listNode struct {
	value int
	next  *mem.Var[*listNode]
}

// SLQueue is sl-queue: two insertions at once lose a value, two removals at once return the same
// one. An insertion and a removal do not disturb each other as long as there is something in
// between.
func SLQueue(m *mem.Memory) explore.Instance {
	first := &listNode{next: mem.NewVar[*listNode](m, "node.next", nil)}
	q := &listQueue{m: m, head: mem.NewVar(m, "head", first), tail: mem.NewVar(m, "tail", first)}
	return queue(q.enq, q.deq)
}

func (q *listQueue) enq(v int) {
	n := &listNode{value: v, next: mem.NewVar[*listNode](q.m, "node.next", nil)}
	q.tail.Load().next.Store(n)
	q.tail.Store(n)
}

func (q *listQueue) deq() int {
	n := q.head.Load().next.Load()
	if n == nil {
		return nothing
	}
	q.head.Store(n)
	return n.value
}
