package dotnet

import (
	"github.com/linsat/linsat/explore"
	"github.com/linsat/linsat/explore/mem"
)

// cancellation is a source of cancellation with callbacks (context.WithCancel and
// context.AfterFunc). A callback, here one that adds to a counter, runs when the source is
// cancelled, or at once if it is already. Cancel runs the callbacks under the lock, so that whoever
// finds the source cancelled and looks under the lock finds their effects.
type cancellation struct {
	lock       *mem.Mutex
	canceled   *mem.Atomic[bool]
	registered *mem.Var[int]
	counter    *mem.Var[int]
	later      bool // seeded: Cancel runs the callbacks after it has freed the lock
}

func (c *cancellation) Cancel() {
	c.lock.Lock()
	if c.canceled.Load() {
		c.lock.Unlock()
		return
	}
	c.canceled.Store(true)
	callbacks := c.registered.Load()
	if c.later {
		c.lock.Unlock()
		c.lock.Lock()
	}
	c.counter.Store(c.counter.Load() + callbacks)
	c.lock.Unlock()
}

// Increment registers a callback that increments the counter.
func (c *cancellation) Increment() {
	c.lock.Lock()
	if c.canceled.Load() {
		c.counter.Store(c.counter.Load() + 1)
	} else {
		c.registered.Store(c.registered.Load() + 1)
	}
	c.lock.Unlock()
}

// Count returns the counter.
func (c *cancellation) Count() int {
	c.lock.Lock()
	n := c.counter.Load()
	c.lock.Unlock()
	return n
}

func newCancellation(later bool) func(*mem.Memory) explore.Instance {
	return func(m *mem.Memory) explore.Instance {
		c := &cancellation{mem.NewMutex(m, "lock"), mem.NewAtomic(m, "canceled", false), mem.NewVar(m, "registered", 0),
			mem.NewVar(m, "counter", 0), later}
		return func(f string, _ any) any {
			switch f {
			case "cancel":
				c.Cancel()
				return nil
			case "increment":
				c.Increment()
				return nil
			case "count":
				return c.Count()
			case "isCancellationRequested":
				return c.canceled.Load()
			}
			panic(unknown(f))
		}
	}
}

// The paper's rows name Increment and Cancel; without something to observe them by, every
// implementation passes.
var cancellationCalls = []explore.Call{{F: "increment"}, {F: "cancel"}, {F: "count"}, {F: "isCancellationRequested"}}
