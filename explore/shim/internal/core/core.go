// Package core is what the shims share: variables that are events of an execution while one runs,
// and themselves otherwise.
package core

import (
	"unsafe"

	"github.com/linsat/linsat/internal/schedule"
)

// Running returns the execution that runs, nil if none does.
func Running() *schedule.Running { return schedule.Current }

// Cell holds the value that a variable has in an execution. A variable that outlives the execution
// has its own value again in the next one.
type Cell[T any] struct {
	number uint64 // of the execution
	loc    int32
	V      T
}

// In prepares the cell for an execution and returns its location. If it is new there it gets the
// value that the variable has outside of executions.
func (c *Cell[T]) In(x *schedule.Running, name string, outside func() T) int32 {
	if c.number != x.Number {
		c.number, c.loc, c.V = x.Number, x.Location(name), outside()
	}
	return c.loc
}

// Place returns the location of a variable that is known by its address.
func Place(x *schedule.Running, address unsafe.Pointer, name string) int32 {
	loc, ok := x.Places[address]
	if !ok {
		loc = x.Location(name)
		x.Places[address] = loc
	}
	return loc
}

// Load reads a cell whose location is loc.
func Load[T any](x *schedule.Running, loc int32, v *T) T {
	x.Point(schedule.Read, loc, schedule.NoLocation, nil)
	x.Traced(*v, *v)
	return *v
}

// Store writes a cell.
func Store[T any](x *schedule.Running, loc int32, v *T, new T) {
	x.Point(schedule.Write, loc, schedule.NoLocation, nil)
	x.Traced(*v, new)
	*v = new
}

// Update replaces the value of a cell by change of it, in one event, and returns both.
func Update[T any](x *schedule.Running, loc int32, v *T, change func(T) T) (old, new T) {
	x.Point(schedule.Update, loc, schedule.NoLocation, nil)
	old = *v
	new = change(old)
	x.Traced(old, new)
	*v = new
	return old, new
}

// CompareAndSwap writes to if a cell holds from, and reports whether it did.
func CompareAndSwap[T comparable](x *schedule.Running, loc int32, v *T, from, to T) bool {
	x.Point(schedule.Update, loc, schedule.NoLocation, nil)
	if *v != from {
		x.Failed()
		x.Traced(*v, *v)
		return false
	}
	x.Traced(*v, to)
	*v = to
	return true
}
