package shim

import "github.com/linsat/linsat/explore/shim/internal/core"

// Outside precedes calls of code that is not rewritten, in packages of these names: in an execution
// it is an access to a location that all of them share. So the operation has begun before what that
// code does, and the orders in which goroutines come to it are explored.
func Outside(packages ...string) {
	if x := core.Running(); x != nil {
		x.Outside(packages)
	}
}

// Body returns an operation's body that may be code which is not rewritten.
func Body(f func() any) func() any {
	return func() any {
		Outside()
		return f()
	}
}
