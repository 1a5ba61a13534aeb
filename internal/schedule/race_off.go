//go:build !race || !linsatrace

package schedule

import "unsafe"

// Races returns 0 without the race detector.
func Races() int { return 0 }

// HappensAfter does nothing without the race detector.
func HappensAfter(unsafe.Pointer) {}

// HappensBefore does nothing without the race detector.
func HappensBefore(unsafe.Pointer) {}

// HappensBeforeToo does nothing without the race detector.
func HappensBeforeToo(unsafe.Pointer) {}

// ReadAtomically does nothing without the race detector.
func ReadAtomically(unsafe.Pointer, uintptr) {}

// WrittenAtomically does nothing without the race detector.
func WrittenAtomically(unsafe.Pointer, uintptr) {}

// ReadPlainly does nothing without the race detector.
func ReadPlainly(unsafe.Pointer) {}
