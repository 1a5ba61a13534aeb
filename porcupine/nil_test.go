package porcupine_test

import (
	"slices"
	"testing"

	"github.com/linsat/linsat/porcupine"
	"github.com/stretchr/testify/assert"
)

// A model whose first state is nil and whose later ones are slices, compared by its Equal.
func TestStatesNilAndSlices(t *testing.T) {
	list := func(s any) []int { l, _ := s.([]int); return l }
	m := porcupine.Model{
		Init: func() any { return nil },
		Step: func(s, in, out any) (bool, any) {
			if in.(int) < 0 {
				return slices.Equal(list(s), out.([]int)), s
			}
			next := append(slices.Clone(list(s)), in.(int))
			slices.Sort(next)
			return true, slices.Compact(next)
		},
		Equal: func(a, b any) bool { return slices.Equal(list(a), list(b)) },
	}
	ops := []porcupine.Operation{
		{ClientId: 0, Input: 1, Call: 0, Return: 10}, {ClientId: 1, Input: 2, Call: 0, Return: 10},
		{ClientId: 2, Input: 1, Call: 0, Return: 10}, {ClientId: 3, Input: -1, Output: []int{1, 2},
			Call: 11, Return: 12},
	}
	assert.True(t, porcupine.CheckOperations(m, ops))
	ops[3].Output = []int{2}
	assert.False(t, porcupine.CheckOperations(m, ops))
}
