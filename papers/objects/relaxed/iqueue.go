package relaxed

import (
	"github.com/linsat/linsat/explore"
	"github.com/linsat/linsat/explore/mem"
)

// capacity of the queues in arrays.
const capacity = 16

// iQueue hands out the slots of an array in order: an insertion takes its slot first and fills it
// later.
type iQueue struct {
	head, tail *mem.Int64
	items      []*mem.Atomic[int]
}

// IQueue is the queue of that name in Herlihy and Shavit's book (an exercise). A removal looks only
// at the slot of the head. If that one was taken and is not filled yet, it says empty, although
// later ones are full.
func IQueue(m *mem.Memory) explore.Instance {
	q := &iQueue{head: mem.NewInt64(m, "head", 0), tail: mem.NewInt64(m, "tail", 0), items: slots(m, "items", capacity)}
	return queue(q.enq, q.deq)
}

func (q *iQueue) enq(v int) {
	for {
		slot := q.tail.Load()
		if q.tail.CompareAndSwap(slot, slot+1) {
			q.items[slot].Store(v)
			return
		}
	}
}

func (q *iQueue) deq() int {
	for {
		slot := q.head.Load()
		v := q.items[slot].Load()
		if v == nothing {
			return nothing
		}
		if q.head.CompareAndSwap(slot, slot+1) {
			return v
		}
	}
}

// slots makes n empty slots.
func slots(m *mem.Memory, name string, n int) []*mem.Atomic[int] {
	list := make([]*mem.Atomic[int], n)
	for i := range list {
		list[i] = mem.NewAtomic(m, name, nothing)
	}
	return list
}
