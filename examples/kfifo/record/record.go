package main

import (
	"sync"

	"github.com/linsat/linsat/history"
)

// record lets goroutines share a number of operations on a fresh queue, three insertions to two
// removals until half of them are done and the other way round afterwards, and returns the history.
// Every value is inserted once; what is left over stays in.
func record(k, goroutines, operations int) (*history.History, error) {
	q := newQueue(k)
	r := new(history.Recorder)
	r.SetSpec("queue")
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
					h := r.Call(g, "enq", v)
					q.enqueue(v)
					h.Return(nil)
					continue
				}
				h := r.Call(g, "deq", nil)
				if v, ok := q.dequeue(); ok {
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
