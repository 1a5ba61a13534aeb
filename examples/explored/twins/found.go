package twins

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// found are what linsat test found in public packages and nobody had reported, by package.
func found() []program {
	return []program{
		{"haxmap-taken-twice", "GetAndDel reads a value before it marks it as deleted", takenTwice},
		{"skipset-negative-length", "a key is linked before it is counted", negativeLength},
		{"gcache-load-over-set", "a loader's value replaces one that was set while it loaded", loadOverSet},
		{"mpmcqueue-false-empty", "TryDequeue takes a slot that is claimed for the end", falseEmpty},
	}
}

func takenTwice(s scene, right bool) {
	var deleted atomic.Bool
	var takers atomic.Int32
	take := func() {
		if deleted.Load() {
			return
		}
		if deleted.Swap(true) && right {
			return
		}
		takers.Add(1)
	}
	then(s, func() {
		if takers.Load() != 1 {
			panic("one value was taken twice")
		}
	}, take, take)
}

func negativeLength(s scene, right bool) {
	var linked atomic.Bool
	var length atomic.Int32
	s.Go(func() { // add
		if right {
			length.Add(1)
		}
		linked.Store(true)
		if !right {
			length.Add(1)
		}
	})
	s.Go(func() { // remove, and then the length
		if linked.CompareAndSwap(true, false) && length.Add(-1) < 0 {
			panic("the length is negative")
		}
	})
}

func loadOverSet(s scene, right bool) {
	var mu sync.Mutex
	value := 0
	set := func(v int, only bool) {
		mu.Lock()
		defer mu.Unlock()
		if !only || value == 0 {
			value = v
		}
	}
	then(s, func() {
		if value != 2 {
			panic("what was set is lost")
		}
	}, func() { // get
		mu.Lock()
		missing := value == 0
		mu.Unlock()
		if missing {
			set(1, right)
		}
	}, func() { set(2, false) })
}

func falseEmpty(s scene, right bool) {
	var tail atomic.Int32
	var slots [2]atomic.Bool
	enqueue := func() { slots[tail.Add(1)-1].Store(true) }
	s.Go(enqueue)
	s.Go(func() {
		enqueue()
		for !slots[0].Load() { // TryDequeue
			if !right || tail.Load() == 0 {
				panic("a queue with an element is empty")
			}
			runtime.Gosched()
		}
	})
}
