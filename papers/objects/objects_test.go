package objects_test

import (
	"bytes"
	"context"
	"testing"
	"time"

	"github.com/linsat/linsat/explore"
	"github.com/linsat/linsat/explore/lineup"
	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/specs"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/linsat/linsat/papers/catalogue"
	"github.com/linsat/linsat/papers/objects"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestCatalogue runs every test of the catalogue with DPOR, up to a bound unless LINSAT_FULL is
// set, and compares the verdict with what the entry says: a fault is found, and what is
// linearizable has none. Schedules of violations replay to the same history, byte for byte.
func TestCatalogue(t *testing.T) {
	o := explore.Options{MaxTime: 2 * time.Second}
	if testenv.Full() {
		o.MaxTime = 30 * time.Second
	}
	entries, faults := 0, 0
	for _, g := range objects.Groups() {
		require.NotEmpty(t, g.Entries, g.Name)
		for _, e := range g.Entries {
			name := e.Case.Object.Name + ": " + e.Case.String()
			entries++
			assert.NotEmpty(t, e.Source, name)
			assert.NotEmpty(t, e.Case.Object.About, name)
			failure, complete := explored(t, &e, o)
			violated := failure != nil
			if violated {
				faults++
				s, err := explore.ParseSchedule(failure.Schedule.String())
				require.NoError(t, err, name)
				again, err := e.Case.Replay(s, explore.Options{})
				require.NoError(t, err, name)
				assert.Equal(t, written(t, e.Case, failure), written(t, e.Case, again), name)
			}
			assert.False(t, violated && e.Linearizable, name)
			assert.False(t, complete && !violated && !e.Linearizable, name)
			if e.Faulty && e.Quasi == "" {
				assert.True(t, violated, "%s: %s", name, e.Note)
			}
		}
	}
	t.Logf("%d tests, %d with violations", entries, faults)
}

// explored returns an execution that violates, if there is one, and whether the search was
// complete.
func explored(t *testing.T, e *catalogue.Entry, o explore.Options) (failure *explore.Execution, complete bool) {
	ctx := context.Background()
	if e.Case.Object.Spec == "" {
		r, err := lineup.Check(ctx, e.Case, lineup.Options{Strategy: explore.DPOR, MaxTime: o.MaxTime})
		require.NoError(t, err, e.Case.Object.Name)
		if r.Failure != nil {
			failure = r.Failure.Run
		}
		return failure, r.Verdict != lineup.Unknown
	}
	s, ok := specs.Lookup(e.Case.Object.Spec)
	require.True(t, ok, e.Case.Object.Name)
	r, err := explore.Check(ctx, e.Case, s, explore.CheckOptions{Options: o, Strategy: explore.DPOR()})
	require.NoError(t, err, e.Case.Object.Name)
	if r.Violation != nil {
		failure = r.Violation.Execution
	}
	return failure, r.Verdict != engine.Unknown
}

func written(t *testing.T, c *explore.Case, e *explore.Execution) string {
	h, err := c.History(e)
	require.NoError(t, err)
	var b bytes.Buffer
	require.NoError(t, history.WriteJSON(&b, h))
	return b.String()
}

func TestFind(t *testing.T) {
	assert.Len(t, objects.Find("PairSnapshot"), 1)
	assert.Greater(t, len(objects.Find("quasiqueue")), 1)
	assert.Empty(t, objects.Find("nothing"))
	seen := map[string]bool{}
	for _, name := range objects.Names() {
		assert.False(t, seen[name], name)
		seen[name] = true
		assert.NotEmpty(t, objects.Find(name))
	}
}
