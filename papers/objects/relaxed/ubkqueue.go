package relaxed

import (
	"github.com/linsat/linsat/explore"
	"github.com/linsat/linsat/explore/mem"
)

// unboundedFIFO is the unbounded-size k-FIFO queue of Kirsch, Lippautz and Payer (PaCT 2013): the
// algorithm of boundedFIFO over a linked list of segments. Segments are not used again; the head
// carries a tag, since an insertion must be able to change it without moving it.
type unboundedFIFO struct {
	m    *mem.Memory
	k    int
	head *mem.Atomic[headSegment]
	tail *mem.Atomic[*fifoSegment]
}

type headSegment struct {
	*fifoSegment
	tag int
}

type fifoSegment struct {
	number int // counts from the first segment on
	slots  []*mem.Atomic[tagged]
	next   *mem.Atomic[*fifoSegment]
}

// UBKQueue returns ubk-queue with k slots a segment.
func UBKQueue(k int) func(*mem.Memory) explore.Instance {
	return func(m *mem.Memory) explore.Instance {
		q := &unboundedFIFO{m: m, k: k}
		first := q.segment(0)
		q.head, q.tail = mem.NewAtomic(m, "head", headSegment{first, 0}), mem.NewAtomic(m, "tail", first)
		return queue(q.enq, q.deq)
	}
}

func (q *unboundedFIFO) segment(number int) *fifoSegment {
	s := &fifoSegment{number: number, next: mem.NewAtomic[*fifoSegment](q.m, "segment.next", nil)}
	for range q.k {
		s.slots = append(s.slots, mem.NewAtomic(q.m, "segment.slot", tagged{}))
	}
	return s
}

// extend moves the tail on from s, to a new segment if there is none yet.
func (q *unboundedFIFO) extend(s *fifoSegment) {
	next := s.next.Load()
	if next == nil {
		next = q.segment(s.number + 1)
		if !s.next.CompareAndSwap(nil, next) {
			next = s.next.Load()
		}
	}
	q.tail.CompareAndSwap(s, next)
}

func (q *unboundedFIFO) enq(v int) {
	for {
		s := q.tail.Load()
		slot, old := find(s.slots, 0, false)
		if slot == nil {
			q.extend(s)
		} else if q.tail.Load() != s {
			// the slot may be free because its value was removed: then the segment is closed
			continue
		} else if item := old.to(v); slot.CompareAndSwap(old, item) && q.committed(s, slot, item) {
			return
		}
	}
}

// committed reports whether item, just put into a slot of s, is in the queue. If not, it has been
// taken back.
func (q *unboundedFIFO) committed(s *fifoSegment, slot *mem.Atomic[tagged], item tagged) bool {
	if slot.Load() != item {
		return true // removed already
	}
	head := q.head.Load()
	if s.number > head.number || head.fifoSegment == s && q.head.CompareAndSwap(head, headSegment{s, head.tag + 1}) {
		return true
	}
	return !slot.CompareAndSwap(item, item.to(nothing))
}

func (q *unboundedFIFO) deq() int {
	for {
		head := q.head.Load()
		slot, old := find(head.slots, q.m.Choose(q.k), true)
		tail := q.tail.Load()
		if q.head.Load() != head {
			continue
		}
		switch {
		case slot == nil && head.fifoSegment == tail:
			if q.tail.Load() == tail {
				return nothing
			}
		case slot == nil:
			q.head.CompareAndSwap(head, headSegment{head.next.Load(), head.tag + 1})
		default:
			if head.fifoSegment == tail {
				q.extend(tail) // nothing more comes in where values leave
			}
			if slot.CompareAndSwap(old, old.to(nothing)) {
				return old.value
			}
		}
	}
}
