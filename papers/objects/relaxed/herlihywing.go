package relaxed

import (
	"github.com/linsat/linsat/explore"
	"github.com/linsat/linsat/explore/mem"
)

// herlihyWing is the queue of "Linearizability" [Herlihy and Wing, TOPLAS 1990, Fig. 1]: an
// insertion takes the next slot of an array and fills it, a removal sweeps the slots that were
// taken and swaps each for nothing until it gets a value.
type herlihyWing struct {
	m     *mem.Memory
	back  *mem.Int64
	items []*mem.Atomic[int]
}

// HerlihyWing makes one. A removal never says empty: it sweeps again, so that a test in which
// removals may outrun the insertions livelocks.
func HerlihyWing(m *mem.Memory) explore.Instance {
	q := &herlihyWing{m: m, back: mem.NewInt64(m, "back", 0), items: slots(m, "items", capacity)}
	return queue(q.enq, q.deq)
}

func (q *herlihyWing) enq(v int) { q.items[q.back.Add(1)-1].Store(v) }

func (q *herlihyWing) deq() int {
	for {
		for _, item := range q.items[:q.back.Load()] {
			if v := item.Swap(nothing); v != nothing {
				return v
			}
		}
		q.m.Yield()
	}
}
