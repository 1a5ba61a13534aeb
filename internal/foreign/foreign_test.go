package foreign

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestKeyedStatesThatAreEqualHaveOneNumber changes objects and changes them back, in two orders.
func TestKeyedStatesThatAreEqualHaveOneNumber(t *testing.T) {
	table := keyedStates{ids: map[string]State{}}
	start := keyedState{others: 0}
	first := table.intern(start)
	x := start.with("x", "x", 1)
	xy := x.with("y", "y", 2)
	yx := start.with("y", "y", 2).with("x", "x", 1)
	assert.NotEqual(t, first, table.intern(x))
	assert.Equal(t, table.intern(xy), table.intern(yx))
	assert.Equal(t, table.intern(x), table.intern(xy.with("y", "y", 0)))
	assert.Equal(t, first, table.intern(x.with("x", "x", 0)))
	assert.Equal(t, first, table.intern(start.with("z", "z", 0)))
}
