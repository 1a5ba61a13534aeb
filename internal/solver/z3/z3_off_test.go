//go:build !z3 || !cgo

package z3_test

import (
	"testing"

	"github.com/linsat/linsat/internal/solver/z3"
	"github.com/stretchr/testify/require"
)

func TestSaysThatItIsNotBuilt(t *testing.T) {
	factory, err := z3.Find()
	require.Nil(t, factory)
	require.ErrorIs(t, err, z3.ErrNotBuilt)
	require.ErrorContains(t, err, "-tags z3")
}
