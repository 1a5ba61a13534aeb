//go:build race && linsatrace

package explore

import (
	"runtime"
	"unsafe"
)

// racing reports whether Go's race detector watches the code of the threads. How control is handed
// on must not look like synchronization to it, and is hidden; it sees the order that the shims
// state, and these: the program before the threads, these before what runs after them, and one
// execution before the next.
const racing = true

// hide hides what the goroutine synchronizes from now on, show ends that.
func hide() { runtime.RaceDisable() }
func show() { runtime.RaceEnable() }

func happensAfter(at *byte)  { runtime.RaceAcquire(unsafe.Pointer(at)) }
func happensBefore(at *byte) { runtime.RaceReleaseMerge(unsafe.Pointer(at)) }

// pull is iter.Pull by goroutines and channels, since the race detector knows of coroutines.
func pull(seq func(yield func(struct{}) bool)) (next func() (struct{}, bool), stop func()) {
	resume, paused := make(chan bool), make(chan bool)
	started, ended := false, false
	run := func() {
		hide()
		defer func() {
			ended = true
			paused <- false
		}()
		if !<-resume {
			return
		}
		seq(func(struct{}) bool {
			paused <- true
			return <-resume
		})
	}
	turn := func(on bool) bool {
		if ended {
			return false
		}
		if !started {
			started = true
			go run()
		}
		resume <- on
		return <-paused
	}
	return func() (struct{}, bool) { return struct{}{}, turn(true) }, func() { turn(false) }
}
