package solver_test

import (
	"testing"

	"github.com/linsat/linsat/solver"
	"github.com/stretchr/testify/require"
)

func TestLit(t *testing.T) {
	require.Equal(t, solver.Lit(-3), solver.Lit(3).Not())
	require.Equal(t, 3, solver.Lit(-3).Var())
	var status solver.Status
	require.Equal(t, "unknown", status.String())
	require.Equal(t, "satisfiable", solver.Satisfiable.String())
	require.Equal(t, "unsatisfiable", solver.Unsatisfiable.String())
}
