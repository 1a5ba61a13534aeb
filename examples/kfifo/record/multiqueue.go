package main

// A MultiQueue [Rihani, Sanders and Dementiev, SPAA'15]: several priority queues, each with a lock.
// An insertion goes to a random one, a removal takes the lesser of the first items of two random
// ones. It is a priority queue whose removals may miss the least item, without a bound.

import (
	"container/heap"
	"math/rand/v2"
	"runtime"
	"sync"
)

// multiqueue is one of numbers.
type multiqueue struct{ queues []locked }

type locked struct {
	sync.Mutex
	items items
}

// items is a heap.
type items []int64

func (x items) Len() int           { return len(x) }
func (x items) Less(i, j int) bool { return x[i] < x[j] }
func (x items) Swap(i, j int)      { x[i], x[j] = x[j], x[i] }
func (x *items) Push(v any)        { *x = append(*x, v.(int64)) }

func (x *items) Pop() any {
	last := len(*x) - 1
	v := (*x)[last]
	*x = (*x)[:last]
	return v
}

func newMultiqueue(k int) *multiqueue { return &multiqueue{make([]locked, k)} }

// insert puts v into a random queue.
func (m *multiqueue) insert(v int64) {
	q := &m.queues[rand.IntN(len(m.queues))]
	runtime.Gosched()
	q.Lock()
	defer q.Unlock()
	heap.Push(&q.items, v)
}

// removeMin takes the lesser of two first items. If both queues are empty, it takes all locks to
// see whether all are, and else the least item.
func (m *multiqueue) removeMin() (v int64, ok bool) {
	a, b := rand.IntN(len(m.queues)), rand.IntN(len(m.queues))
	runtime.Gosched()
	if v, ok = m.take(min(a, b), max(a, b)); ok {
		return v, true
	}
	all := make([]int, len(m.queues))
	for k := range all {
		all[k] = k
	}
	return m.take(all...)
}

// take removes the least first item of some queues, in ascending order.
func (m *multiqueue) take(queues ...int) (v int64, ok bool) {
	least := -1
	for n, k := range queues {
		if n > 0 && k == queues[n-1] {
			continue
		}
		q := &m.queues[k]
		q.Lock()
		defer q.Unlock()
		if len(q.items) > 0 && (least < 0 || q.items[0] < m.queues[least].items[0]) {
			least = k
		}
	}
	if least < 0 {
		return 0, false
	}
	return heap.Pop(&m.queues[least].items).(int64), true
}
