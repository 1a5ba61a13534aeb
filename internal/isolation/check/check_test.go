package check

import (
	"context"
	"testing"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/isolation"
	"github.com/linsat/linsat/internal/isolation/isolationtest"
	"github.com/linsat/linsat/internal/isolation/verify"
	"github.com/linsat/linsat/internal/solver/gini"
	"github.com/linsat/linsat/solver"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A linearization is a certificate of every level, and what is none of no strict one.
func TestLinearizationShowsEveryLevel(t *testing.T) {
	h := isolationtest.Parse(`x=1 y=1 | time 0 9
x:1 x=2 x:2 | time 1 8
x=1 | time 10 11
y:1 x:1 y=1 | time 12 17 | session 7
y=3 | time 13 14 | open
y:3 x:1 | time 14 16
x=1 | time 15 18 | aborted`)
	order := []history.OpID{0, 1, 2, 3, 4, 5}
	for _, l := range isolation.Levels() {
		c := inOneOrder(h, l, order)
		require.NoError(t, verify.Check(t.Context(), h, c), "%v", l)
		require.Equal(t, l.String(), c.Level)
		if l.Given == isolation.RealTime {
			wrong := inOneOrder(h, l, []history.OpID{0, 2, 1, 3, 4, 5})
			require.Error(t, verify.Check(t.Context(), h, wrong), "%v", l)
		}
	}
	require.True(t, h.Repeats())
	require.Nil(t, inOneOrder(h, isolation.Levels()[0], nil))
}

// Whoever looks for linearizations is asked where values repeat, and believed if the order is one.
func TestLinearizationIsAsked(t *testing.T) {
	h := isolationtest.Parse("x=1 | time 0 1\n x=1 | time 2 3\n x:1 | time 4 5")
	strict := isolation.Level{Model: isolation.Serializable, Given: isolation.RealTime}
	for _, order := range [][]history.OpID{{0, 1, 2}, {2, 1, 0}, nil} {
		asked := 0
		a := Level(t.Context(), h, strict, func() solver.Solver { return gini.New() }, 0,
			func(context.Context) []history.OpID { asked++; return order })
		assert.True(t, a.Verdict == Holds && a.Certified() && asked == 1, "%v: %+v", order, a)
	}
	for _, a := range All(t.Context(), h, func() solver.Solver { return gini.New() }, 0, nil) {
		assert.True(t, a.Verdict == Holds && a.Certified(), "%v", a.Level)
	}
}
