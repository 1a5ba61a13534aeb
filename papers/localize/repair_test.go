package localize_test

import (
	"bytes"
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/linsat/linsat"
	"github.com/linsat/linsat/explore"
	"github.com/linsat/linsat/explore/localize"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/schedule"
	"github.com/linsat/linsat/papers/catalogue"
	"github.com/linsat/linsat/papers/objects/fgvt"
	"github.com/linsat/linsat/papers/objects/relaxed"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func faulty() (entries []catalogue.Entry) {
	for _, e := range fgvt.Entries() {
		if e.Faulty {
			entries = append(entries, e)
		}
	}
	return entries
}

// repaired are the closest two accesses that remove each fault.
var repaired = map[string]string{
	"lockfreelist":    "read next(1), read next(1)",
	"optimisticqueue": "read head, update head",
	"pairsnapshot":    "read d[0], read d[1]",
	"snark":           "read rightHat, read R(1)",
	"simplelist":      "read val(1), write next(1)",
	"linkedlist":      "read next(1), read next(5)",
}

// TestRepairs: what is suggested for the faults of the paper's Table 2. That it removes all failing
// traces is checked by running every schedule and leaving out those in which another thread makes
// an access inside of the event.
func TestRepairs(t *testing.T) {
	for _, e := range faulty() {
		t.Run(e.Case.Object.Name, func(t *testing.T) {
			s := lookup(t, e.Case.Object.Spec)
			r, err := localize.Find(context.Background(), e.Case, s, localize.Options{Repair: true})
			require.NoError(t, err)
			require.True(t, r.Trace.RepairsComplete)
			require.NotEmpty(t, r.Trace.Repairs)
			var b bytes.Buffer
			require.NoError(t, r.Text(&b))
			assert.Contains(t, b.String(), "what to repair: ")
			b.Reset()
			require.NoError(t, r.HTML(&b))
			assert.Contains(t, b.String(), "what to repair")
			first := r.Trace.Repairs[0]
			assert.Equal(t, repaired[e.Case.Object.Name], first.FromWhat+", "+first.ToWhat)
			if e.Case.Object.Name == "lockfreelist" { // attemptMark as one compare-and-set
				assert.Equal(t,
					"read next once and go on with that value, so that a compare-and-swap fails if it has changed",
					first.Advice())
				assert.Zero(t, first.Between)
			}
			if r.Traces > 5000 { // too many for the definition
				return
			}
			for _, p := range r.Trace.Repairs {
				left, failing, failed := uint64(0), 0, map[string]bool{}
				_, err := explore.Run(e.Case.Program(), explore.Exhaustive(), explore.Options{Trace: true},
					func(x *explore.Execution) bool {
						key := string(x.Class(nil))
						fails, known := failed[key]
						if !known {
							fails = violates(t, e.Case, s, x)
							failed[key] = fails
						}
						if keeps(concurrent(x.Events), &p) {
							left++
							assert.False(t, fails, "%s", x.Schedule)
						} else if fails {
							failing++
						}
						return true
					})
				require.NoError(t, err)
				assert.Equal(t, p.Traces, left)
				assert.EqualValues(t, r.Failing, failing)
			}
		})
	}
}

// keeps reports whether nothing comes inside of the event of a repair, unless its thread is
// blocked.
func keeps(events []explore.Event, r *localize.Repair) bool {
	inside := map[int]bool{}
	for k := range events {
		e := &events[k]
		for thread, is := range inside {
			if is && !inside[e.Thread] && schedule.Has(schedule.Inside(&e.Access).Enabled, thread) {
				return false
			}
		}
		now := false
		for j := k + 1; j < len(events); j++ {
			if events[j].Thread == e.Thread {
				now = events[j].Op == e.Op && goesOn(r, inside[e.Thread], site(e), site(&events[j]))
				break
			}
		}
		inside[e.Thread] = now
	}
	return true
}

// goesOn reports whether a thread that has made an access is then inside the event.
func goesOn(r *localize.Repair, inside bool, made, next localize.Site) bool {
	switch {
	case r.Between == 0: // nothing comes between the two
		return made == r.From && next == r.To
	case inside:
		return made != r.To
	}
	return made == r.From
}

// site is where an access stands in the code, and of which kind it is.
func site(e *explore.Event) localize.Site {
	a := schedule.Inside(&e.Access)
	kind := a.Kind
	if a.Failed {
		kind = schedule.Update
	}
	return localize.Site{File: e.File, Line: e.Line, Kind: kind.String()}
}

// concurrent returns the accesses of the threads.
func concurrent(events []explore.Event) []explore.Event {
	return slices.DeleteFunc(slices.Clone(events), func(e explore.Event) bool { return e.Thread == schedule.Main })
}

// violates reports whether an execution panics or its history is not linearizable.
func violates(t *testing.T, c *explore.Case, s model.Spec, x *explore.Execution) bool {
	if x.Outcome == explore.Panicked || len(x.Ops) == 0 {
		return x.Outcome == explore.Panicked
	}
	h, err := c.History(x)
	require.NoError(t, err)
	r, err := linsat.Check(context.Background(), s, h)
	require.NoError(t, err)
	return r.Verdict == linsat.NotLinearizable
}

// TestLoopsDoNotGoRoundWithoutNeed: of a retry loop no more rounds are shown than the fault takes,
// although each of them has races of its own.
func TestLoopsDoNotGoRoundWithoutNeed(t *testing.T) {
	shown := 0
	for _, e := range relaxed.Entries() {
		if !strings.Contains(e.Case.Object.Name, "k-stack") {
			continue
		}
		r, err := localize.Find(context.Background(), e.Case, lookup(t, e.Case.Object.Spec),
			localize.Options{MaxRuns: 5000})
		require.NoError(t, err)
		if r.Trace == nil {
			continue
		}
		shown++
		assert.LessOrEqual(t, len(concurrent(r.Trace.Execution.Events)), 40, "%s %s", e.Case.Object.Name, e.Case)
		t.Log(e.Case.Object.Name, e.Case, len(concurrent(r.Trace.Execution.Events)), r.Complete)
	}
	assert.GreaterOrEqual(t, shown, 3)
}
