package relaxed

import (
	"sort"

	"github.com/linsat/linsat/explore"
	"github.com/linsat/linsat/explore/mem"
)

// quasiPQ keeps its priorities sorted, under one lock; how many there are is also read without it.
// The k smallest at one moment are the window; removals take random values of it until it is used
// up, and then open the next one.
//
// As long as nothing is inserted, nothing moves by more than k-1. An insertion of something smaller
// breaks that for any priority queue that ever returns a value other than the least: a value
// returned too early belongs behind all smaller ones inserted later, however many. So no factor
// holds in general.
type quasiPQ struct {
	m      *mem.Memory
	k      int
	lock   *mem.Mutex
	size   *mem.Atomic[int]
	window []int // guarded by lock, like rest
	rest   []int // sorted
}

// QuasiPriorityQueue returns Quasi Priority Queue with a window of k values.
func QuasiPriorityQueue(k int) func(*mem.Memory) explore.Instance {
	return func(m *mem.Memory) explore.Instance {
		q := &quasiPQ{m: m, k: k, lock: mem.NewMutex(m, "lock"), size: mem.NewAtomic(m, "size", 0)}
		return priorityQueue(q.insert, q.deleteMin)
	}
}

// QuasiPriorityQueueB2 returns its fault b2: the window is one value too wide.
func QuasiPriorityQueueB2(k int) func(*mem.Memory) explore.Instance { return QuasiPriorityQueue(k + 1) }

func (q *quasiPQ) insert(p int) {
	q.lock.Lock()
	defer q.lock.Unlock()
	i := sort.SearchInts(q.rest, p)
	q.rest = append(q.rest, 0)
	copy(q.rest[i+1:], q.rest[i:])
	q.rest[i] = p
	q.size.Store(q.size.Load() + 1)
}

func (q *quasiPQ) deleteMin() int {
	if q.size.Load() == 0 {
		return nothing
	}
	q.lock.Lock()
	defer q.lock.Unlock()
	size := q.size.Load()
	if size == 0 {
		return nothing
	}
	q.size.Store(size - 1)
	if len(q.window) == 0 {
		n := min(q.k, len(q.rest))
		q.window, q.rest = q.rest[:n:n], q.rest[n:]
	}
	i := q.m.Choose(len(q.window))
	p := q.window[i]
	q.window = append(q.window[:i:i], q.window[i+1:]...)
	return p
}
