package twins

import (
	"sync"
	"sync/atomic"
)

// deadlocks are programs whose goroutines wait for each other, or for themselves.
func deadlocks() []program {
	return []program{
		{"moby-4951", "two locks are taken in both orders", twoOrders},
		{"moby-17176", "an early return keeps the lock", earlyReturn},
		{"moby-36114", "a method that locks is called with the lock", lockedTwice},
		{"wait-in-loop", "Wait stands in the loop that starts the workers", waitInLoop},
		{"moby-28405", "a send holds the lock that the receiver needs", sendWithLock},
		{"kubernetes-62464", "a read lock is taken again while a writer waits", readAgain},
		{"kubernetes-58107", "workers wait for work with a read lock, and a writer waits for them", idleWithReadLock},
		{"self-post", "a loop posts to its own queue, which another one has filled", selfPost},
		{"etcd-7492", "the one who drains a channel needs the lock of the one who fills it", fillWithLock},
		{"syncthing-5795", "Stop waits for a goroutine that calls Stop", stopFromWithin},
		{"once-in-once", "a function of Once calls its Do", onceInOnce},
		{"philosophers", "three forks, each taken left first", philosophers},
		{"add-after-wait", "a worker adds its own worker when Wait may have returned", addAfterWait},
	}
}

func twoOrders(s scene, right bool) {
	var a, b sync.Mutex
	s.Go(func() {
		a.Lock()
		defer a.Unlock()
		b.Lock()
		defer b.Unlock()
	})
	s.Go(func() {
		first, second := &b, &a
		if right {
			first, second = &a, &b
		}
		first.Lock()
		defer first.Unlock()
		second.Lock()
		defer second.Unlock()
	})
}

func earlyReturn(s scene, right bool) {
	var mu sync.Mutex
	var gone atomic.Bool
	s.Go(func() { gone.Store(true) })
	for range 2 {
		s.Go(func() {
			mu.Lock()
			if gone.Load() {
				if right {
					mu.Unlock()
				}
				return
			}
			mu.Unlock()
		})
	}
}

func lockedTwice(s scene, right bool) {
	var mu sync.Mutex
	started := map[string]bool{}
	start := func(id string) {
		mu.Lock()
		defer mu.Unlock()
		started[id] = true
	}
	var dead atomic.Bool
	s.Go(func() { dead.Store(true) })
	s.Go(func() {
		mu.Lock()
		again := dead.Load()
		if again && !right {
			start("a")
		}
		mu.Unlock()
		if again && right {
			start("a")
		}
	})
}

func waitInLoop(s scene, right bool) {
	s.Go(func() {
		var group sync.WaitGroup
		group.Add(2)
		for range 2 {
			go group.Done()
			if !right {
				group.Wait()
			}
		}
		group.Wait()
	})
}

func sendWithLock(s scene, right bool) {
	var mu sync.Mutex
	events := make(chan int)
	s.Go(func() {
		mu.Lock()
		if right {
			mu.Unlock()
		}
		events <- 1
		if !right {
			mu.Unlock()
		}
	})
	s.Go(func() {
		mu.Lock()
		mu.Unlock()
		<-events
	})
}

func readAgain(s scene, right bool) {
	var mu sync.RWMutex
	n := 0
	size := func() int {
		mu.RLock()
		defer mu.RUnlock()
		return n
	}
	s.Go(func() {
		mu.RLock()
		if right {
			_ = n
		} else {
			size()
		}
		mu.RUnlock()
	})
	s.Go(func() {
		mu.Lock()
		defer mu.Unlock()
		n++
	})
}

func idleWithReadLock(s scene, right bool) {
	var mu sync.RWMutex
	work := make(chan int, 1)
	s.Go(func() { // a worker without work
		if right {
			<-work
		}
		mu.RLock()
		defer mu.RUnlock()
		if !right {
			<-work
		}
	})
	s.Go(func() { // another one, which makes some
		mu.RLock()
		defer mu.RUnlock()
		work <- 1
	})
	s.Go(func() {
		mu.Lock()
		defer mu.Unlock()
	})
}

func selfPost(s scene, right bool) {
	size := 1
	if right {
		size = 2
	}
	queue := make(chan int, size)
	s.Go(func() {
		for range 3 {
			if <-queue == 1 {
				queue <- 3
			}
		}
	})
	s.Go(func() {
		queue <- 1
		queue <- 2
	})
}

func fillWithLock(s scene, right bool) {
	var mu sync.Mutex
	add, done := make(chan int), make(chan struct{})
	tokens := 0
	s.Go(func() {
		defer close(done)
		for range 2 {
			mu.Lock()
			if !right {
				add <- 1
			}
			tokens++
			mu.Unlock()
			if right {
				add <- 1
			}
		}
	})
	s.Go(func() {
		for {
			select {
			case <-add:
				mu.Lock()
				tokens--
				mu.Unlock()
			case <-done:
				return
			}
		}
	})
}

func stopFromWithin(s scene, right bool) {
	stopped, failed := make(chan struct{}), make(chan struct{}, 1)
	var once sync.Once
	stop := func(wait bool) {
		once.Do(func() { failed <- struct{}{} })
		if wait {
			<-stopped
		}
	}
	var broken atomic.Bool
	s.Go(func() { broken.Store(true) })
	s.Go(func() {
		defer close(stopped)
		if broken.Load() {
			stop(!right)
			return
		}
		<-failed
	})
	s.Go(func() { stop(true) })
}

func onceInOnce(s scene, right bool) {
	var once sync.Once
	var missing atomic.Bool
	var get func(again bool)
	get = func(again bool) {
		once.Do(func() {
			if missing.Load() && again {
				get(!right)
			}
		})
	}
	s.Go(func() { missing.Store(true) })
	s.Go(func() { get(!right) })
}

func philosophers(s scene, right bool) {
	var forks [3]sync.Mutex
	for i := range forks {
		left, other := i, (i+1)%3
		if right && left > other {
			left, other = other, left
		}
		s.Go(func() {
			forks[left].Lock()
			forks[other].Lock()
			forks[other].Unlock()
			forks[left].Unlock()
		})
	}
}

func addAfterWait(s scene, right bool) {
	var group sync.WaitGroup
	results := make(chan int)
	group.Add(1)
	s.Go(func() {
		defer group.Done()
		add := func() { group.Add(1) }
		if right {
			add()
		}
		go func() {
			if !right {
				add()
			}
			defer group.Done()
			results <- 1
		}()
	})
	s.Go(func() {
		group.Wait()
		close(results)
	})
	s.Go(func() {
		for range results {
		}
	})
}
