package scal

import (
	"github.com/linsat/linsat/explore"
	"github.com/linsat/linsat/explore/mem"
)

// linked is the list of Michael and Scott, under ms-queue and rd-queue: insertions link a node
// behind the last one and then move the tail.
type linked struct {
	m          *mem.Memory
	head, tail word[*node]
}

type node struct {
	value int
	next  word[*node]
	taken *mem.Atomic[bool] // of rd-queue
}

func newLinked(m *mem.Memory) *linked {
	q := &linked{m: m}
	first := q.node(nothing)
	q.head, q.tail = newWord(m, "head", first), newWord(m, "tail", first)
	return q
}

func (q *linked) node(v int) *node {
	return &node{value: v, next: newWord[*node](q.m, "node.next", nil), taken: mem.NewAtomic(q.m, "node.taken", false)}
}

func (q *linked) enq(v int) {
	n := q.node(v)
	for {
		last := q.tail.raw()
		next := last.value.next.raw()
		if !q.tail.holds(last) {
			continue
		}
		if next.value != nil {
			q.tail.cas(last, last.to(next.value))
		} else if last.value.next.cas(next, next.to(n)) {
			q.tail.cas(last, last.to(n))
			return
		}
	}
}

// ends reads what a removal needs: head, tail and what follows the head, until the head stays. It
// moves the tail on where it is late, and reports whether the queue is empty.
func (q *linked) ends() (first, last, next counted[*node], empty bool) {
	for {
		first = q.head.raw()
		last = q.tail.raw()
		next = first.value.next.raw()
		if !q.head.holds(first) {
			continue
		}
		if first.value != last.value {
			return first, last, next, false
		}
		if next.value == nil {
			return first, last, next, true
		}
		q.tail.cas(last, last.to(next.value))
	}
}

// MSQueue is ms-queue.
func MSQueue(m *mem.Memory) explore.Instance {
	q := newLinked(m)
	return named("enq", q.enq, q.deq)
}

func (q *linked) deq() int {
	for {
		first, _, next, empty := q.ends()
		if empty {
			return nothing
		}
		if q.head.cas(first, first.to(next.value)) {
			return next.value.value
		}
	}
}
