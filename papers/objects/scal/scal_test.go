package scal_test

import (
	"context"
	"testing"

	"github.com/linsat/linsat/explore"
	"github.com/linsat/linsat/explore/localize"
	"github.com/linsat/linsat/explore/mem"
	"github.com/linsat/linsat/explore/roundup"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/specs"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/linsat/linsat/papers/objects/scal"
	"github.com/linsat/linsat/spec"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var (
	queue = roundup.Methods{Insert: "enq", Remove: "deq"}
	stack = roundup.Methods{Insert: "push", Remove: "pop"}
)

func check(t *testing.T, c *explore.Case, o roundup.Options) *roundup.Report {
	t.Helper()
	r, err := roundup.Check(context.Background(), c, o)
	require.NoError(t, err, c.String())
	return r
}

func verdict(yes bool) engine.Verdict {
	if yes {
		return engine.Linearizable
	}
	return engine.NotLinearizable
}

// Every test has the verdicts that the catalogue expects. Segments of one slot make threads try
// again without end, so these are run with at most three preemptions.
func TestEntries(t *testing.T) {
	for _, e := range scal.Entries() {
		o := roundup.Options{Factor: e.Quasi}
		switch e.Case.Object.Name {
		case "scal-k-stack-1", "scal-k-stack-1-one-read":
			o.Strategy = func() explore.Strategy { return explore.Bounded(3) }
		case "scal-bk-queue-1":
			o.Strategy = func() explore.Strategy { return explore.Bounded(2) }
		}
		r := check(t, e.Case, o)
		name := e.Case.Object.Name + " " + e.Case.String()
		assert.Equal(t, verdict(e.Linearizable), r.Linearizable, name)
		assert.Equal(t, verdict(e.QuasiLinearizable), r.Quasi, name)
		assert.True(t, r.Run.Complete, name)
		// where the list has lost a node, a removal follows a link that is not there
		assert.Equal(t, e.Case.Object.Name == "scal-sl-queue" && e.Case.Threads[1][0].F == "enq",
			r.Unfinished.Executions > 0, name)
	}
}

// twice returns how many values an execution removed twice.
func twice(e *explore.Execution, remove string) int {
	removed, n := map[any]int{}, 0
	for i := range e.Ops {
		if o := &e.Ops[i]; o.F == remove && o.Result != nil {
			if removed[o.Result]++; removed[o.Result] == 2 {
				n++
			}
		}
	}
	return n
}

// The fault of Scal's k-stack puts a value in twice, as the paper says: two preemptions suffice,
// with one slot and with two. With one read it is gone.
func TestKStackTwice(t *testing.T) {
	for k := 1; k <= 2; k++ {
		for preemptions, violated := range []bool{false, false, true} {
			o := roundup.Options{Factor: "2", Strategy: func() explore.Strategy { return explore.Bounded(preemptions) }}
			test := func(build func(*mem.Memory) explore.Instance) *roundup.Report {
				object := &explore.Object{Name: "k-stack", Spec: "stack", New: build}
				return check(t, stack.Test(object, "iiir", []string{"i", "r"}, "rr"), o)
			}
			r := test(scal.KStack(k, scal.First))
			assert.Equal(t, verdict(!violated), r.Quasi, "k=%d, %d preemptions", k, preemptions)
			if violated {
				assert.Equal(t, 1, twice(r.FirstQuasi.Execution, "pop"), r.FirstQuasi.Execution.Ops)
			}
			corrected := test(scal.KStackOneRead(k, scal.First))
			assert.Equal(t, engine.Linearizable, corrected.Quasi, "k=%d, %d preemptions", k, preemptions)
			assert.True(t, corrected.Run.Complete)
		}
	}
}

// Where the threads can go round for ever, a bound on the accesses of an operation lets DPOR come
// to its end, with the verdicts of the catalogue.
func TestBoundedOperationsComplete(t *testing.T) {
	executions := map[string][]int{}
	for _, e := range scal.Entries() {
		if e.OpSteps == 0 {
			continue
		}
		s := spec.MustLookup(e.Case.Object.Spec)
		r, err := explore.Check(context.Background(), e.Case, s,
			explore.CheckOptions{Options: explore.Options{OpSteps: e.OpSteps}, Strategy: explore.DPOR(), All: true})
		require.NoError(t, err)
		assert.True(t, r.Stats.Complete, e.Case)
		assert.Equal(t, verdict(e.Linearizable), r.Verdict, e.Case)
		name := e.Case.Object.Name
		executions[name] = append(executions[name], r.Stats.Executions)
	}
	assert.Equal(t, map[string][]int{"scal-bk-queue-1": {25_208}, "scal-k-stack-1": {1_485, 600},
		"scal-k-stack-1-one-read": {968, 347}}, executions)
}

// The whole tree of the k-stack's shortest failing test is searched, although its threads can go
// round for ever, and what to repair is what repairs it: one read.
func TestWhatToRepair(t *testing.T) {
	for _, e := range scal.Entries() {
		if e.Case.Object.Name != "scal-k-stack-1" {
			continue
		}
		c, err := explore.ParseCase(e.Case.Object, "push(1) push(2) pop(); push(3) | pop(); pop()")
		require.NoError(t, err)
		r, err := localize.Find(context.Background(), c, specs.Stack(), localize.Options{OpSteps: 34, Repair: true})
		require.NoError(t, err)
		assert.True(t, r.Complete)
		assert.LessOrEqual(t, len(r.Trace.Steps), 61)
		require.True(t, r.Trace.RepairsComplete)
		require.Len(t, r.Trace.Repairs, 1)
		repair := r.Trace.Repairs[0]
		assert.Equal(t, "read segment.removers", repair.FromWhat)
		assert.Equal(t, "read segment.removers", repair.ToWhat)
		assert.NotEqual(t, repair.From.Line, repair.To.Line)
		return
	}
}

// Scal's bounded queue loses a value, which the paper's tests of two threads cannot show: with two
// insertions beside a removal, the queue is found empty although both insertions have ended and one
// value was removed.
func TestBoundedQueueLoses(t *testing.T) {
	object := &explore.Object{Name: "bk-queue", Spec: "queue", New: scal.BKQueue(1, scal.First)}
	r := check(t, queue.Test(object, "", []string{"i", "i", "r"}, "r"),
		roundup.Options{Strategy: func() explore.Strategy { return explore.Bounded(2) }})
	require.NotNil(t, r.First)
	removed := 0
	for _, o := range r.First.Execution.Ops {
		if o.F == "deq" && o.Result != nil {
			removed++
		}
	}
	assert.Equal(t, 1, removed, r.First.Execution.Ops)
}

// With all random choices, the objects stay within their factors under random schedules of two
// threads.
func TestRandomChoices(t *testing.T) {
	for name, build := range map[string]func(*mem.Memory) explore.Instance{
		"rd-queue": scal.RDQueue(3, scal.Any), "bk-queue": scal.BKQueue(3, scal.Any),
		"ubk-queue": scal.UBKQueue(3, scal.Any),
	} {
		object := &explore.Object{Name: name, Spec: "queue", New: build}
		c := queue.Test(object, "iii", []string{"iri", "rir"}, "rr")
		r := check(t, c, roundup.Options{Factor: "2", Strategy: func() explore.Strategy {
			return explore.Random(7, 300)
		}})
		assert.Zero(t, r.NotQuasi.Executions, name)
		assert.Zero(t, r.Unfinished.Executions, name)
		assert.Positive(t, r.NotLinearizable.Executions, name)
	}
}

// Random choices before and after the threads multiply the executions, but add no histories that a
// few of their combinations do not have.
func TestSetUpsOfKStack(t *testing.T) {
	object := &explore.Object{Name: "k-stack", Spec: "stack", New: scal.KStack(2, scal.Any)}
	run := func(c *explore.Case, setUps int) (int, map[string]bool) {
		classes := map[string]bool{}
		stats, err := explore.Run(c.Program(), explore.DPOR(), explore.Options{SetUps: setUps},
			func(e *explore.Execution) bool {
				classes[string(e.Class(nil))] = true
				return true
			})
		require.NoError(t, err)
		require.True(t, stats.Complete)
		return stats.Executions, classes
	}
	short := stack.Test(object, "iii", []string{"i", "r"}, "rrr")
	n, all := run(short, 0)
	m, few := run(short, 8)
	assert.Equal(t, all, few)
	assert.Less(t, 20*m, n)
	long := stack.Test(object, "iiiii", []string{"i", "r"}, "rrrrr") // of Table V
	m, few = run(long, 8)
	assert.LessOrEqual(t, m, 2_000)
	assert.Len(t, few, 20)
	t.Logf("short: %d executions of %d; long: %d", len(all), n, m)
	if testenv.Full() {
		n, all = run(long, 0)
		assert.Equal(t, 1_835_008, n)
		assert.Equal(t, all, few)
	}
}
