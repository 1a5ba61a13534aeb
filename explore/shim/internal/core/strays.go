package core

import (
	"bytes"
	"runtime"
	"runtime/debug"
	"strconv"
	"sync"
	"sync/atomic"
)

// Goroutines that code starts outside of executions, such as those of a package's init, run on
// while an execution does. They are no threads of it: to them nothing runs, and what they do is
// done at once.
//
// Go does not tell which goroutine runs, but for a text that takes microseconds. So strays are
// marked by the one bit that every goroutine has for itself and that can be read:
// debug.SetPanicOnFault. Only where it is set, by a stray or by code that uses it, is the text
// read.

var (
	strays   atomic.Int64
	strayIDs sync.Map // their numbers
)

// Stray runs f in a goroutine that is no thread of any execution.
func Stray(f func()) { go Astray(f)() }

// Astray returns f as a function for a goroutine that is no thread of any execution.
func Astray(f func()) func() {
	return func() {
		id := goroutine()
		strayIDs.Store(id, nil)
		strays.Add(1)
		debug.SetPanicOnFault(true)
		defer func() {
			strays.Add(-1)
			strayIDs.Delete(id)
		}()
		f()
	}
}

// astray reports whether this goroutine is no thread.
func astray() bool {
	if strays.Load() == 0 {
		return false
	}
	if !debug.SetPanicOnFault(true) {
		debug.SetPanicOnFault(false)
		return false
	}
	_, is := strayIDs.Load(goroutine())
	return is
}

// goroutine returns the number of this goroutine, which its stack begins with: "goroutine 7 [".
func goroutine() uint64 {
	var text [64]byte
	fields := bytes.Fields(text[:runtime.Stack(text[:], false)])
	n, err := strconv.ParseUint(string(fields[1]), 10, 64)
	if err != nil {
		panic("linsat: the runtime does not say the number of a goroutine: " + err.Error())
	}
	return n
}
