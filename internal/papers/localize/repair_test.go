package localize

import (
	"bytes"
	"context"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/linsat/linsat/explore"
	"github.com/linsat/linsat/internal/papers/catalogue"
	"github.com/linsat/linsat/internal/papers/objects/fgvt"
	"github.com/linsat/linsat/internal/papers/objects/relaxed"
	"github.com/linsat/linsat/internal/schedule"
	"github.com/linsat/linsat/internal/testenv"
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
			r, err := Find(context.Background(), e.Case, s, Options{Repair: true})
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
				assert.Equal(t, "read next once and go on with that value, so that a compare-and-swap fails if it has changed", first.Advice())
				assert.Zero(t, first.Between)
			}
			if r.Traces > 5000 { // too many for the definition
				return
			}
			f := &finder{ctx: context.Background(), c: e.Case, spec: s}
			for _, p := range r.Trace.Repairs {
				left, failing, failed := uint64(0), 0, map[string]bool{}
				_, err := explore.Run(e.Case.Program(), explore.Exhaustive(), explore.Options{Trace: true}, func(x *explore.Execution) bool {
					key := string(x.Class(nil))
					fails, known := failed[key]
					if !known {
						o, err := f.check(x)
						require.NoError(t, err)
						fails = o.fails
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
func keeps(events []explore.Event, r *Repair) bool {
	p := pair{r.From, r.To, r.Between == 0}
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
				now = events[j].Op == e.Op && p.follows(inside[e.Thread], siteOf(e), siteOf(&events[j]))
				break
			}
		}
		inside[e.Thread] = now
	}
	return true
}

// TestTheorem1 of the paper: if some trace of a program is not linearizable, then two accesses
// race. The specification of a random program is what its serial runs do.
func TestTheorem1(t *testing.T) {
	programs := 600
	if testenv.Full() {
		programs = 20_000
	}
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
			place[i] = slices.IndexFunc(run, func(s explore.Op) bool { return s.Thread == op.Thread && s.F == op.F && s.Return >= 0 })
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

// TestLoopsDoNotGoRoundWithoutNeed: of a retry loop no more rounds are shown than the fault takes,
// although each of them has races of its own.
func TestLoopsDoNotGoRoundWithoutNeed(t *testing.T) {
	shown := 0
	for _, e := range relaxed.Entries() {
		if !strings.Contains(e.Case.Object.Name, "k-stack") {
			continue
		}
		r, err := Find(context.Background(), e.Case, lookup(t, e.Case.Object.Spec), Options{MaxRuns: 5000})
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
