package history

import (
	"os"
	"runtime"
	"sync"
)

// readPart is a file that was read.
type readPart struct {
	b      *Builder
	format string
	err    error
}

// ahead reads the files of a history side by side, as long as they are small together, and hands
// them out in their order.
type ahead struct {
	parts []chan readPart // by file, with room for one
	room  chan struct{}   // as many files as may be read and not handed out
	done  chan struct{}   // closed at the end
	wait  sync.WaitGroup

	lock sync.Mutex // of progress
	read int64
}

// newAhead begins to read. Its owner calls close.
func newAhead(files []string, opts ReadOptions) *ahead {
	workers := min(runtime.GOMAXPROCS(0), len(files))
	if !smallTogether(files) {
		workers = 1
	}
	a := &ahead{parts: make([]chan readPart, len(files)), room: make(chan struct{}, workers), done: make(chan struct{})}
	for k := range files {
		a.parts[k] = make(chan readPart, 1)
	}
	next := make(chan int)
	a.wait.Go(func() {
		defer close(next)
		for k := range files {
			select {
			case a.room <- struct{}{}:
			case <-a.done:
				return
			}
			next <- k
		}
	})
	for range workers {
		a.wait.Go(func() {
			for k := range next {
				one := opts
				one.Name, one.path = files[k], ""
				if opts.Progress != nil {
					one.Progress = a.progress(opts.Progress)
				}
				var p readPart
				p.b, p.format, p.err = buildFile(files[k], one)
				a.parts[k] <- p
			}
		})
	}
	return a
}

// smallTogether reports whether files are small enough to be in memory side by side before they are
// put together.
func smallTogether(files []string) bool {
	left := int64(mostAside)
	for _, file := range files {
		info, err := os.Stat(file)
		if err != nil || !info.Mode().IsRegular() {
			return false
		}
		if left -= info.Size(); left < 0 {
			return false
		}
	}
	return true
}

// part waits for a file. Files are asked for in their order, once each.
func (a *ahead) part(k int) readPart {
	p := <-a.parts[k]
	<-a.room
	return p
}

// close stops reading.
func (a *ahead) close() {
	close(a.done)
	a.wait.Wait()
}

// progress returns what adds the bytes of one file to those of all, and tells the sum.
func (a *ahead) progress(tell func(int64)) func(int64) {
	before := int64(0)
	return func(bytes int64) {
		a.lock.Lock()
		defer a.lock.Unlock()
		a.read += bytes - before
		before = bytes
		tell(a.read)
	}
}
