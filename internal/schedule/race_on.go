//go:build race && linsatrace

package schedule

import (
	"runtime"
	"unsafe"
)

// What the shims state to Go's race detector is all the order between goroutines that it knows of:
// package explore hides from it how it hands on control.

// Races counts the races that the race detector has found in this process.
func Races() int { return runtime.RaceErrors() }

// HappensAfter states that what was released at an address happens before what follows.
func HappensAfter(at unsafe.Pointer) { runtime.RaceAcquire(at) }

// HappensBefore states that what came before happens before what acquires the address, in place of
// what was released there before.
func HappensBefore(at unsafe.Pointer) { runtime.RaceRelease(at) }

// HappensBeforeToo is HappensBefore beside what was released there before.
func HappensBeforeToo(at unsafe.Pointer) { runtime.RaceReleaseMerge(at) }
