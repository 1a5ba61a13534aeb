package relaxed

import (
	"github.com/linsat/linsat/explore"
	"github.com/linsat/linsat/explore/mem"
)

// quasiQueue is a list of segments of k slots (Fig. 3 of the paper): an insertion fills the next
// slot of the last segment, a removal takes a random value of the first one and goes on to the next
// only when all k have been taken. Insertions share one lock and removals another; what they tell
// each other is how far a segment is filled and which one follows.
//
// Invariant: the values of a segment are inserted at places jk, ..., jk+k-1 among the insertions,
// and removed at the same places among the removals. So nothing moves by more than k-1.
type quasiQueue struct {
	m           *mem.Memory
	k           int
	insertions  *mem.Mutex
	removals    *mem.Mutex
	first, last *quasiSegment // each guarded by its lock
}

type quasiSegment struct {
	slots  []*mem.Var[int]
	taken  []bool           // guarded by removals
	left   int              // not taken yet, of all k; guarded by removals
	filled *mem.Atomic[int] // slots below it hold values
	next   *mem.Atomic[*quasiSegment]
}

// QuasiQueue returns Quasi Queue with k slots a segment.
func QuasiQueue(k int) func(*mem.Memory) explore.Instance {
	return newQuasiQueue(k, (*quasiQueue).pick)
}

// QuasiQueueB1 returns its fault b1: a removal chooses in a window twice as wide, so it may take a
// value that is up to 2k-1 away from the head.
func QuasiQueueB1(k int) func(*mem.Memory) explore.Instance {
	return newQuasiQueue(k, (*quasiQueue).pickFar)
}

// QuasiQueueB2 returns its fault b2: a removal does not look whether the value that it chose was
// removed before.
func QuasiQueueB2(k int) func(*mem.Memory) explore.Instance {
	return newQuasiQueue(k, (*quasiQueue).pickAny)
}

// QuasiQueueB3 returns its fault b3: a removal that chose a slot whose value was removed, or that
// is not filled, says empty.
func QuasiQueueB3(k int) func(*mem.Memory) explore.Instance {
	return newQuasiQueue(k, (*quasiQueue).pickOnce)
}

func newQuasiQueue(k int, pick func(q *quasiQueue, s *quasiSegment,
	filled int) int) func(*mem.Memory) explore.Instance {
	return func(m *mem.Memory) explore.Instance {
		q := &quasiQueue{m: m, k: k, insertions: mem.NewMutex(m, "insertions"), removals: mem.NewMutex(m, "removals")}
		q.first = q.segment()
		q.last = q.first
		return queue(q.enq, func() int { return q.deq(pick) })
	}
}

func (q *quasiQueue) segment() *quasiSegment {
	s := &quasiSegment{taken: make([]bool, q.k), left: q.k, filled: mem.NewAtomic(q.m, "segment.filled", 0)}
	s.next = mem.NewAtomic[*quasiSegment](q.m, "segment.next", nil)
	for range q.k {
		s.slots = append(s.slots, mem.NewVar(q.m, "segment.slot", nothing))
	}
	return s
}

func (q *quasiQueue) enq(v int) {
	q.insertions.Lock()
	defer q.insertions.Unlock()
	n := q.last.filled.Load()
	if n == q.k {
		s := q.segment()
		q.last.next.Store(s)
		q.last, n = s, 0
	}
	q.last.slots[n].Store(v)
	q.last.filled.Store(n + 1)
}

func (q *quasiQueue) deq(pick func(q *quasiQueue, s *quasiSegment, filled int) int) int {
	q.removals.Lock()
	defer q.removals.Unlock()
	for q.first.left == 0 {
		next := q.first.next.Load()
		if next == nil {
			return nothing
		}
		q.first = next
	}
	filled := q.first.filled.Load()
	if filled+q.first.left == q.k { // all that came was taken
		return nothing
	}
	return pick(q, q.first, filled)
}

// take takes the value of slot i out of s.
func (q *quasiQueue) take(s *quasiSegment, i int) int {
	s.taken[i] = true
	s.left--
	return s.slots[i].Load()
}

// pick takes a random one of the values that s holds.
func (q *quasiQueue) pick(s *quasiSegment, filled int) int {
	n := q.m.Choose(filled - (q.k - s.left))
	for i := range filled {
		if !s.taken[i] {
			if n == 0 {
				return q.take(s, i)
			}
			n--
		}
	}
	panic("relaxed: no value left")
}

// pickFar also chooses among the values of the segment after s.
func (q *quasiQueue) pickFar(s *quasiSegment, filled int) int {
	next := s.next.Load()
	if filled == q.k && next != nil && next.left > 0 {
		if more := next.filled.Load(); more+next.left > q.k && q.m.Choose(2) == 1 {
			return q.pick(next, more)
		}
	}
	return q.pick(s, filled)
}

// pickAny takes the value of a random slot, whether it is there or not.
func (q *quasiQueue) pickAny(s *quasiSegment, filled int) int { return q.take(s, q.m.Choose(filled)) }

// pickOnce looks at one random slot.
func (q *quasiQueue) pickOnce(s *quasiSegment, filled int) int {
	i := q.m.Choose(filled)
	if s.taken[i] {
		return nothing
	}
	return q.take(s, i)
}
