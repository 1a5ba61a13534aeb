package scal

import (
	"github.com/linsat/linsat/explore"
	"github.com/linsat/linsat/explore/mem"
)

// unboundedFIFO is the unbounded k-FIFO queue of Kirsch, Lippautz and Payer: a list of segments of
// k slots. A segment that the head leaves is marked.
type unboundedFIFO struct {
	m          *mem.Memory
	k          int
	choose     Choose
	head, tail word[*fifoSegment]
}

type fifoSegment struct {
	slots []word[int]
	next  word[*fifoSegment]
	left  *mem.Var[bool]
}

// UBKQueue is ubk-queue with k slots a segment.
func UBKQueue(k int, choose Choose) func(*mem.Memory) explore.Instance {
	return func(m *mem.Memory) explore.Instance {
		q := &unboundedFIFO{m: m, k: k, choose: choose}
		first := q.segment()
		q.head, q.tail = newWord(m, "head", first), newWord(m, "tail", first)
		return named("enq", q.enq, q.deq)
	}
}

func (q *unboundedFIFO) segment() *fifoSegment {
	return &fifoSegment{slots: newSlots(q.m, q.k), next: newWord[*fifoSegment](q.m, "segment.next", nil),
		left: mem.NewVar(q.m, "segment.left", false)}
}

// leave moves the head off a segment, and the tail with it where it stands there.
func (q *unboundedFIFO) leave(old counted[*fifoSegment]) {
	head := q.head.raw()
	if head != old {
		return
	}
	tail := q.tail.raw()
	afterTail := tail.value.next.raw()
	afterHead := head.value.next.raw()
	if !q.head.holds(head) {
		return
	}
	if head.value == tail.value {
		if afterTail.value == nil {
			return
		}
		if q.tail.holds(tail) {
			q.tail.cas(tail, tail.to(afterTail.value))
		}
	}
	old.value.left.Store(true)
	q.head.cas(old, old.to(afterHead.value))
}

// extend moves the tail on, to a new segment if there is none yet.
func (q *unboundedFIFO) extend(old counted[*fifoSegment]) {
	if tail := q.tail.raw(); tail != old {
		return
	}
	next := old.value.next.raw()
	if !q.tail.holds(old) {
		return
	}
	if next.value != nil {
		q.tail.cas(old, next.to(next.value))
		return
	}
	s := q.segment()
	if old.value.next.cas(next, next.to(s)) {
		q.tail.cas(old, old.to(s))
	}
}

func (q *unboundedFIFO) enq(v int) {
	for {
		tail := q.tail.raw()
		q.head.raw() // read by Scal, and not used
		at, old := index(q.m, q.choose, tail.value.slots, false)
		if !q.tail.holds(tail) {
			continue
		}
		if at < 0 {
			q.extend(tail)
			continue
		}
		item := old.to(v)
		if slot := tail.value.slots[at]; slot.cas(old, item) && q.committed(tail.value, slot, item) {
			return
		}
	}
}

// committed reports whether item, just put into a slot of s, is in the queue. If not, it has been
// taken back.
func (q *unboundedFIFO) committed(s *fifoSegment, slot word[int], item counted[int]) bool {
	if !slot.holds(item) {
		return true
	}
	head := q.head.raw()
	if !s.left.Load() {
		if s != head.value {
			if !s.left.Load() {
				return true
			}
		} else if q.head.cas(head, head.to(s)) {
			return true
		}
	}
	return !slot.cas(item, counted[int]{})
}

func (q *unboundedFIFO) deq() int {
	for {
		head := q.head.raw()
		at, old := index(q.m, q.choose, head.value.slots, true)
		tail := q.tail.raw()
		if !q.head.holds(head) {
			continue
		}
		if at < 0 {
			if head.value == tail.value {
				return nothing
			}
			q.leave(head)
			continue
		}
		if head.value == tail.value {
			q.extend(tail)
		}
		if head.value.slots[at].cas(old, old.to(nothing)) {
			return old.value
		}
	}
}
