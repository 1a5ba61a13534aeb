//go:build linsat_native

package cdsspec

import "github.com/linsat/linsat/explore/c11"

type (
	structure struct{}
	method    struct{}
)

// Call is nothing.
type Call[R any] struct{}

// Begin does nothing.
func (m *Method[S, A, R]) Begin(x *c11.Exec, this any, args A) Call[R] { return Call[R]{} }

// End does nothing.
func (c Call[R]) End(result R) {}

// Point does nothing.
func Point(x *c11.Exec, ok bool, label Label) {}

// PotentialPoint does nothing.
func PotentialPoint(x *c11.Exec, ok bool, label Label) {}

// ConfirmPoint does nothing.
func ConfirmPoint(x *c11.Exec, ok bool, potential, label Label) {}

// ClearPoints does nothing.
func ClearPoints(x *c11.Exec, ok bool, label Label) {}
