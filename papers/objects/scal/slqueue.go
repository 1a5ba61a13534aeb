package scal

import (
	"github.com/linsat/linsat/explore"
	"github.com/linsat/linsat/explore/mem"
)

// singleList is a linked list for one thread, with a first node that holds no value. A removal
// reads the head three times, so that two at once may also skip a value.
type singleList struct {
	m          *mem.Memory
	head, tail *mem.Var[*listNode]
}

type listNode struct {
	value int
	next  *mem.Var[*listNode]
}

// SLQueue is sl-queue.
func SLQueue(m *mem.Memory) explore.Instance {
	q := &singleList{m: m}
	first := q.node(nothing)
	q.head, q.tail = mem.NewVar(m, "head", first), mem.NewVar(m, "tail", first)
	return named("enq", q.enq, q.deq)
}

func (q *singleList) node(v int) *listNode {
	return &listNode{value: v, next: mem.NewVar[*listNode](q.m, "node.next", nil)}
}

func (q *singleList) enq(v int) {
	n := q.node(v)
	q.tail.Load().next.Store(n)
	q.tail.Store(n)
}

func (q *singleList) deq() int {
	if q.head.Load() == q.tail.Load() {
		return nothing
	}
	v := q.head.Load().next.Load().value
	q.head.Store(q.head.Load().next.Load())
	return v
}
