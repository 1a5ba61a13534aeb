//go:build linsat_native

package cds

import (
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/linsat/linsat/explore/c11"
)

// With build tag linsat_native the structures are ordinary Go over sync/atomic. These tests run
// them in goroutines, also under the race detector.

const rounds = 2000

func TestNativeQueues(t *testing.T) {
	ms, one, bounded := newMSQueue(nil), newSPSC(nil), newMPMC(nil, 4)
	var wg sync.WaitGroup
	sums := make([]int, 3)
	wg.Go(func() {
		for i := 1; i <= rounds; i++ {
			ms.enqueue(i)
			one.enqueue(i)
			for !func() bool {
				b := bounded.prepare()
				if b.ok {
					bounded.bins[b.n].Store(i)
					bounded.publish()
				}
				return b.ok
			}() {
			}
		}
	})
	wg.Go(func() {
		for i := 1; i <= rounds; {
			if got := ms.dequeue(); got.ok {
				assert.Equal(t, i, got.value)
				sums[0] += got.value
				i++
			}
		}
		for i := 1; i <= rounds; i++ {
			got := one.dequeue()
			assert.Equal(t, i, got)
			sums[1] += got
		}
	})
	wg.Go(func() {
		for i := 1; i <= rounds; {
			if b := bounded.fetch(); b.ok {
				got := bounded.bins[b.n].Load()
				bounded.consume()
				assert.Equal(t, i, got)
				sums[2] += got
				i++
			}
		}
	})
	wg.Wait()
	for _, sum := range sums {
		assert.Equal(t, rounds*(rounds+1)/2, sum)
	}
}

func TestNativeLocks(t *testing.T) {
	fair, rw := newMCS(nil), newRWLock(nil)
	a, b := c11.NewCell(nil, "a", 0), c11.NewCell(nil, "b", 0)
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() {
			me := newMCSNode(nil, "")
			for range rounds {
				fair.lock(me)
				a.Store(a.Load() + 1)
				fair.unlock(me)
				rw.writeLock()
				b.Store(b.Load() + 1)
				rw.writeUnlock()
				rw.readLock()
				b.Load()
				rw.readUnlock()
			}
		})
	}
	wg.Wait()
	assert.Equal(t, 3*rounds, a.Load())
	assert.Equal(t, 3*rounds, b.Load())
}

func TestNativeDeque(t *testing.T) {
	q := newDeque(nil, 2)
	var got [rounds]atomic.Int32
	var left atomic.Int32
	left.Store(rounds)
	var wg sync.WaitGroup
	take := func(v int) {
		if v >= 0 {
			got[v].Add(1)
			left.Add(-1)
		}
	}
	for range 2 {
		wg.Go(func() {
			for left.Load() > 0 {
				take(q.steal())
			}
		})
	}
	for i := range rounds {
		q.push(i)
		if i%3 == 0 {
			take(q.take())
		}
	}
	for left.Load() > 0 {
		take(q.take())
	}
	wg.Wait()
	for i := range got {
		assert.EqualValues(t, 1, got[i].Load(), i)
	}
}

func TestNativeMaps(t *testing.T) {
	h, r := newHashtable(nil, 8), newRCU(nil)
	var wg sync.WaitGroup
	for key := 1; key <= 3; key++ {
		wg.Go(func() {
			for i := range rounds {
				h.put(key, i+1)
				assert.Equal(t, i+1, h.get(key))
				r.update(i)
				r.read()
			}
		})
	}
	wg.Wait()
	assert.Equal(t, 3*rounds, r.read().version)
}

// plainQueue is the M&S queue over sync/atomic by hand.
type plainQueue struct{ head, tail atomic.Pointer[plainNode] }

type plainNode struct {
	value int
	next  atomic.Pointer[plainNode]
}

func (q *plainQueue) enqueue(v int) {
	n := &plainNode{value: v}
	for {
		tail := q.tail.Load()
		next := tail.next.Load()
		if tail != q.tail.Load() {
			continue
		}
		if next == nil && tail.next.CompareAndSwap(nil, n) {
			q.tail.CompareAndSwap(tail, n)
			return
		}
		q.tail.CompareAndSwap(tail, tail.next.Load())
	}
}

func (q *plainQueue) dequeue() (int, bool) {
	for {
		head, tail := q.head.Load(), q.tail.Load()
		next := head.next.Load()
		switch {
		case head != q.head.Load():
		case head != tail:
			if q.head.CompareAndSwap(head, next) {
				return next.value, true
			}
		case next == nil:
			return 0, false
		default:
			q.tail.CompareAndSwap(tail, next)
		}
	}
}

// BenchmarkQueues is the M&S queue, annotated and over c11, beside the same code over sync/atomic.
func BenchmarkQueues(b *testing.B) {
	b.Run("annotated", func(b *testing.B) {
		q := newMSQueue(nil)
		for b.Loop() {
			q.enqueue(1)
			q.dequeue()
		}
	})
	b.Run("sync-atomic", func(b *testing.B) {
		q := &plainQueue{}
		dummy := &plainNode{}
		q.head.Store(dummy)
		q.tail.Store(dummy)
		for b.Loop() {
			q.enqueue(1)
			q.dequeue()
		}
	})
}
