package scal

import (
	"github.com/linsat/linsat/explore"
	"github.com/linsat/linsat/explore/mem"
)

// boundedFIFO is the bounded k-FIFO queue: a ring of segments of k slots, whose head and tail are
// the numbers of slots. They grow without end, and slots are counted around.
//
// Two conditions of Scal's take the head and tail for numbers that go around: committed, see there,
// and full, which is therefore never true in the second round.
type boundedFIFO struct {
	m          *mem.Memory
	k          int
	choose     Choose
	head, tail word[int]
	slots      []word[int]
}

// ringSegments is how many segments the ring has. An insertion that finds it full panics: the
// specification has no full queue.
const ringSegments = 4

// BKQueue is bk-queue with k slots a segment.
func BKQueue(k int, choose Choose) func(*mem.Memory) explore.Instance {
	return func(m *mem.Memory) explore.Instance {
		q := &boundedFIFO{m: m, k: k, choose: choose, head: newWord(m, "head", 0), tail: newWord(m, "tail", 0),
			slots: newSlots(m, ringSegments*k)}
		return named("enq", q.enq, q.deq)
	}
}

func (q *boundedFIFO) segment(position int) []word[int] {
	at := position % len(q.slots)
	return q.slots[at : at+q.k]
}

// advance moves the head or the tail on by a segment.
func (q *boundedFIFO) advance(end word[int], old counted[int]) { end.cas(old, old.to(old.value+q.k)) }

func (q *boundedFIFO) enq(v int) {
	for {
		tail := q.tail.raw()
		head := q.head.raw()
		segment := q.segment(tail.value)
		at, old := index(q.m, q.choose, segment, false)
		if !q.tail.holds(tail) {
			continue
		}
		switch {
		case at >= 0:
			item := old.to(v)
			if segment[at].cas(old, item) && q.committed(tail.value, segment[at], item) {
				return
			}
		case q.full(head.value, tail.value):
			if q.occupied(head.value) && q.head.value() == head.value {
				panic("scal: bounded queue is full")
			}
			q.advance(q.head, head)
			q.advance(q.tail, tail)
		default:
			q.advance(q.tail, tail)
		}
	}
}

func (q *boundedFIFO) full(head, tail int) bool {
	return q.head.value() == head && (tail+q.k)%len(q.slots) == head
}

func (q *boundedFIFO) occupied(head int) bool {
	for _, slot := range q.segment(head) {
		if slot.value() != nothing {
			return true
		}
	}
	return false
}

// committed reports whether item, just put into a slot of the segment at a position, is in the
// queue. If not, it has been taken back.
func (q *boundedFIFO) committed(position int, slot word[int], item counted[int]) bool {
	if slot.value() != item.value {
		return true
	}
	tail := q.tail.raw()
	head := q.head.raw()
	// Scal takes a tail before the head for one that has gone around the ring. Here it has not: the
	// head moved after the tail was read.
	around := tail.value < head.value
	after, before := head.value < position, position <= tail.value
	if after && before || around && (after || before) {
		return true
	}
	if tail.value <= position && position <= head.value && q.head.cas(head, head.to(head.value)) {
		return true
	}
	return !slot.cas(item, item.to(nothing))
}

func (q *boundedFIFO) deq() int {
	for {
		head := q.head.raw()
		tail := q.tail.raw()
		segment := q.segment(head.value)
		at, old := index(q.m, q.choose, segment, true)
		if !q.head.holds(head) {
			continue
		}
		if at < 0 {
			if head.value == tail.value && q.tail.value() == tail.value {
				return nothing
			}
			q.advance(q.head, head)
			continue
		}
		if head.value == tail.value {
			q.advance(q.tail, tail)
		}
		if segment[at].cas(old, old.to(nothing)) {
			return old.value
		}
	}
}
