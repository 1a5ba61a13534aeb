package shim

import (
	"runtime"

	"github.com/linsat/linsat/explore/shim/internal/core"
)

// Refused returns a function that cannot be modelled. In an execution it ends the exploration,
// which says what was reached.
func Refused[F any](f F, what string) F {
	if x := core.Running(); x != nil {
		x.Refused(what)
		runtime.Goexit()
	}
	return f
}
