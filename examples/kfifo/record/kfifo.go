package main

// A relaxed queue in the manner of segmented k-FIFO queues [Kirsch-Lippautz-Payer, PaCT'13]: a list
// of segments of k slots each. An insertion takes any free slot of the last segment, a removal any
// value of the first one, so up to k insertions and k removals do not get in each other's way, at
// the price of order: values of one segment leave in any order, values of different segments first
// in, first out.
//
// By design an operation is at most k-1 places away from where a strict queue would have it: a
// segment is left for the next one only when each of its slots has been used, so the insertions and
// the removals of one segment have the same k places.

import (
	"math/rand/v2"
	"runtime"
	"sync/atomic"
)

// The life of a slot: empty, then full, then taken, never back.
const (
	empty int64 = iota
	taken
	full // full + v holds v
)

type segment struct {
	slots []atomic.Int64
	next  atomic.Pointer[segment]
}

// kfifo is a k-FIFO queue of numbers that are not negative; newQueue makes one.
type kfifo struct {
	k           int
	first, last atomic.Pointer[segment]
}

// newQueue returns an empty queue with k slots a segment; with k = 1 it is strict.
func newQueue(k int) *kfifo {
	q := &kfifo{k: k}
	s := q.segment()
	q.first.Store(s)
	q.last.Store(s)
	return q
}

func (q *kfifo) segment() *segment { return &segment{slots: make([]atomic.Int64, q.k)} }

// enqueue puts v in. It takes effect when it takes its slot.
func (q *kfifo) enqueue(v int64) {
	for {
		s := q.last.Load()
		start := rand.IntN(q.k)
		for i := range q.k {
			slot := &s.slots[(start+i)%q.k]
			if slot.Load() == empty && slot.CompareAndSwap(empty, full+v) {
				return
			}
			runtime.Gosched()
		}
		// Every slot has been used, and none becomes free again: go on to the next segment.
		if s.next.Load() == nil {
			s.next.CompareAndSwap(nil, q.segment())
		}
		q.last.CompareAndSwap(s, s.next.Load())
	}
}

// dequeue takes a value out, or says that there is none. It takes effect when it takes the value;
// where it finds none, between two looks at the segment that found no value and no change.
func (q *kfifo) dequeue() (v int64, ok bool) {
	before := make([]int64, q.k)
	for {
		s := q.first.Load()
		start := rand.IntN(q.k)
		free := false
		for i := range q.k {
			slot := &s.slots[(start+i)%q.k]
			x := slot.Load()
			if x >= full && slot.CompareAndSwap(x, taken) {
				return x - full, true
			}
			runtime.Gosched()
		}
		for i := range s.slots {
			before[i] = s.slots[i].Load()
			free = free || before[i] == empty
		}
		switch {
		case !free && q.allTaken(before):
			next := s.next.Load()
			if next == nil { // all k values came and went, and there is no other segment yet
				return 0, false
			}
			q.first.CompareAndSwap(s, next)
		case q.noValue(before) && q.unchanged(s, before):
			return 0, false
		}
	}
}

func (q *kfifo) allTaken(states []int64) bool {
	for _, x := range states {
		if x != taken {
			return false
		}
	}
	return true
}

func (q *kfifo) noValue(states []int64) bool {
	for _, x := range states {
		if x >= full {
			return false
		}
	}
	return true
}

// unchanged reports whether the slots still are as they were: then no value was in the segment in
// between, since a slot never goes back.
func (q *kfifo) unchanged(s *segment, states []int64) bool {
	for i, x := range states {
		if s.slots[i].Load() != x {
			return false
		}
	}
	return true
}
