package conformance_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/linsat/linsat"
	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/gen"
	"github.com/linsat/linsat/internal/result"
	"github.com/linsat/linsat/internal/testkit"
	"github.com/linsat/linsat/internal/words"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// full is all that a check found out.
func full(r *linsat.Result) *result.Result { return result.Of(r) }

// sentencesOf checks a history by default and returns the sentences that are printed for it. Its
// certificate must hold.
func sentencesOf(t *testing.T, h *history.History) (linsat.Result, []string) {
	s := testkit.Spec(t, h.Spec)
	r, err := linsat.Check(context.Background(), s, h)
	require.NoError(t, err)
	if r.Verdict != engine.NotLinearizable {
		return r, nil
	}
	if assert.True(t, r.Certified, r.Uncertified) {
		c, err := linsat.Certify(h, &r)
		require.NoError(t, err)
		assert.NoError(t, linsat.Verify(context.Background(), s, h, c))
	}
	return r, words.Reasons(full(&r))
}

// TestRemovalsOfAbsentValuesAreExplained: the smallest refutation of collections, by all orders of
// two removals, with and without one that is open where the other ends the shortest prefix.
func TestRemovalsOfAbsentValuesAreExplained(t *testing.T) {
	for name, f := range map[string]string{"stack": "pop", "queue": "deq", "priority-queue": "deletemin"} {
		for _, times := range [][4]int{{0, 3, 1, 2}, {0, 2, 1, 3}, {0, 1, 2, 3}, {1, 2, 0, 3}} {
			text := fmt.Sprintf(
				`{"spec":%q,"operations":[{"process":0,"f":%q,"call":%d,"return":%d,"result":1},{"process":1,"f":%q,"call":%d,"return":%d,"result":2}]}`,
				name, f, times[0], times[1], f, times[2], times[3])
			h, err := history.Read(strings.NewReader(text), history.ReadOptions{})
			require.NoError(t, err)
			r, sentences := sentencesOf(t, h)
			require.Equal(t, engine.NotLinearizable, r.Verdict)
			require.Len(t, sentences, 1, text)
			assert.Contains(t, sentences[0], "is never put in", text)
		}
	}
}

// TestGeneratedViolationsAreExplained: what gen injects is explained under the default engine.
func TestGeneratedViolationsAreExplained(t *testing.T) {
	for _, name := range []string{"queue", "stack", "priority-queue"} {
		t.Run(name, func(t *testing.T) {
			violations := 0
			for _, v := range gen.Violations() {
				for seed := range uint64(4) {
					o := gen.Options{Spec: name, Operations: 100, Violation: v, Seed: seed}
					if seed%2 == 1 {
						o.PendingRate = 0.02
					}
					c, err := gen.Generate(o)
					if err != nil {
						continue
					}
					r, sentences := sentencesOf(t, c.History)
					if r.Verdict != engine.NotLinearizable {
						continue
					}
					violations++
					assert.NotEmpty(t, sentences, "%s of seed %d: %s", v, seed, c.Mutation)
					if full(&r).Core != nil {
						listed := 0
						for _, f := range full(&r).Core.Facts {
							listed += len(f.Operations)
						}
						assert.LessOrEqual(t, listed, 20, "%s of seed %d", v, seed)
					}
				}
			}
			assert.Greater(t, violations, 8)
		})
	}
}

// TestLongViolationsAreExplained: where the whole is hard to decide or to explain, a few values or
// observations are enough.
func TestLongViolationsAreExplained(t *testing.T) {
	for _, o := range []gen.Options{
		{Spec: "deque", Violation: gen.NeverWritten},
		{Spec: "deque", Violation: gen.Swap},
		{Spec: "deque", Violation: gen.Duplicate, PendingRate: 0.01},
		{Spec: "deque", Violation: gen.Lost, Processes: 16},
		{Spec: "bounded-queue", Violation: gen.Stale},
		{Spec: "bounded-queue", Violation: gen.NeverWritten},
		{Spec: "counter", Violation: gen.Stale, Processes: 16},
		{Spec: "counter", Violation: gen.NeverWritten, Processes: 16},
	} {
		o.Operations, o.Seed = 2000, 1
		c, err := gen.Generate(o)
		require.NoError(t, err, "%+v", o)
		r, sentences := sentencesOf(t, c.History)
		require.Equal(t, engine.NotLinearizable, r.Verdict, "%+v", o)
		assert.NotEmpty(t, sentences, "%+v", o)
		if core := full(&r).Core; core != nil {
			assert.LessOrEqual(t, len(core.Facts), 12, "%+v", o)
		} else { // a conflict that names its operations
			require.True(t, r.Certified, "%+v", o)
			named := full(&r).Proof.Operations(full(&r).Instance())
			assert.NotEmpty(t, named, "%+v", o)
			assert.LessOrEqual(t, len(named), 12, "%+v", o)
		}
	}
}
