package dotnet

import (
	"github.com/linsat/linsat/explore"
	"github.com/linsat/linsat/explore/mem"
)

// manualResetEvent blocks those who wait until it is set, and lets all through until it is reset.
// As in .NET's ManualResetEventSlim one word holds whether it is set and how many wait, and setting
// it costs a wake-up only if a thread waits.
//
// The number of wake-ups is read before the word: a wake-up after that read cannot be missed.
type manualResetEvent struct {
	state *mem.Atomic[eventState]
	wakes *mem.Int64
	typo  bool // bug A
}

type eventState struct {
	set     bool
	waiters int
}

func (e *manualResetEvent) Set() {
	for {
		old := e.state.Load()
		if old.set {
			return
		}
		if e.state.CompareAndSwap(old, eventState{set: true}) {
			if old.waiters > 0 {
				e.wakes.Add(1)
			}
			return
		}
	}
}

func (e *manualResetEvent) Reset() {
	for {
		old := e.state.Load()
		if !old.set || e.state.CompareAndSwap(old, eventState{waiters: old.waiters}) {
			return
		}
	}
}

// Wait registers as waiter and sleeps until the next wake-up, for as long as the event is not set.
//
// Bug A of the paper computes the new word from a second read. If the event is set between the two
// reads and reset again before the compare-and-swap, the swap succeeds and writes "set, one
// waiter": the next Set finds the event set and wakes no thread.
func (e *manualResetEvent) Wait() {
	for {
		wakes := e.wakes.Load()
		state := e.state.Load()
		if state.set {
			return
		}
		next := state
		if e.typo {
			next = e.state.Load()
		}
		next.waiters++
		if e.state.CompareAndSwap(state, next) {
			e.wakes.Await(func(n int64) bool { return n != wakes })
		}
	}
}

func (e *manualResetEvent) IsSet() bool { return e.state.Load().set }

func newManualResetEvent(typo bool) func(*mem.Memory) explore.Instance {
	return func(m *mem.Memory) explore.Instance {
		e := &manualResetEvent{state: mem.NewAtomic(m, "state", eventState{}), wakes: mem.NewInt64(m, "wakes", 0),
			typo: typo}
		return func(f string, _ any) any {
			switch f {
			case "set":
				e.Set()
			case "reset":
				e.Reset()
			case "wait":
				e.Wait()
			case "isSet", "waitOne":
				return e.IsSet()
			default:
				panic(unknown(f))
			}
			return nil
		}
	}
}

// waitOne is WaitOne(0): it does not wait, and reports whether the event is set.
var eventCalls = []explore.Call{{F: "set"}, {F: "wait"}, {F: "reset"}, {F: "isSet"}, {F: "waitOne"}}
