package solvertest_test

import (
	"context"
	"testing"

	"github.com/linsat/linsat/internal/solver/solvertest"
	"github.com/linsat/linsat/solver"
	"github.com/stretchr/testify/require"
)

func TestDPLL(t *testing.T) { solvertest.Run(t, solvertest.NewDPLL) }

func TestDPLLFailedIsMinimal(t *testing.T) {
	s := solvertest.NewDPLL()
	s.Add([]solver.Lit{-1, -2, 3})
	s.Add([]solver.Lit{-3, -4})
	require.Equal(t, solver.Unsatisfiable, s.Solve(context.Background(), 5, 1, 6, 2, 4, -7))
	require.ElementsMatch(t, []solver.Lit{1, 2, 4}, s.Failed())
}

func TestPigeonhole(t *testing.T) {
	s := solvertest.NewDPLL()
	guard := s.NewVar()
	solvertest.Pigeonhole(s, 4, guard)
	require.Equal(t, 1+4*5, s.Stats().Vars)
	require.Equal(t, solver.Unsatisfiable, s.Solve(context.Background(), guard))
	require.Equal(t, []solver.Lit{guard}, s.Failed())
	require.Equal(t, solver.Satisfiable, s.Solve(context.Background()))
}
