package relaxed

import (
	"github.com/linsat/linsat/explore"
	"github.com/linsat/linsat/explore/mem"
)

// boundedFIFO is the bounded-size k-FIFO queue of Kirsch, Lippautz and Payer (PaCT 2013), a
// lock-free form of the segment queue of Afek, Korland and Yanovsky: a ring of segments of k slots.
// An insertion takes a free slot of the tail segment, a removal a random value of the head segment.
// Head and tail count segments and never go back, so they need no tags; slots carry tags.
//
// A removal that finds the head segment to be the tail segment closes it first, by moving the tail.
// An insertion that had its slot before, and sees that the head got to its segment meanwhile, must
// make sure that the segment is not passed with its value in it: it changes the tag of the head, so
// that a thread that is about to move the head fails. If it cannot, it takes its value back.
type boundedFIFO struct {
	m          *mem.Memory
	k, ring    int
	head, tail *mem.Atomic[tagged]
	slots      []*mem.Atomic[tagged]
}

// tagged is a number with a count of how often it changed.
type tagged struct{ value, tag int }

func (t tagged) to(value int) tagged { return tagged{value, t.tag + 1} }

// ringSegments is how many segments a bounded k-FIFO queue has. An insertion that finds no free one
// panics: the specification has no full queue.
const ringSegments = 4

// BKQueue returns bk-queue with k slots a segment.
func BKQueue(k int) func(*mem.Memory) explore.Instance {
	return func(m *mem.Memory) explore.Instance {
		q := &boundedFIFO{m: m, k: k, ring: ringSegments, head: mem.NewAtomic(m, "head", tagged{}),
			tail: mem.NewAtomic(m, "tail", tagged{})}
		for range ringSegments * k {
			q.slots = append(q.slots, mem.NewAtomic(m, "slot", tagged{}))
		}
		return queue(q.enq, q.deq)
	}
}

// segment returns the slots of the segment with a number.
func (q *boundedFIFO) segment(number int) []*mem.Atomic[tagged] {
	i := number % q.ring * q.k
	return q.slots[i : i+q.k]
}

func (q *boundedFIFO) enq(v int) {
	for {
		tail := q.tail.Load()
		head := q.head.Load()
		slot, old := find(q.segment(tail.value), 0, false)
		switch {
		case q.tail.Load() != tail:
			// The slot may be free because its value was removed: then the segment is closed.
		case slot != nil:
			if item := old.to(v); slot.CompareAndSwap(old, item) && q.committed(tail.value, slot, item) {
				return
			}
		case tail.value-head.value == q.ring-1:
			panic("relaxed: bounded queue is full")
		default:
			q.tail.CompareAndSwap(tail, tail.to(tail.value+1))
		}
	}
}

// committed reports whether item, just put into a slot of a segment, is in the queue. If not, it
// has been taken back.
func (q *boundedFIFO) committed(number int, slot *mem.Atomic[tagged], item tagged) bool {
	if slot.Load() != item {
		return true // removed already
	}
	head := q.head.Load()
	if number > head.value {
		return true
	}
	if number == head.value && q.head.CompareAndSwap(head, head.to(head.value)) {
		return true
	}
	return !slot.CompareAndSwap(item, item.to(nothing))
}

func (q *boundedFIFO) deq() int {
	for {
		head := q.head.Load()
		slot, old := find(q.segment(head.value), q.m.Choose(q.k), true)
		tail := q.tail.Load()
		if q.head.Load() != head {
			continue
		}
		switch {
		case slot == nil && head.value == tail.value:
			if q.tail.Load() == tail {
				return nothing
			}
		case slot == nil:
			q.head.CompareAndSwap(head, head.to(head.value+1))
		default:
			if head.value == tail.value {
				// nothing more comes in where values leave
				q.tail.CompareAndSwap(tail, tail.to(tail.value+1))
			}
			if slot.CompareAndSwap(old, old.to(nothing)) {
				return old.value
			}
		}
	}
}

// find looks through slots, from a start on and around, for one that is full, or for one that is
// free, and returns it with what it held; nil if there is none.
func find(slots []*mem.Atomic[tagged], start int, full bool) (*mem.Atomic[tagged], tagged) {
	for i := range slots {
		slot := slots[(start+i)%len(slots)]
		if v := slot.Load(); (v.value != nothing) == full {
			return slot, v
		}
	}
	return nil, tagged{}
}
