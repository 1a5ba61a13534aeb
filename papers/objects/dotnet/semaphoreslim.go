package dotnet

import (
	"github.com/linsat/linsat/explore"
	"github.com/linsat/linsat/explore/mem"
)

// semaphoreSlim counts permits under a lock; those who find none sleep on a condition variable. It
// starts without permits.
type semaphoreSlim struct {
	lock  *mem.Mutex
	some  *mem.Cond
	count *mem.Int64
	stint bool // seeded: a release of several permits wakes one waiter only
}

func (s *semaphoreSlim) Wait() {
	s.lock.Lock()
	n := s.count.Load()
	for n == 0 {
		s.some.Wait()
		n = s.count.Load()
	}
	s.count.Store(n - 1)
	s.lock.Unlock()
}

// TryWait is Wait(0).
func (s *semaphoreSlim) TryWait() bool {
	s.lock.Lock()
	n := s.count.Load()
	if n > 0 {
		s.count.Store(n - 1)
	}
	s.lock.Unlock()
	return n > 0
}

// Release adds permits and returns how many there were.
func (s *semaphoreSlim) Release(permits int64) int64 {
	s.lock.Lock()
	n := s.count.Load()
	s.count.Store(n + permits)
	if permits == 1 || s.stint {
		s.some.Signal()
	} else {
		s.some.Broadcast()
	}
	s.lock.Unlock()
	return n
}

func (s *semaphoreSlim) CurrentCount() int64 { return s.count.Load() }

func newSemaphoreSlim(stint bool) func(*mem.Memory) explore.Instance {
	return func(m *mem.Memory) explore.Instance {
		lock := mem.NewMutex(m, "lock")
		s := &semaphoreSlim{lock: lock, some: mem.NewCond(m, "some", lock), count: mem.NewInt64(m, "count", 0),
			stint: stint}
		return func(f string, arg any) any {
			switch f {
			case "wait":
				if arg == 0 {
					return s.TryWait()
				}
				s.Wait()
				return nil
			case "release":
				return s.Release(orOne(arg))
			case "currentCount":
				return s.CurrentCount()
			}
			panic(unknown(f))
		}
	}
}

var semaphoreCalls = []explore.Call{{F: "currentCount"}, {F: "release"}, {F: "release", Arg: 2}, {F: "wait"},
	{F: "wait", Arg: 0}}
