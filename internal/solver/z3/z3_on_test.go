//go:build z3 && cgo

package z3_test

import (
	"context"
	"testing"

	"github.com/linsat/linsat/internal/solver/clauses"
	"github.com/linsat/linsat/internal/solver/solvertest"
	"github.com/linsat/linsat/internal/solver/z3"
	"github.com/linsat/linsat/solver"
	"github.com/stretchr/testify/require"
)

func TestLaws(t *testing.T) {
	factory, err := z3.Find()
	require.NoError(t, err)
	solvertest.RunSample(t, factory, 100)
}

func TestTooLarge(t *testing.T) {
	s := z3.New()
	s.Add([]solver.Lit{1})
	require.Equal(t, solver.Unknown, s.Solve(context.Background(), z3.MaxVars+1))
	require.ErrorIs(t, s.Err(), clauses.ErrTooLarge)
	require.Equal(t, solver.Satisfiable, s.Solve(context.Background()))
	s.Add([]solver.Lit{z3.MaxVars + 1})
	require.Equal(t, solver.Unknown, s.Solve(context.Background()))
	require.ErrorIs(t, s.Err(), clauses.ErrTooLarge)
}
