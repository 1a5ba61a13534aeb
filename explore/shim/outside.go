package shim

import (
	"unsafe"

	"github.com/linsat/linsat/explore/shim/internal/core"
	"github.com/linsat/linsat/internal/schedule"
)

// Outside precedes calls of code that is not rewritten, in packages of these names: in an execution
// it is an access to a location that all of them share. So the operation has begun before what that
// code does, and the orders in which goroutines come to it are explored.
func Outside(packages ...string) {
	if x := core.Running(); x != nil {
		x.Outside(packages)
	}
}

// Words is an argument of code in assembly that may write what it points to, one or two words: in
// an execution an access to both, as of sync/atomic.
func Words[T any](address *T) *T {
	x := core.Running()
	if x == nil || address == nil {
		return address
	}
	second := schedule.NoLocation
	if word := unsafe.Sizeof(uintptr(0)); unsafe.Sizeof(*address) > word {
		second = core.Place(x, unsafe.Add(unsafe.Pointer(address), word), "variable")
	}
	x.Point(schedule.Update, core.Place(x, unsafe.Pointer(address), "variable"), second, nil)
	return address
}

// Body returns an operation's body that may be code which is not rewritten.
func Body(f func() any) func() any {
	return func() any {
		Outside()
		return f()
	}
}
