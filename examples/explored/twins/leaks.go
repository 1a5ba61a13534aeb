package twins

import (
	"context"
	"sync"
	"time"
)

// leaks are programs that leave a goroutine behind, which waits for ever.
func leaks() []program {
	return []program{
		{"kubernetes-5316", "the result comes after the timeout, and nobody receives it", resultAfterTimeout},
		{"kubernetes-25331", "the producer does not look at the context", producerWithoutContext},
		{"error-ends-receiver", "an error ends the loop that would receive", errorEndsReceiver},
		{"cockroach-13197", "a transaction that is done leaves its watcher", watcherOfContext},
		{"etcd-6855", "a status is asked of a node that has stopped", askTheStopped},
		{"first-of-three", "the first answer is taken, the others cannot be given", firstOfThree},
		{"ticker-loop", "a loop over a ticker that is stopped", stoppedTicker},
		{"range-never-closed", "the consumer ranges over a channel that an error keeps open", neverClosed},
		{"semaphore-kept", "a worker that fails keeps its place", placeKept},
		{"pipeline-break", "a stage stops early, and the one before it cannot send", pipelineBreak},
	}
}

func resultAfterTimeout(s scene, right bool) {
	buffer := 0
	if right {
		buffer = 1
	}
	result := make(chan int, buffer)
	s.Go(func() {
		go func() {
			time.Sleep(time.Second)
			result <- 1
		}()
		select {
		case <-result:
		case <-time.After(time.Second):
		}
	})
}

func producerWithoutContext(s scene, right bool) {
	ctx, cancel := context.WithCancel(context.Background())
	events := make(chan int)
	s.Go(func() {
		go func() {
			done := ctx.Done()
			if !right {
				done = nil
			}
			select {
			case events <- 1:
			case <-done:
			}
		}()
		select {
		case <-events:
		case <-ctx.Done():
		}
	})
	s.Go(cancel)
}

func errorEndsReceiver(s scene, right bool) {
	errs := make(chan error)
	results := make(chan int)
	stop := make(chan struct{})
	s.Go(func() { // a worker
		go func() {
			select {
			case results <- 1:
			case <-stop:
			}
		}()
		select {
		case <-results:
		case <-errs:
		}
		if right {
			close(stop)
		}
	})
	s.Go(func() {
		select {
		case errs <- context.Canceled:
		default:
		}
	})
}

func watcherOfContext(s scene, right bool) {
	s.Go(func() {
		ctx, cancel := context.WithCancel(context.Background())
		done := make(chan struct{})
		go func() {
			select {
			case <-ctx.Done():
			case <-done:
			}
		}()
		if right {
			cancel()
		}
		_ = cancel
	})
}

func askTheStopped(s scene, right bool) {
	stop, stopped := make(chan struct{}), make(chan struct{})
	status := make(chan chan int)
	s.Go(func() {
		defer close(stopped)
		for {
			select {
			case c := <-status:
				c <- 1
			case <-stop:
				return
			}
		}
	})
	s.Go(func() { close(stop) })
	s.Go(func() {
		go func() {
			over := stopped
			if !right {
				over = nil
			}
			c := make(chan int, 1)
			select {
			case status <- c:
				<-c
			case <-over:
			}
		}()
	})
}

func firstOfThree(s scene, right bool) {
	buffer := 0
	if right {
		buffer = 2
	}
	answers := make(chan int, buffer)
	s.Go(func() {
		for i := range 3 {
			go func() { answers <- i }()
		}
		<-answers
	})
}

func stoppedTicker(s scene, right bool) {
	done := make(chan struct{})
	s.Go(func() {
		ticker := time.NewTicker(time.Second)
		go func() {
			for {
				select {
				case <-ticker.C:
				case <-done:
					return
				}
			}
		}()
		time.Sleep(1500 * time.Millisecond)
		ticker.Stop()
		if right {
			close(done)
		}
	})
}

func neverClosed(s scene, right bool) {
	lines := make(chan int)
	broken := make(chan struct{}, 1)
	s.Go(func() { broken <- struct{}{} })
	s.Go(func() {
		go func() {
			for range lines {
			}
		}()
		select {
		case <-broken:
			if right {
				close(lines)
			}
		default:
			close(lines)
		}
	})
}

func placeKept(s scene, right bool) {
	places := make(chan struct{}, 1)
	failed := make(chan struct{}, 1)
	s.Go(func() { failed <- struct{}{} })
	s.Go(func() {
		for range 2 {
			go func() {
				places <- struct{}{}
				select {
				case <-failed:
					if right {
						<-places
					}
				default:
					<-places
				}
			}()
		}
	})
}

func pipelineBreak(s scene, right bool) {
	squares, quit := make(chan int), make(chan struct{})
	var group sync.WaitGroup
	group.Add(1)
	s.Go(func() {
		go func() {
			defer group.Done()
			for i := range 3 {
				over := quit
				if !right {
					over = nil
				}
				select {
				case squares <- i * i:
				case <-over:
					return
				}
			}
		}()
		for range 2 {
			<-squares
		}
		close(quit)
		if right {
			group.Wait()
		}
	})
}
