package twins

import (
	"context"
	"sync"
	"sync/atomic"
)

// wakeups are programs in which somebody sleeps although what it waits for has come.
func wakeups() []program {
	return []program{
		{"signal-for-broadcast", "takers and putters wait at one condition, Signal wakes the wrong one", signalForBroadcast},
		{"xsync-10", "the state is set and told without the lock", setWithoutLock},
		{"signal-if-empty", "Put signals only if the queue was empty", signalIfEmpty},
		{"state-after-broadcast", "the state is set after the broadcast", stateAfterBroadcast},
		{"token-before-item", "the token of a queue is sent before the item is there", tokenBeforeItem},
		{"parked-flag", "a worker says that it sleeps after it has looked for work", parkedFlag},
		{"remade-channel", "a waiter takes the channel to wait at after it has looked at the state", remadeChannel},
		{"if-for-for", "a waiter does not look again when it has been woken", ifForFor},
		{"afterfunc", "context.AfterFunc tells a condition without its lock", afterFunc},
		{"release-many", "three places are given back, and one waiter is told", releaseMany},
	}
}

func signalForBroadcast(s scene, right bool) {
	var mu sync.Mutex
	c, full := sync.NewCond(&mu), false
	wake := c.Signal
	if right {
		wake = c.Broadcast
	}
	for range 2 {
		s.Go(func() {
			mu.Lock()
			defer mu.Unlock()
			for full {
				c.Wait()
			}
			full = true
			wake()
		})
		s.Go(func() {
			mu.Lock()
			defer mu.Unlock()
			for !full {
				c.Wait()
			}
			full = false
			wake()
		})
	}
}

func setWithoutLock(s scene, right bool) {
	var mu sync.Mutex
	var ready atomic.Bool
	c := sync.NewCond(&mu)
	s.Go(func() {
		if right {
			mu.Lock()
			defer mu.Unlock()
		}
		ready.Store(true)
		c.Broadcast()
	})
	s.Go(func() {
		mu.Lock()
		defer mu.Unlock()
		for !ready.Load() {
			c.Wait()
		}
	})
}

func signalIfEmpty(s scene, right bool) {
	var mu sync.Mutex
	c, n := sync.NewCond(&mu), 0
	s.Go(func() {
		for range 2 {
			mu.Lock()
			n++
			if right || n == 1 {
				c.Signal()
			}
			mu.Unlock()
		}
	})
	for range 2 {
		s.Go(func() {
			mu.Lock()
			defer mu.Unlock()
			for n == 0 {
				c.Wait()
			}
			n--
		})
	}
}

func stateAfterBroadcast(s scene, right bool) {
	var mu sync.Mutex
	c, closed := sync.NewCond(&mu), false
	s.Go(func() {
		mu.Lock()
		closed = right
		c.Broadcast()
		mu.Unlock()
		mu.Lock()
		closed = true
		mu.Unlock()
	})
	s.Go(func() {
		mu.Lock()
		defer mu.Unlock()
		for !closed {
			c.Wait()
		}
	})
}

func tokenBeforeItem(s scene, right bool) {
	var mu sync.Mutex
	n := 0
	put := func() { mu.Lock(); n++; mu.Unlock() }
	token := make(chan struct{}, 1)
	tell := func() {
		select {
		case token <- struct{}{}:
		default:
		}
	}
	s.Go(func() {
		if right {
			put()
			tell()
		} else {
			tell()
			put()
		}
	})
	s.Go(func() {
		for {
			<-token
			mu.Lock()
			got := n > 0
			mu.Unlock()
			if got {
				return
			}
		}
	})
}

func parkedFlag(s scene, right bool) {
	var work, parked atomic.Bool
	wake := make(chan struct{}, 1)
	s.Go(func() {
		work.Store(true)
		if parked.CompareAndSwap(true, false) {
			wake <- struct{}{}
		}
	})
	s.Go(func() {
		if right {
			parked.Store(true)
			if !work.Load() || !parked.CompareAndSwap(true, false) {
				<-wake
			}
			return
		}
		if !work.Load() {
			parked.Store(true)
			<-wake
		}
	})
}

func remadeChannel(s scene, right bool) {
	var mu sync.Mutex
	version, changed := 0, make(chan struct{})
	s.Go(func() {
		mu.Lock()
		defer mu.Unlock()
		version++
		close(changed)
		changed = make(chan struct{})
	})
	s.Go(func() {
		mu.Lock()
		seen, c := version, changed
		mu.Unlock()
		if seen > 0 {
			return
		}
		if !right {
			mu.Lock()
			c = changed
			mu.Unlock()
		}
		<-c
	})
}

func ifForFor(s scene, right bool) {
	var mu sync.Mutex
	c := sync.NewCond(&mu)
	items := []int{}
	for range 2 {
		s.Go(func() {
			mu.Lock()
			defer mu.Unlock()
			if len(items) == 0 {
				c.Wait()
			}
			for right && len(items) == 0 {
				c.Wait()
			}
			items = items[1:]
		})
	}
	s.Go(func() {
		for range 2 {
			mu.Lock()
			items = append(items, 1)
			c.Broadcast()
			mu.Unlock()
		}
	})
}

func afterFunc(s scene, right bool) {
	var mu sync.Mutex
	c := sync.NewCond(&mu)
	ctx, cancel := context.WithCancel(context.Background())
	s.Go(func() {
		stop := context.AfterFunc(ctx, func() {
			if right {
				mu.Lock()
				defer mu.Unlock()
			}
			c.Broadcast()
		})
		defer stop()
		mu.Lock()
		defer mu.Unlock()
		for ctx.Err() == nil {
			c.Wait()
		}
	})
	s.Go(cancel)
}

func releaseMany(s scene, right bool) {
	var mu sync.Mutex
	c, free := sync.NewCond(&mu), 0
	acquire := func(n int) {
		mu.Lock()
		defer mu.Unlock()
		for free < n {
			c.Wait()
		}
		free -= n
	}
	s.Go(func() { acquire(2) })
	s.Go(func() { acquire(1) })
	s.Go(func() {
		mu.Lock()
		defer mu.Unlock()
		free += 3
		if right {
			c.Broadcast()
		} else {
			c.Signal()
		}
	})
}
