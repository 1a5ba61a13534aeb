package clauses_test

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/linsat/linsat/internal/solver/clauses"
	"github.com/linsat/linsat/solver"
	"github.com/stretchr/testify/require"
)

func TestMaxVar(t *testing.T) {
	require.Equal(t, 7, clauses.MaxVar([]solver.Lit{2, -7, 4}))
	require.Zero(t, clauses.MaxVar(nil))
	require.Equal(t, math.MaxInt32, clauses.MaxVar([]solver.Lit{-math.MaxInt32}))
	require.Panics(t, func() { clauses.MaxVar([]solver.Lit{1, 0}) })
	require.Panics(t, func() { clauses.MaxVar([]solver.Lit{1, math.MinInt32}) })
}

func TestRecorder(t *testing.T) {
	var r clauses.Recorder
	require.Equal(t, solver.Lit(1), r.NewVar())
	require.Equal(t, solver.Lit(2), r.Reserve(2))
	buf := []solver.Lit{1, -2}
	r.Add(buf)
	buf[0] = 9
	r.Add(nil)
	r.Add([]solver.Lit{3, 3, -5})
	var got [][]solver.Lit
	for c := range r.Clauses() {
		got = append(got, append([]solver.Lit(nil), c...))
	}
	require.Equal(t, [][]solver.Lit{{1, -2}, nil, {3, 3, -5}}, got)
	for range r.Clauses() {
		break
	}
	require.NoError(t, r.Err())
	require.Equal(t, solver.Unknown, r.Solve(context.Background(), 6))
	require.ErrorIs(t, r.Err(), clauses.ErrRecorder)
	require.False(t, r.Value(1) || r.Value(-1))
	require.Nil(t, r.Failed())
	require.Equal(t, solver.Stats{Vars: 6, Clauses: 3, Solves: 1}, r.Stats())
	require.Panics(t, func() { r.Add([]solver.Lit{1, 0}) })

	var text strings.Builder
	require.NoError(t, r.WriteDIMACS(&text, -7, 2))
	require.Equal(t, "p cnf 7 5\n1 -2 0\n0\n3 3 -5 0\n-7 0\n2 0\n", text.String())
}

type full struct{ room int }

var errFull = errors.New("full")

func (f *full) Write(p []byte) (int, error) {
	if len(p) > f.room {
		return 0, errFull
	}
	f.room -= len(p)
	return len(p), nil
}

func TestWriteDIMACSReportsErrors(t *testing.T) {
	var r clauses.Recorder
	for range 100_000 {
		r.Add([]solver.Lit{1, -2, 3})
	}
	for _, room := range []int{0, 100_000} {
		require.ErrorIs(t, r.WriteDIMACS(&full{room}), errFull)
	}
}
