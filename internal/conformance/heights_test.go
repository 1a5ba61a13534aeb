package conformance

import (
	"testing"

	"github.com/linsat/linsat"
	"github.com/stretchr/testify/require"
)

// height is an operation on a stack, with the height that it returns: that before the stack
// changes.
type height struct {
	push   bool
	before int
}

// A stack is not compositional by the heights that its operations return, as Example 9 of the paper
// on P-compositionality has it: a push onto a cell above an empty one is possible for its own cell.
// papers/docs/p-compositionality.md
func TestStacksAreNotCompositionalByHeight(t *testing.T) {
	whole := linsat.Model[int, height, int]{
		Name: "stack with heights",
		Step: func(n int, in height) []linsat.Outcome[int, int] {
			switch {
			case in.push:
				return linsat.Returns(n, n+1)
			case n == 0:
				return linsat.Returns(0, 0)
			}
			return linsat.Returns(n, n-1)
		},
	}
	// A cell is full or not. That at height i is filled by the push that returns i, and emptied by
	// the pop that returns i+1.
	cells := linsat.Model[bool, height, int]{
		Name: "cell of a stack",
		Key: func(in height) any {
			if in.push {
				return in.before
			}
			return in.before - 1
		},
		Step: func(full bool, in height) []linsat.Outcome[bool, int] {
			if in.push == full {
				return nil
			}
			return linsat.Returns(in.before, !full)
		},
	}
	for _, c := range []struct {
		history            []height
		wholeYes, cellsYes bool
	}{
		{[]height{{true, 0}, {true, 1}, {false, 2}, {true, 1}}, true, true},
		{[]height{{true, 0}, {false, 1}, {true, 1}}, false, true},
		{[]height{{true, 0}, {true, 0}}, false, false},
	} {
		var ops []linsat.Op[height, int]
		for i, in := range c.history {
			ops = append(ops, linsat.Op[height, int]{Input: in, Call: int64(2 * i), Output: in.before,
				Return: int64(2*i + 1)})
		}
		r, err := linsat.CheckOps(t.Context(), whole, ops)
		require.NoError(t, err)
		require.Equal(t, c.wholeYes, r.Verdict == linsat.Linearizable, "%v", c.history)
		r, err = linsat.CheckOps(t.Context(), cells, ops)
		require.NoError(t, err)
		require.Equal(t, c.cellsYes, r.Verdict == linsat.Linearizable, "%v, cell by cell", c.history)
	}
}
