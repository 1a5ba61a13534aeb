package dotnet

import (
	"github.com/linsat/linsat/explore"
	"github.com/linsat/linsat/explore/mem"
)

// countdownEvent lets those who wait through once a count, at first 2, has been signalled down to
// zero; then it stays there (like sync.WaitGroup). The thread that brings the count to zero sets
// the event on which the others sleep.
type countdownEvent struct {
	count   *mem.Int64
	done    *mem.Atomic[bool]
	raising bool // seeded: AddCount looks at the count first and adds to it later
}

// Signal reports whether it brought the count to zero.
func (e *countdownEvent) Signal(n int64) any {
	for {
		c := e.count.Load()
		if c < n {
			return invalid
		}
		if e.count.CompareAndSwap(c, c-n) {
			if c == n {
				e.done.Store(true)
			}
			return c == n
		}
	}
}

// TryAddCount adds to the count unless it is zero, and reports whether it did.
func (e *countdownEvent) TryAddCount(n int64) bool {
	for {
		c := e.count.Load()
		switch {
		case c == 0:
			return false
		case e.raising:
			e.count.Add(n)
			return true
		case e.count.CompareAndSwap(c, c+n):
			return true
		}
	}
}

func (e *countdownEvent) AddCount(n int64) any {
	if !e.TryAddCount(n) {
		return invalid
	}
	return nil
}

func (e *countdownEvent) Wait() {
	if !e.IsSet() {
		e.done.Await(func(done bool) bool { return done })
	}
}

func (e *countdownEvent) IsSet() bool { return e.count.Load() == 0 }

func newCountdownEvent(raising bool) func(*mem.Memory) explore.Instance {
	return func(m *mem.Memory) explore.Instance {
		e := &countdownEvent{count: mem.NewInt64(m, "count", 2), done: mem.NewAtomic(m, "done", false),
			raising: raising}
		return func(f string, arg any) any {
			switch f {
			case "signal":
				return e.Signal(orOne(arg))
			case "addCount":
				return e.AddCount(orOne(arg))
			case "tryAddCount":
				return e.TryAddCount(orOne(arg))
			case "wait":
				if arg == 0 {
					return e.IsSet()
				}
				e.Wait()
				return nil
			case "isSet", "waitOne":
				return e.IsSet()
			case "currentCount":
				return e.count.Load()
			}
			panic(unknown(f))
		}
	}
}

// waitOne is WaitOne(0), as in the manual reset event.
var countdownCalls = []explore.Call{
	{F: "isSet"}, {F: "wait"}, {F: "wait", Arg: 0}, {F: "currentCount"}, {F: "waitOne"},
	{F: "signal"}, {F: "signal", Arg: 2}, {F: "addCount"}, {F: "addCount", Arg: 2}, {F: "tryAddCount"},
	{F: "tryAddCount", Arg: 2},
}
