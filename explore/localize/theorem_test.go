package localize

import (
	"context"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/linsat/linsat/explore"
	"github.com/linsat/linsat/internal/schedule"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestTheorem1 of the paper: if some trace of a program is not linearizable, then two accesses
// race. The specification of a random program is what its serial runs do.
func TestTheorem1(t *testing.T) {
	programs := testenv.Scale(600, 20_000)
	faults, quiet := 0, 0
	for seed := range uint64(programs) {
		c := randomCase(rand.New(rand.NewPCG(seed, 21)), 7)
		var serial [][]explore.Op
		_, err := explore.Run(c.Program(), schedule.Serial(), explore.Options{}, func(x *explore.Execution) bool {
			serial = append(serial, x.Clone().Ops)
			return true
		})
		require.NoError(t, err)
		f := &finder{ctx: context.Background(), c: c}
		f.classify = func(x *explore.Execution) (outcome, error) {
			return outcome{fails: x.Outcome == explore.Completed && !hasSerialRun(x.Ops, serial)}, nil
		}
		r, err := f.search()
		require.NoError(t, err)
		require.True(t, r.Complete)
		racing := false
		for _, n := range r.g.nodes {
			for i := range n.edges {
				for j := range i {
					racing = racing || n.kind == race && races(&n.edges[i], &n.edges[j]) == Data
				}
			}
		}
		switch {
		case r.Failing > 0:
			faults++
			require.True(t, racing, "seed %d: %s fails without a data race", seed, c)
		case !racing && r.Traces > 1:
			quiet++
		}
	}
	t.Logf("%d programs: %d with a fault, %d without any data race", programs, faults, quiet)
	assert.Greater(t, faults, programs/20)
	assert.Greater(t, quiet, programs/100)
}

// hasSerialRun reports whether a serial run has the same operations and results, in an order that
// keeps that of the history.
func hasSerialRun(ops []explore.Op, serial [][]explore.Op) bool {
	return slices.ContainsFunc(serial, func(run []explore.Op) bool {
		if len(run) != len(ops) {
			return false
		}
		place := make([]int, len(ops))
		for i, op := range ops {
			place[i] = slices.IndexFunc(run, func(s explore.Op) bool {
				return s.Thread == op.Thread && s.F == op.F && s.Return >= 0
			})
			if place[i] < 0 || !reflect.DeepEqual(run[place[i]].Result, op.Result) {
				return false
			}
		}
		for i, a := range ops {
			for j, b := range ops {
				if a.Return < b.Call && place[i] > place[j] {
					return false
				}
			}
		}
		return true
	})
}
