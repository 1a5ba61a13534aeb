package explore

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/linsat/linsat/internal/schedule"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// DPOR against exhaustive search, on random programs (randomprogram_test.go).

// tracer keeps the last execution that a strategy got to see, as text that is equal for executions
// that differ only by the order of adjacent independent accesses.
type tracer struct {
	schedule.Strategy
	intervals bool
	key       []byte
}

func (r *tracer) End(e *schedule.Finished) {
	r.key = appendTrace(r.key[:0], e, r.intervals)
	r.Strategy.End(e)
}

// appendTrace appends, for each access in the order of threads, how many accesses of each thread
// happen before it.
func appendTrace(dst []byte, e *schedule.Finished, intervals bool) []byte {
	as := e.Accesses
	n := len(as)
	before := make([][]bool, n)
	global := make([]bool, n)
	latest := [schedule.MaxThreads]int{}
	threads := 0
	for j := range as {
		q := as[j].Thread
		global[j] = as[j].Yields || latest[q] > 0 && as[latest[q]-1].Yields ||
			j == n-1 && (e.Outcome == Panicked || e.Abrupt)
		latest[q] = j + 1
		threads = max(threads, int(q)+1)
		before[j] = make([]bool, n)
		for i := range j {
			a, b := &as[i], &as[j]
			conflict := a.Kind.Writes() || b.Kind.Writes()
			same := a.Loc == b.Loc && a.Loc >= 0 || a.Loc == b.Loc2 && a.Loc >= 0 || a.Loc2 == b.Loc && b.Loc >= 0 ||
				a.Loc2 == b.Loc2 && a.Loc2 >= 0
			if a.Thread == b.Thread || conflict && same || global[i] || global[j] || intervals &&
				(a.Last && b.First || a.First && b.Last) {
				before[j][i] = true
				for h := range i {
					before[j][h] = before[j][h] || before[i][h]
				}
			}
		}
	}
	dst = append(dst, byte(e.Outcome))
	for q := range threads {
		for j := range as {
			if int(as[j].Thread) != q {
				continue
			}
			counts := make([]byte, threads)
			for i := range j {
				if before[j][i] {
					counts[as[i].Thread]++
				}
			}
			dst = append(append(dst, byte(q)), counts...)
		}
	}
	return dst
}

// found is what a strategy visited.
type found struct {
	Stats
	classes map[string]int // by Execution.Class: how often
	traces  map[string]int // by trace and class
	abrupt  bool           // an execution reached the bound on steps
}

// visited runs a program, and returns false if there are more than limit executions.
func visited(t testing.TB, p Program, s Strategy, limit int) (found, bool) {
	return visitedWaiting(t, p, s, limit, 0)
}

// visitedWaiting is visited, where loops wait after so many readings; 0: as ever.
func visitedWaiting(t testing.TB, p Program, s Strategy, limit, rereads int) (found, bool) {
	return visitedWithin(t, p, s, Options{MaxRuns: limit, rereads: rereads})
}

// visitedWithin is visited with other bounds.
func visitedWithin(t testing.TB, p Program, s Strategy, o Options) (found, bool) {
	o.MaxSteps = 60
	return traced(t, p, &tracer{Strategy: schedule.Full(s), intervals: intervals(s)}, o)
}

// visitedBy is visited, with what counts as a trace for another strategy.
func visitedBy(t testing.TB, p Program, s, other Strategy, limit int) (found, bool) {
	return traced(t, p, &tracer{Strategy: schedule.Full(s), intervals: intervals(other)},
		Options{MaxRuns: limit, MaxSteps: 60})
}

// intervals reports whether the order of returns and calls counts for a strategy.
func intervals(s Strategy) bool {
	d, ok := s.(interface{ Intervals() bool })
	return !ok || d.Intervals()
}

func traced(t testing.TB, p Program, r *tracer, o Options) (found, bool) {
	f := found{classes: map[string]int{}, traces: map[string]int{}}
	var key []byte
	stats, err := Run(p, r, o, func(e *Execution) bool {
		key = e.Class(key[:0])
		f.abrupt = f.abrupt || e.abrupt
		f.classes[string(key)]++
		if r.intervals { // else executions of one trace may have several classes
			r.key = append(r.key, key...)
		}
		f.traces[string(r.key)]++
		return true
	})
	require.NoError(t, err)
	f.Stats = stats
	return f, stats.Complete
}

// compare says how DPOR differs from exhaustive search, "" if it does not.
func compare(whole, reduced found) string {
	for k := range whole.classes {
		if reduced.classes[k] == 0 {
			return fmt.Sprintf("%d of %d classes, without %q", len(reduced.classes), len(whole.classes), k)
		}
	}
	if len(reduced.classes) > len(whole.classes) {
		return "classes that exhaustive search does not find"
	}
	if whole.abrupt { // where the bound cuts, there are no traces
		return ""
	}
	for k := range whole.traces {
		if reduced.traces[k] == 0 {
			return fmt.Sprintf("%d of %d traces", len(reduced.traces), len(whole.traces))
		}
	}
	return ""
}

// TestDPORFindsTheClassesOfExhaustiveSearch: on random programs DPOR finds the classes that
// exhaustive search finds, and the traces.
func TestDPORFindsTheClassesOfExhaustiveSearch(t *testing.T) {
	programs, limit := testenv.Scale(200, 1_500), testenv.Scale(2_000, 20_000)
	start := rand.Uint64N(1 << 32)
	compared := 0
	var all, reduced, pruned, traces, sum, plainLoses int
	var outcomes [schedule.Outcomes]int
	for i := range programs {
		p := newRandomProgram(start + uint64(i))
		whole, ok := visitedWaiting(t, p.program(), Exhaustive(), limit, 2)
		if !ok {
			continue
		}
		d, ok := visitedWaiting(t, p.program(), DPOR(), 2*limit, 2)
		require.True(t, ok, "seed %d: %s", start+uint64(i), p)
		require.Empty(t, compare(whole, d), "seed %d: %s", start+uint64(i), p)
		plain, ok := visitedWaiting(t, p.program(), schedule.DPORByConflicts(), 2*limit, 2)
		require.True(t, ok)
		if len(plain.classes) < len(whole.classes) {
			plainLoses++
		}
		compared++
		all += whole.Executions
		reduced += d.Executions
		pruned += d.Pruned
		traces += len(whole.traces)
		sum += len(whole.classes)
		for o, n := range whole.Outcomes {
			outcomes[o] += n
		}
	}
	t.Logf("%d programs from seed %d on (%d too large): %d executions, %v by outcome; DPOR %d and %d pruned for %d "+
		"traces, %d classes; plain dependence loses classes of %d programs",
		compared, start, programs-compared, all, outcomes, reduced, pruned, traces, sum, plainLoses)
	assert.Greater(t, compared, testenv.MoreThan(programs/2))
	assert.Greater(t, plainLoses, testenv.MoreThan(programs/10),
		"without the order of calls and returns the comparison fails")
	for _, o := range []Outcome{Completed, Stuck, CutOff, Panicked}[:testenv.Scale(2, 4)] {
		assert.Greater(t, outcomes[o], testenv.MoreThan(0), "%s", o)
	}
	if compared > 100 { // few programs may have one with many
		assert.Less(t, float64(reduced+pruned), 1.05*float64(traces), "hardly any trace is visited twice or given up")
	}
}

// TestBoundedOperations: where operations stop after a few accesses, DPOR finds the classes and the
// traces of exhaustive search, and both run to their end.
func TestBoundedOperations(t *testing.T) {
	programs, limit := testenv.Scale(200, 2_000), testenv.Scale(2_000, 20_000)
	start := rand.Uint64N(1 << 32)
	var compared, cut, traces, reduced, pruned int
	for i := range programs {
		seed := start + uint64(i)
		p := newRandomProgram(seed)
		o := Options{MaxRuns: limit, OpSteps: 1 + int(seed%3)}
		whole, ok := visitedWithin(t, p.program(), Exhaustive(), o)
		if !ok {
			continue
		}
		o.MaxRuns = 2 * limit
		d, ok := visitedWithin(t, p.program(), DPOR(), o)
		require.True(t, ok, "seed %d: %s", seed, p)
		require.Empty(t, compare(whole, d), "seed %d, %d accesses an operation: %s", seed, o.OpSteps, p)
		require.Equal(t, len(whole.classes), len(d.classes), "seed %d", seed)
		compared++
		if whole.Outcomes[CutOff] > 0 {
			cut++
		}
		traces += len(whole.traces)
		reduced += d.Executions
		pruned += d.Pruned
	}
	t.Logf("%d programs from seed %d on, %d with executions that are cut off: %d traces, DPOR %d executions and %d "+
		"pruned", compared, start, cut, traces, reduced, pruned)
	assert.Greater(t, cut, testenv.MoreThan(programs/4))
}

// TestDPORVisitsEachTraceOnceWithoutBlocking: on random programs of loads, stores and updates, of
// one location and of two, DPOR makes one execution for each trace that exhaustive search finds,
// never two. It gives up few executions besides: where an access may do something else in another
// place (docs/decisions/dpor.md).
func TestDPORVisitsEachTraceOnceWithoutBlocking(t *testing.T) {
	programs, limit := testenv.Scale(150, 3_000), testenv.Scale(2_000, 20_000)
	start := rand.Uint64N(1 << 32)
	var compared, all, traces, pruned, with int
	for i := range programs {
		seed := start + uint64(i)
		p := randomProgramOf(mixes[:2], seed)
		whole, ok := visited(t, p.program(), Exhaustive(), limit)
		if !ok {
			continue
		}
		d, ok := visited(t, p.program(), DPOR(), 2*limit)
		require.True(t, ok, "seed %d: %s", seed, p)
		require.Empty(t, compare(whole, d), "seed %d: %s", seed, p)
		require.Equal(t, d.Executions, d.Outcomes[Completed], "seed %d: %s", seed, p)
		require.Equal(t, len(whole.traces), d.Executions, "seed %d: a trace is visited twice: %s", seed, p)
		require.LessOrEqual(t, d.Pruned, len(whole.traces), "seed %d: %s", seed, p)
		if d.Pruned > 0 {
			with++
		}
		compared++
		all += whole.Executions
		traces += len(whole.traces)
		pruned += d.Pruned
	}
	t.Logf("%d programs from seed %d on (%d too large): %d executions, %d traces, each visited once; %d given up, in "+
		"%d programs",
		compared, start, programs-compared, all, traces, pruned, with)
	assert.Greater(t, compared, testenv.MoreThan(programs/2))
	assert.LessOrEqual(t, with, 5+compared/20, "in hardly any program an execution is given up")
}

// TestDPORGivesNothingUp: where every access does the same in all places that races may give it,
// DPOR makes one execution for each trace and gives none up. An update of one location that may
// fail does not count as another access: what would tell the difference conflicts with it.
func TestDPORGivesNothingUp(t *testing.T) {
	updates := map[opcode]int{load: 3, store: 2, add: 1, swap: 1, cas: 2}
	for _, c := range []struct {
		name     string
		mix      map[opcode]int
		accesses int // of an operation, at most
		strategy func() Strategy
	}{
		{"by conflicts", updates, 3, func() Strategy { return schedule.DPORByConflicts() }},
		{"operations of one access", updates, 1, DPOR},
		{"operations that read nothing", map[opcode]int{store: 1}, 3, DPOR},
	} {
		programs, limit := testenv.Scale(100, 1_000), testenv.Scale(2_000, 20_000)
		start := rand.Uint64N(1 << 32)
		compared, traces := 0, 0
		for i := range programs {
			p := randomProgramOf([]map[opcode]int{c.mix}, start+uint64(i))
			for _, ops := range p.threads {
				for k := range ops {
					ops[k] = ops[k][:min(len(ops[k]), c.accesses)]
				}
			}
			whole, ok := visitedBy(t, p.program(), Exhaustive(), c.strategy(), limit)
			if !ok {
				continue
			}
			d, ok := visited(t, p.program(), c.strategy(), 2*limit)
			require.True(t, ok, "%s: %s", c.name, p)
			require.Len(t, d.traces, len(whole.traces), "%s: %s", c.name, p)
			require.Equal(t, len(d.traces), d.Executions, "%s: a trace is visited twice: %s", c.name, p)
			require.Zero(t, d.Pruned, "%s: %s", c.name, p)
			compared++
			traces += len(whole.traces)
		}
		t.Logf("%s: %d programs from seed %d on, %d traces, each visited once, none given up", c.name,
			compared, start, traces)
		assert.Greater(t, compared, testenv.MoreThan(programs/2))
	}
}
