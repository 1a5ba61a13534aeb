package twins

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// reports are what public reports about concurrent Go packages come down to, by repository and
// number.
func reports() []program {
	return []program{
		{"hashmap-54", "Set writes into an index that has been copied, and is replaced", setWhileGrowing},
		{"xsync-109", "a store looks for a newer table before it looks whether one is made", newerTableFirst},
		{"goconcurrentqueue-27", "an element is handed to a listener that has given up", listenerGaveUp},
		{"goconcurrentqueue-30", "a listener that does not listen yet is dropped", listenerDropped},
		{"goconcurrentqueue-34", "a taker registers when the element is in the queue already", takerTooLate},
		{"gopkg-264", "a store writes into a node that is being deleted", storeIntoDeleted},
		{"pond-33", "a task is left to an idle worker that is retired", idleRetired},
		{"autobrr-2637", "a read that refreshes an item writes an old one back", refreshOldItem},
		{"ragflow-18646", "a job is sent when the channel for jobs is closed", submitAfterStop},
	}
}

// then runs goroutines, and when all of them have ended one more.
func then(s scene, last func(), all ...func()) {
	var group sync.WaitGroup
	group.Add(len(all))
	for _, f := range all {
		s.Go(func() {
			defer group.Done()
			f()
		})
	}
	s.Go(func() {
		group.Wait()
		last()
	})
}

func setWhileGrowing(s scene, right bool) {
	type index struct{ slots [2]atomic.Int64 }
	var current atomic.Pointer[index]
	var mu sync.Mutex
	lock, unlock := func() {}, func() {}
	if right {
		lock, unlock = mu.Lock, mu.Unlock
	}
	current.Store(&index{})
	then(s, func() {
		if current.Load().slots[1].Load() != 1 {
			panic("what was set is lost")
		}
	}, func() { // Set
		lock()
		defer unlock()
		current.Load().slots[1].Store(1)
	}, func() { // grow
		lock()
		defer unlock()
		grown := &index{}
		for i := range grown.slots {
			grown.slots[i].Store(current.Load().slots[i].Load())
		}
		current.Store(grown)
	})
}

func newerTableFirst(s scene, right bool) {
	type table struct {
		mu    sync.Mutex
		value int
	}
	var current atomic.Pointer[table]
	var resizing atomic.Bool
	current.Store(&table{})
	then(s, func() {
		if current.Load().value != 1 {
			panic("what was stored is lost")
		}
	}, func() { // store
		for {
			t := current.Load()
			newer := func() bool { return current.Load() != t }
			first, second := newer, resizing.Load
			if right {
				first, second = second, first
			}
			t.mu.Lock()
			if !first() && !second() {
				t.value = 1
				t.mu.Unlock()
				return
			}
			t.mu.Unlock()
			for resizing.Load() {
				runtime.Gosched()
			}
		}
	}, func() { // resize
		resizing.Store(true)
		t, made := current.Load(), &table{}
		t.mu.Lock()
		made.value = t.value
		t.mu.Unlock()
		current.Store(made)
		resizing.Store(false)
	})
}

func listenerGaveUp(s scene, right bool) {
	listeners, queue := make(chan chan int, 1), make(chan int, 1)
	gaveUp, canceled := make(chan struct{}), make(chan struct{})
	never := make(chan struct{})
	s.Go(func() { close(canceled) })
	s.Go(func() { // dequeue
		c := make(chan int)
		listeners <- c
		select {
		case <-c:
		case <-canceled:
			close(gaveUp)
		}
	})
	s.Go(func() { // enqueue
		over := never
		if right {
			over = gaveUp
		}
		select {
		case c := <-listeners:
			select {
			case c <- 1:
			case <-over:
				queue <- 1
			}
		default:
			queue <- 1
		}
	})
}

func listenerDropped(s scene, right bool) {
	var mu sync.Mutex
	items, size := 0, 0
	if right {
		size = 1
	}
	listeners := make(chan chan int, 1)
	s.Go(func() { // dequeue
		c := make(chan int, size)
		mu.Lock()
		if items == 1 {
			items = 0
			mu.Unlock()
			return
		}
		listeners <- c
		mu.Unlock()
		<-c
	})
	s.Go(func() { // enqueue
		mu.Lock()
		defer mu.Unlock()
		select {
		case c := <-listeners:
			select {
			case c <- 1:
				return
			default:
			}
		default:
		}
		items = 1
	})
}

func takerTooLate(s scene, right bool) {
	takers, queue := make(chan chan int, 1), make(chan int, 1)
	s.Go(func() { // dequeue
		select {
		case <-queue:
			return
		default:
		}
		c := make(chan int)
		takers <- c
		again := queue
		if !right {
			again = nil
		}
		select {
		case <-c:
		case <-again:
		}
	})
	s.Go(func() { // enqueue
		select {
		case c := <-takers:
			c <- 1
		default:
			queue <- 1
		}
	})
}

func storeIntoDeleted(s scene, right bool) {
	type node struct {
		mu      sync.Mutex
		deleted atomic.Bool
		value   atomic.Int64
	}
	var head atomic.Pointer[node]
	first := &node{}
	first.value.Store(1)
	head.Store(first)
	was := int64(0)
	then(s, func() {
		if was == 1 && head.Load() == nil {
			panic("what was stored is lost")
		}
	}, func() { // store
		n := head.Load()
		if right && n != nil {
			n.mu.Lock()
			defer n.mu.Unlock()
		}
		if n != nil && !n.deleted.Load() {
			n.value.Store(2)
			return
		}
		for head.Load() == first {
			runtime.Gosched()
		}
		n = &node{}
		n.value.Store(2)
		head.Store(n)
	}, func() { // delete
		if right {
			first.mu.Lock()
		}
		first.deleted.Store(true)
		was = first.value.Load()
		if right {
			first.mu.Unlock()
		}
		head.Store(nil)
	})
}

func idleRetired(s scene, right bool) {
	var mu sync.Mutex
	tasks, done := make(chan func(), 2), make(chan struct{})
	idle := 1
	work := func() {
		if task := <-tasks; task != nil {
			task()
		}
	}
	s.Go(work)
	claim := func() bool {
		mu.Lock()
		defer mu.Unlock()
		if idle == 0 {
			return false
		}
		if right {
			idle--
		}
		return true
	}
	s.Go(func() { // purge
		if claim() {
			tasks <- nil
			mu.Lock()
			idle = 0
			mu.Unlock()
		}
	})
	s.Go(func() { // submit
		if !claim() {
			go work()
		}
		tasks <- func() { close(done) }
		<-done
	})
}

func refreshOldItem(s scene, right bool) {
	var mu sync.Mutex
	value := 1
	then(s, func() {
		if value != 2 {
			panic("what was set is lost")
		}
	}, func() { // get
		mu.Lock()
		got := value
		if !right {
			mu.Unlock()
			mu.Lock()
		}
		value = got // and its time
		mu.Unlock()
	}, func() { // set
		mu.Lock()
		value = 2
		mu.Unlock()
	})
}

func submitAfterStop(s scene, right bool) {
	var mu sync.Mutex
	jobs, stopped := make(chan int, 1), false
	s.Go(func() { // submit
		mu.Lock()
		if stopped {
			mu.Unlock()
			return
		}
		if !right {
			mu.Unlock()
		}
		jobs <- 1
		if right {
			mu.Unlock()
		}
	})
	s.Go(func() { // stop
		mu.Lock()
		stopped = true
		mu.Unlock()
		close(jobs)
	})
}
