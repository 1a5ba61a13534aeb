//go:build !z3 || !cgo

package z3

import (
	"errors"

	"github.com/linsat/linsat/solver"
)

// ErrNotBuilt is the error of Find.
var ErrNotBuilt = errors.New("this linsat was built without z3: build with -tags z3")

// Find returns a factory of Solvers. Without the build tag z3 the factory is nil and the error
// ErrNotBuilt.
func Find() (func() solver.Solver, error) { return nil, ErrNotBuilt }
