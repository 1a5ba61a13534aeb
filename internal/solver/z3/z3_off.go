//go:build !z3

package z3

import (
	"errors"

	"github.com/linsat/linsat/solver"
)

// ErrNotBuilt is the error of Find.
var ErrNotBuilt = errors.New("this linsat was built without z3: build with make z3")

// Find returns what makes Solvers; without the build tag z3 that is nothing, and the error is
// ErrNotBuilt.
func Find() (solver.Factory, error) { return nil, ErrNotBuilt }
