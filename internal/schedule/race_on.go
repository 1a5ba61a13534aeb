//go:build race && linsatrace

package schedule

import (
	"runtime"
	"sync/atomic"
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

// The operations as values are those that the race detector sees: calls of them in packages that it
// does not watch are compiled to instructions.
var (
	load32  = atomic.LoadInt32
	load64  = atomic.LoadInt64
	store32 = atomic.StoreInt32
	store64 = atomic.StoreInt64
)

// ReadAtomically states that an atomic operation has read the 4 or 8 bytes at an address: a write
// of them that is none, and is not ordered with it, is a race. It orders nothing that HappensAfter
// does not.
func ReadAtomically(at unsafe.Pointer, size uintptr) {
	switch size {
	case 4:
		load32((*int32)(at))
	case 8:
		load64((*int64)(at))
	}
}

// WrittenAtomically states that one has written them.
func WrittenAtomically(at unsafe.Pointer, size uintptr) {
	switch size {
	case 4:
		store32((*int32)(at), *(*int32)(at))
	case 8:
		store64((*int64)(at), *(*int64)(at))
	}
}

// ReadPlainly states that what is at an address was read, and not by an atomic operation.
func ReadPlainly(at unsafe.Pointer) { runtime.RaceRead(at) }
