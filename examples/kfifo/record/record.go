package main

import (
	"sync"

	"github.com/linsat/linsat/history"
)

// object is what is recorded, in the words of a specification.
type object struct {
	spec, insert, remove string
	put                  func(v int64)
	take                 func() (v int64, ok bool)
}

// newObject returns a k-FIFO queue, or a MultiQueue of k queues.
func newObject(multi bool, k int) object {
	if multi {
		m := newMultiqueue(k)
		return object{"priority-queue", "insert", "removemin", m.insert, m.removeMin}
	}
	q := newQueue(k)
	return object{"queue", "enq", "deq", q.enqueue, q.dequeue}
}

// record lets goroutines share a number of operations on a fresh object, three insertions to two
// removals until half of them are done and the other way round afterwards, and returns the history.
// Every value is inserted once; what is left over stays in.
func record(q object, goroutines, operations int) (*history.History, error) {
	r := new(history.Recorder)
	r.SetSpec(q.spec)
	var wait sync.WaitGroup
	for g := range goroutines {
		each := operations / goroutines
		if g < operations%goroutines {
			each++
		}
		wait.Go(func() {
			for i := range each {
				inserts := i%5 < 3
				if i >= each/2 {
					inserts = i%5 < 2
				}
				if inserts {
					v := int64(i*goroutines + g)
					h := r.Call(g, q.insert, v)
					q.put(v)
					h.Return(nil)
					continue
				}
				h := r.Call(g, q.remove, nil)
				if v, ok := q.take(); ok {
					h.Return(v)
				} else {
					h.Return(nil)
				}
			}
		})
	}
	wait.Wait()
	return r.History()
}
