package shim

import (
	"runtime"

	"github.com/linsat/linsat/explore/shim/internal/core"
)

// Go runs f in a goroutine.
func Go(f func()) {
	if x := core.Running(); x != nil {
		x.Spawn(f)
		return
	}
	core.Stray(f)
}

// Rounds stands before a loop whose rounds end with Spin.
func Rounds() {
	if x := core.Running(); x != nil {
		x.Rounds()
	}
}

// Spin ends each round of a loop that waits and does nothing else, of those that go on.
func Spin() {
	if x := core.Running(); x != nil {
		x.Spin()
		return
	}
	runtime.Gosched()
}

// Gosched is runtime.Gosched: in an execution, the goroutine goes on after every other one that can
// run has run. If all that can have asked for it, time passes.
func Gosched() {
	if x := core.Running(); x != nil {
		x.Yield()
		return
	}
	runtime.Gosched()
}
