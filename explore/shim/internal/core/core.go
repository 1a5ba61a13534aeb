// Package core is what the shims share: variables that are events of an execution while one runs,
// and themselves otherwise.
package core

import (
	"unsafe"

	"github.com/linsat/linsat/internal/schedule"
)

// Running returns the execution that runs and that this goroutine is a thread of, nil if there is
// none.
func Running() *schedule.Running {
	x := schedule.Current
	if x != nil && astray() {
		return nil
	}
	return x
}

// Cell holds the value that a variable has in an execution. A variable that outlives the execution
// has its own value again in the next one.
type Cell[T any] struct {
	number uint64 // of the execution
	loc    int32
	V      T
}

// At returns the address by which the race detector knows the cell.
func (c *Cell[T]) At() unsafe.Pointer { return unsafe.Pointer(&c.V) }

// In prepares the cell of the variable at an address for an execution and returns its location. If
// it is new there it gets the value that the variable has outside of executions, and the name that
// the code calls it by, or its kind; without an address that.
//
//go:norace
func (c *Cell[T]) In(x *schedule.Running, address unsafe.Pointer, kind string, outside func() T) int32 {
	if c.number != x.Number {
		c.number, c.loc, c.V = x.Number, x.Location(x.NameOf(address, kind)), outside()
	}
	return c.loc
}

// Place returns the location of a variable that is known by its address.
func Place(x *schedule.Running, address unsafe.Pointer, kind string) int32 {
	place := x.Place(address)
	if *place == 0 {
		*place = x.Location(x.NameOf(address, kind)) + 1
	}
	return *place - 1
}

// The race detector does not watch what these do, and learns what the memory model of Go says of
// atomic operations: one that reads happens after the write that it reads, or whose value is older
// than that.

// Load reads a cell whose location is loc.
//
//go:norace
func Load[T any](x *schedule.Running, loc int32, v *T) T {
	x.Point(schedule.Read, loc, schedule.NoLocation, nil)
	Acquire(unsafe.Pointer(v))
	schedule.ReadAtomically(unsafe.Pointer(v), unsafe.Sizeof(*v))
	x.Traced(*v, *v)
	return *v
}

// Store writes a cell.
//
//go:norace
func Store[T any](x *schedule.Running, loc int32, v *T, new T) {
	x.Point(schedule.Write, loc, schedule.NoLocation, nil)
	Release(unsafe.Pointer(v))
	x.Traced(*v, new)
	*v = new
	schedule.WrittenAtomically(unsafe.Pointer(v), unsafe.Sizeof(*v))
}

// Update replaces the value of a cell by change of it, in one event, and returns both.
//
//go:norace
func Update[T any](x *schedule.Running, loc int32, v *T, change func(T) T) (old, new T) {
	x.Point(schedule.Update, loc, schedule.NoLocation, nil)
	Acquire(unsafe.Pointer(v))
	ReleaseMerge(unsafe.Pointer(v))
	old = *v
	new = change(old)
	x.Traced(old, new)
	*v = new
	schedule.WrittenAtomically(unsafe.Pointer(v), unsafe.Sizeof(*v))
	return old, new
}

// CompareAndSwap writes to if a cell holds from, and reports whether it did.
//
//go:norace
func CompareAndSwap[T comparable](x *schedule.Running, loc int32, v *T, from, to T) bool {
	x.Point(schedule.Update, loc, schedule.NoLocation, nil)
	Acquire(unsafe.Pointer(v))
	if *v != from {
		schedule.ReadAtomically(unsafe.Pointer(v), unsafe.Sizeof(*v))
		x.Failed()
		x.Traced(*v, *v)
		return false
	}
	ReleaseMerge(unsafe.Pointer(v))
	x.Traced(*v, to)
	*v = to
	schedule.WrittenAtomically(unsafe.Pointer(v), unsafe.Sizeof(*v))
	return true
}

// Acquire states to the race detector, if it watches, that what was released at an address happens
// before what follows.
func Acquire(at unsafe.Pointer) { schedule.HappensAfter(at) }

// Release states that what came before happens before what acquires the address, in place of what
// was released there before; ReleaseMerge, beside that.
func Release(at unsafe.Pointer)      { schedule.HappensBefore(at) }
func ReleaseMerge(at unsafe.Pointer) { schedule.HappensBeforeToo(at) }
