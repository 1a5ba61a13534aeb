package main

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"sync"

	"github.com/linsat/linsat/history"
)

// options says what record runs.
type options struct {
	// "stack" (Treiber's), "deque" (a lock for each end) or "queue" (a buffered channel)
	Object     string
	Goroutines int
	Operations int // of all goroutines together
	Values     int // values are 1 to Values; 0: every value is inserted once
	// Insertions is the share of insertions among the operations of the first half, and the share
	// of removals in the second; 0 stands for a half.
	Insertions float64
	// Yield is the probability with which a goroutine lets others run before and after it works on
	// the object, so that operations overlap on a machine with few processors, too.
	Yield float64
	Seed  uint64 // of what each goroutine does; the scheduler decides the rest
}

// object is a collection under test: operation f inserts v, or removes and reports whether it found
// anything.
type object struct {
	spec             string
	inserts, removes []string
	insert           func(f int, v int64)
	remove           func(f int) (v int64, ok bool)
}

func newObject(name string, operations int) (object, error) {
	switch name {
	case "stack":
		var s treiber
		return object{"stack", []string{"push"}, []string{"pop"}, func(_ int, v int64) {
			s.push(v)
		}, func(int) (int64, bool) { return s.pop() }}, nil
	case "deque":
		var d deque
		return object{"deque", []string{"pushfront", "pushback"}, []string{"popfront", "popback"}, d.push, d.pop}, nil
	case "queue":
		c := make(chan int64, operations)
		return object{"queue", []string{"enq"}, []string{"deq"}, func(_ int, v int64) {
			c <- v
		}, func(int) (int64, bool) {
			select {
			case v := <-c:
				return v, true
			default:
				return 0, false
			}
		}}, nil
	}
	return object{}, fmt.Errorf("unknown object %q: it is stack, deque or queue", name)
}

// record lets goroutines share the operations on a fresh object and returns the history.
func record(o options) (*history.History, error) {
	if o.Goroutines < 1 || o.Operations < 1 || o.Values < 0 || o.Insertions < 0 || o.Insertions > 1 ||
		o.Yield < 0 || o.Yield > 1 {
		return nil,
			fmt.Errorf(
				"a recording has at least one goroutine and one operation, no negative number of values, and shares " +
					"from 0 to 1")
	}
	if o.Insertions == 0 {
		o.Insertions = 0.5
	}
	x, err := newObject(o.Object, o.Operations)
	if err != nil {
		return nil, err
	}
	r := new(history.Recorder)
	r.SetSpec(x.spec)
	start := make(chan struct{})
	var wait sync.WaitGroup
	for g := range o.Goroutines {
		each := o.Operations / o.Goroutines
		if g < o.Operations%o.Goroutines {
			each++
		}
		wait.Go(func() {
			draw := rand.New(rand.NewPCG(o.Seed, uint64(g)))
			yield := func() {
				if draw.Float64() < o.Yield {
					runtime.Gosched()
				}
			}
			<-start
			for i := range each {
				share := o.Insertions
				if 2*i >= each {
					share = 1 - share
				}
				if draw.Float64() < share {
					v := int64(i*o.Goroutines + g)
					if o.Values > 0 {
						v = 1 + draw.Int64N(int64(o.Values))
					}
					f := draw.IntN(len(x.inserts))
					h := r.Call(g, x.inserts[f], v)
					yield()
					x.insert(f, v)
					yield()
					h.Return(nil)
					continue
				}
				f := draw.IntN(len(x.removes))
				h := r.Call(g, x.removes[f], nil)
				yield()
				v, ok := x.remove(f)
				yield()
				if ok {
					h.Return(v)
				} else {
					h.Return(nil)
				}
			}
		})
	}
	close(start)
	wait.Wait()
	return r.History()
}
