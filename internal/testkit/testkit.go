// Package testkit has what the tests of several engines share.
package testkit

import (
	"testing"

	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/specs"
	"github.com/stretchr/testify/require"
)

// Spec returns the shipped specification of a name.
func Spec(t testing.TB, name string) model.Spec {
	t.Helper()
	s, ok := specs.Lookup(name)
	require.True(t, ok, name)
	return s
}

// WithSeed names the seed if what it runs fails.
func WithSeed(t *testing.T, seed uint64, f func()) {
	t.Helper()
	defer func() {
		if t.Failed() {
			t.Logf("seed %d", seed)
		}
	}()
	f()
}

// Opaque is an instance of which nothing is known but its steps.
func Opaque(b *model.Instance) *model.Instance {
	o := *b
	o.Theory = nil
	return &o
}
