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
	go f()
}

// Gosched is runtime.Gosched: in an execution, the goroutine goes on after every other one that can
// run has run.
func Gosched() {
	if x := core.Running(); x != nil {
		x.Yield()
		return
	}
	runtime.Gosched()
}
