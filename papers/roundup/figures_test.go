package roundup_test

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/linsat/linsat/explore"
	"github.com/linsat/linsat/explore/mem"
	"github.com/linsat/linsat/explore/roundup"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/papers/objects/relaxed"
	"github.com/linsat/linsat/papers/objects/scal"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The program of Fig. 1 runs under all schedules, on a strict queue and on the queue of Fig. 3,
// whose segments have two cells. A strict queue has the three sequential histories of Fig. 2. The
// segments allow four orders of the removals, and never the 3, 2, 1, 4 of the text, which no bound
// of 1 allows.
func TestFigures1To3(t *testing.T) {
	program := func(build func(*mem.Memory) explore.Instance) *explore.Case {
		o := &explore.Object{Name: "o", Spec: "queue", New: build}
		return roundup.Methods{Insert: "enq", Remove: "deq"}.Test(o, "ii", []string{"i", "ir"}, "rrr")
	}
	strict, segments := program(scal.MSQueue), program(relaxed.QuasiQueue(2))
	assert.Equal(t, "enq(1) enq(2); enq(3) | enq(4) deq(); deq() deq() deq()", strict.String())

	for _, c := range []struct {
		program      *explore.Case
		factor       string
		linearizable bool
	}{{strict, "0", true}, {segments, "0", false}, {segments, "1", false}} {
		r, err := roundup.Check(context.Background(), c.program, roundup.Options{Factor: c.factor, Literal: true})
		require.NoError(t, err)
		assert.True(t, r.Run.Complete)
		assert.Equal(t, 3, r.Sequential, "Fig. 2")
		assert.Equal(t, c.linearizable, r.Linearizable == engine.Linearizable)
		assert.Equal(t, c.linearizable || c.factor == "1", r.Quasi == engine.Linearizable, "factor %s", c.factor)
	}
	assert.Equal(t, []string{"[1 2 3 4]", "[1 2 4 3]"}, removed(t, strict))
	assert.Equal(t, []string{"[1 2 3 4]", "[1 2 4 3]", "[2 1 3 4]", "[2 1 4 3]"}, removed(t, segments), "Fig. 3")
}

// removed returns what a program's removals return, in the order of their calls, under all
// schedules.
func removed(t *testing.T, c *explore.Case) []string {
	t.Helper()
	seen := map[string]bool{}
	_, err := explore.Run(c.Program(), explore.DPOR(), explore.Options{}, func(e *explore.Execution) bool {
		ops := slices.Clone(e.Ops)
		slices.SortFunc(ops, func(a, b explore.Op) int { return cmp.Compare(a.Call, b.Call) })
		var values []any
		for _, o := range ops {
			if o.F == "deq" {
				values = append(values, o.Result)
			}
		}
		seen[fmt.Sprint(values)] = true
		return true
	})
	require.NoError(t, err)
	var list []string
	for s := range seen {
		list = append(list, s)
	}
	slices.Sort(list)
	return list
}
