package base

import (
	"errors"

	"github.com/linsat/linsat/internal/proof"
)

// ErrNoWeakening is the error of a proof that does not say what it refutes.
var ErrNoWeakening = errors.New("it does not say what is refuted")

// Stated checks that an exhaustion says what was tried.
func Stated(e *proof.Exhaustion) error {
	switch {
	case e.Weakening == nil:
		return ErrNoWeakening
	case e.Cases <= 0:
		return Faultf("", "no case was tried (%d)", e.Cases)
	}
	return nil
}
