package roundup_test

import (
	"context"
	"math"
	"strings"
	"testing"

	"github.com/linsat/linsat/explore"
	"github.com/linsat/linsat/explore/mem"
	"github.com/linsat/linsat/explore/roundup"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/oracle"
	"github.com/linsat/linsat/internal/specs"
	"github.com/linsat/linsat/papers/objects/relaxed"
	"github.com/linsat/linsat/papers/objects/scal"
	"github.com/linsat/linsat/quasi"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var methods = roundup.Methods{Insert: "enq", Remove: "deq"}

func object(build func(*mem.Memory) explore.Instance) *explore.Object {
	return &explore.Object{Name: "o", Spec: "queue", New: build}
}

// Questions that make no sense are errors.
func TestSenselessQuestionsAreErrors(t *testing.T) {
	good := methods.Test(object(relaxed.MSQueue), "i", []string{"i", "r"}, "r")
	_, err := roundup.Check(context.Background(), good, roundup.Options{Factor: "2"})
	require.NoError(t, err)
	for _, factor := range []string{"deq=min", "x", "deq=1,deq=2"} {
		_, err := roundup.Check(context.Background(), good, roundup.Options{Factor: factor})
		assert.ErrorIs(t, err, roundup.ErrUnfit, factor)
	}
	for name, o := range map[string]explore.Object{
		"unknown": {Spec: "no such thing", New: relaxed.MSQueue}, "no model": {Spec: "register", New: relaxed.MSQueue},
		"initial": {Spec: "queue", Initial: []any{1}, New: relaxed.MSQueue},
	} {
		c := *good
		c.Object = &o
		_, err := roundup.Check(context.Background(), &c, roundup.Options{})
		assert.ErrorIs(t, err, roundup.ErrUnfit, name)
	}
	wide := methods.Test(object(relaxed.MSQueue), "ii", []string{"r", "r"}, "")
	_, err = roundup.Check(context.Background(), wide, roundup.Options{Golden: object(relaxed.QuasiQueue(3))})
	assert.ErrorContains(t, err, "golden model")
}

// counted are the columns of a report that the paper counts, and the verdicts.
func counted(r *roundup.Report) []any {
	return []any{r.Linearizable, r.Quasi, r.Sequential, r.All, r.NotLinearizable, r.NotQuasi, r.Traces, r.BuggyTraces,
		r.Linearizations, r.Rearrangements}
}

// The golden model may be the object at factor 0; the report is the same as with the model.
func TestGoldenAtFactorZero(t *testing.T) {
	c := methods.Test(object(relaxed.QuasiQueue(3)), "i", []string{"iri", "rir"}, "r")
	byModel, err := roundup.Check(context.Background(), c, roundup.Options{Factor: "2", Literal: true})
	require.NoError(t, err)
	byObject, err := roundup.Check(context.Background(), c, roundup.Options{Factor: "2", Literal: true,
		Golden: object(relaxed.QuasiQueue(1))})
	require.NoError(t, err)
	assert.Equal(t, counted(byModel), counted(byObject))
	assert.Equal(t, 20, byObject.Sequential)
}

// Without a factor only linearizability is asked for; a limit leaves what was not refuted Unknown.
func TestVerdicts(t *testing.T) {
	c := methods.Test(object(relaxed.QuasiQueue(3)), "iiii", []string{"rr", "rr"}, "")
	r, err := roundup.Check(context.Background(), c, roundup.Options{})
	require.NoError(t, err)
	assert.Equal(t, engine.NotLinearizable, r.Linearizable)
	assert.Equal(t, engine.Unknown, r.Quasi)
	assert.NotContains(t, r.String(), "quasi-linearizable with")

	r, err = roundup.Check(context.Background(), c, roundup.Options{Factor: "2", Run: explore.Options{MaxRuns: 1}})
	require.NoError(t, err)
	assert.Equal(t, engine.Unknown, r.Linearizable, "the first execution takes the values in order")
	assert.Equal(t, engine.Unknown, r.Quasi)
	assert.Contains(t, r.String(), "stopped: runs")

	// With the bounds of no class relaxed, quasi-linearizable is linearizable.
	r, err = roundup.Check(context.Background(), c, roundup.Options{Factor: "0", Literal: true})
	require.NoError(t, err)
	assert.Equal(t, r.NotLinearizable, r.NotQuasi)
	// What is accepted at a bound is accepted at the next, and by the other meaning.
	before := r.NotQuasi.Histories
	for _, factor := range []string{"1", "2", "inf"} {
		r, err = roundup.Check(context.Background(), c, roundup.Options{Factor: factor, Literal: true})
		require.NoError(t, err)
		assert.LessOrEqual(t, r.NotQuasi.Histories, before, factor)
		before = r.NotQuasi.Histories
		classes, err := roundup.Check(context.Background(), c, roundup.Options{Factor: factor, Meaning: quasi.Classes})
		require.NoError(t, err)
		assert.LessOrEqual(t, classes.NotQuasi.Histories, r.NotQuasi.Histories, factor)
	}
	assert.Zero(t, before)

	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err = roundup.Check(ctx, c, roundup.Options{})
	assert.ErrorIs(t, err, context.Canceled)
}

// blocking is a queue whose removals wait for something to remove.
func blocking(m *mem.Memory) explore.Instance {
	instance := relaxed.MSQueue(m)
	size := mem.NewSemaphore(m, "size", 0)
	return func(f string, arg any) any {
		if f == "deq" {
			size.Acquire()
			return instance(f, arg)
		}
		defer size.Release()
		return instance(f, arg)
	}
}

// panicking is a queue that panics when it is empty.
func panicking(m *mem.Memory) explore.Instance {
	instance := relaxed.MSQueue(m)
	return func(f string, arg any) any {
		v := instance(f, arg)
		if f == "deq" && v == nil {
			panic("empty")
		}
		return v
	}
}

// crossing is a queue whose insertions take two locks in one order and whose removals take them in
// the other.
func crossing(m *mem.Memory) explore.Instance {
	instance := relaxed.MSQueue(m)
	a, b := mem.NewMutex(m, "a"), mem.NewMutex(m, "b")
	return func(f string, arg any) any {
		first, second := a, b
		if f == "deq" {
			first, second = b, a
		}
		first.Lock()
		defer first.Unlock()
		second.Lock()
		defer second.Unlock()
		return instance(f, arg)
	}
}

// Executions that do not complete are counted apart: stuck ones are judged with their operations
// pending if operations may block; those that are cut off leave the verdict Unknown.
func TestIncompleteExecutionsAreCountedApart(t *testing.T) {
	c := methods.Test(object(blocking), "", []string{"ir", "r"}, "")
	r, err := roundup.Check(context.Background(), c, roundup.Options{Factor: "1", Blocking: true})
	require.NoError(t, err)
	assert.Equal(t, r.Unfinished.Executions, r.Run.Outcomes[explore.Stuck])
	assert.Positive(t, r.Unfinished.Executions)
	assert.Zero(t, r.Broken)
	assert.Nil(t, r.FirstBroken)
	assert.Equal(t, engine.Linearizable, r.Linearizable)
	assert.Equal(t, engine.Linearizable, r.Quasi)
	assert.True(t, r.Drained)
	assert.NotContains(t, r.String(), "violation")

	c = methods.Test(object(relaxed.HerlihyWing), "", []string{"ir", "r"}, "")
	r, err = roundup.Check(context.Background(), c, roundup.Options{Factor: "1", Run: explore.Options{MaxSteps: 100}})
	require.NoError(t, err)
	assert.Positive(t, r.Unfinished.Executions)
	assert.Zero(t, r.Broken)
	assert.Equal(t, engine.Unknown, r.Linearizable, "it spins when it is empty")
	assert.Equal(t, engine.Unknown, r.Quasi)
	assert.Contains(t, r.String(), "did not complete")
	again, err := c.Replay(r.FirstUnfinished.Execution.Schedule, explore.Options{MaxSteps: 100})
	require.NoError(t, err)
	assert.Equal(t, explore.CutOff, again.Outcome)
}

// Where an operation stops at a bound on its accesses, the history is checked with that operation
// pending, and the verdict is one within the bound; if nothing ends within it, there is none.
func TestStoppedOperationsAreCountedApart(t *testing.T) {
	c := methods.Test(object(relaxed.HerlihyWing), "", []string{"i", "r"}, "")
	run := func(bound int) *roundup.Report {
		r, err := roundup.Check(context.Background(), c, roundup.Options{Factor: "1", Traces: true,
			Run: explore.Options{OpSteps: bound}})
		require.NoError(t, err)
		assert.True(t, r.Run.Complete)
		assert.Zero(t, r.Unfinished)
		assert.Zero(t, r.Broken)
		assert.Nil(t, r.FirstUnfinished)
		assert.Equal(t, r.Run.Outcomes[explore.CutOff], r.Stopped.Executions)
		assert.GreaterOrEqual(t, r.All.Executions+r.Stopped.Executions, r.Traces)
		return r
	}
	r := run(4)
	assert.Positive(t, r.All.Executions)
	assert.Positive(t, r.Stopped.Histories)
	assert.Equal(t, engine.Linearizable, r.Linearizable)
	assert.Equal(t, engine.Linearizable, r.Quasi)
	assert.Contains(t, r.String(), "an operation stopped")
	assert.Zero(t, r.NotQuasi)

	none := run(1)
	assert.Zero(t, none.All)
	assert.Equal(t, engine.Unknown, none.Linearizable)
	assert.Equal(t, engine.Unknown, none.Quasi)

	// an insertion that makes too many accesses; beside it, two removals take the same value
	slow := func(m *mem.Memory) explore.Instance {
		list, v := scal.SLQueue(m), mem.NewVar(m, "v", 0)
		return func(f string, arg any) any {
			for i := 0; f == "enq" && i < 20; i++ {
				v.Store(i)
			}
			return list(f, arg)
		}
	}
	bad := methods.Test(object(slow), "ii", []string{"r", "r", "i"}, "")
	r, err := roundup.Check(context.Background(), bad, roundup.Options{Factor: "1", Run: explore.Options{OpSteps: 10}})
	require.NoError(t, err)
	assert.Zero(t, r.All)
	assert.Equal(t, engine.NotLinearizable, r.Linearizable)
	assert.Equal(t, r.NotLinearizable.Executions, r.NotQuasi.Executions)
	require.NotNil(t, r.First)
	again, err := bad.Replay(r.First.Execution.Schedule, explore.Options{OpSteps: 10})
	require.NoError(t, err)
	assert.Equal(t, explore.CutOff, again.Outcome)
}

// Deadlocks and panics are violations, though no history shows them.
func TestDeadlocksAndPanicsAreViolations(t *testing.T) {
	for name, build := range map[string]func(*mem.Memory) explore.Instance{"blocking": blocking, "crossing": crossing, "panicking": panicking} {
		want, said := explore.Stuck, "stuck; the first is"
		if name == "panicking" {
			want, said = explore.Panicked, "in a panic (empty); the first is"
		}
		c := methods.Test(object(build), "", []string{"ir", "r"}, "")
		r, err := roundup.Check(context.Background(), c, roundup.Options{Factor: "1"})
		require.NoError(t, err, name)
		assert.Equal(t, r.Run.Outcomes[want], r.Broken.Executions, name)
		assert.Positive(t, r.Broken.Histories, name)
		assert.Equal(t, r.Unfinished, r.Broken, name)
		assert.Zero(t, r.NotLinearizable, name)
		assert.Equal(t, engine.NotLinearizable, r.Linearizable, name)
		assert.Equal(t, engine.NotLinearizable, r.Quasi, name)
		assert.Contains(t, r.String(), "\n  violation: ", name)
		assert.Contains(t, r.String(), said, name)
		assert.Equal(t, 2, strings.Count(r.String(), ": no: some executions do not end"), name)
		again, err := c.Replay(r.FirstBroken.Execution.Schedule, explore.Options{})
		require.NoError(t, err, name)
		assert.Equal(t, want, again.Outcome, name)
	}
}

// One of a kind is written as one.
func TestCountsInWords(t *testing.T) {
	r, err := roundup.Check(context.Background(), methods.Test(object(relaxed.MSQueue), "i", []string{"r"}, ""),
		roundup.Options{Factor: "0"})
	require.NoError(t, err)
	assert.Contains(t, r.String(), "phase 1: 1 sequential history in ")
	assert.Contains(t, r.String(), "phase 2: 1 execution, 1 history, 1 linearization, 1 rearrangement in ")
	r.Linearizations, r.Rearrangements = math.MaxInt64, math.MaxInt64
	assert.Contains(t, r.String(), ", more than 9·10¹⁸ linearizations, more than 9·10¹⁸ rearrangements in ")
}

// Bounds of insertions count as well.
func TestBoundsByClass(t *testing.T) {
	c := methods.Test(object(relaxed.QuasiQueue(3)), "iii", []string{"r", "r"}, "r")
	plain, err := roundup.Check(context.Background(), c, roundup.Options{Factor: "1", Literal: true})
	require.NoError(t, err)
	assert.Equal(t, plain.Linearizations*3, plain.Rearrangements, "three removals, each by one place")
	wide, err := roundup.Check(context.Background(), c, roundup.Options{Factor: "1,enq=2", Literal: true})
	require.NoError(t, err)
	assert.Equal(t, plain.Linearizations*3*6, wide.Rearrangements)
	assert.Positive(t, plain.NotQuasi.Histories)
	assert.Less(t, wide.NotQuasi.Histories, plain.NotQuasi.Histories)
}

// There are as many traces among the executions of DPOR as among all.
func TestTraces(t *testing.T) {
	for _, c := range []*explore.Case{
		methods.Test(object(relaxed.MSQueue), "i", []string{"i", "r"}, ""),
		methods.Test(object(relaxed.MSQueue), "ii", []string{"r", "r"}, ""),
		methods.Test(object(relaxed.MSQueue), "", []string{"i", "i"}, ""),
		methods.Test(object(relaxed.SLQueue), "i", []string{"ir", "r"}, ""),
		methods.Test(object(relaxed.QuasiQueue(2)), "i", []string{"ir", "r"}, ""),
		methods.Test(object(relaxed.UBKQueue(2)), "i", []string{"i", "r"}, ""),
		methods.Test(object(relaxed.IQueue), "", []string{"ir", "r"}, ""),
	} {
		some, err := roundup.Check(context.Background(), c, roundup.Options{Traces: true})
		require.NoError(t, err)
		all, err := roundup.Check(context.Background(), c, roundup.Options{Traces: true, Strategy: explore.Exhaustive})
		require.NoError(t, err)
		require.True(t, all.Run.Complete)
		assert.Equal(t, all.Traces, some.Traces, c.String())
		assert.LessOrEqual(t, some.Traces, some.All.Executions, c.String())
		assert.Equal(t, all.All.Histories, some.All.Histories, c.String())
	}
	none, err := roundup.Check(context.Background(), methods.Test(object(relaxed.MSQueue), "", []string{"i", "i"}, ""),
		roundup.Options{})
	require.NoError(t, err)
	assert.Zero(t, none.Traces)
}

// Bounds on sets of operations: as many executions violate them as by definition. What the paper
// counts knows classes only.
func TestBoundsOnSets(t *testing.T) {
	c := methods.Test(object(relaxed.QuasiQueue(3)), "ii", []string{"ir", "r"}, "r")
	queue, _ := specs.Lookup("queue")
	seen := map[bool]bool{}
	for _, factor := range []string{"deq=2,deq(1)=0", "deq=2,deq(1|2)=0", "deq=2,deq(1|2)=1", "deq=2,enq+deq=1"} {
		r, err := roundup.Check(context.Background(), c, roundup.Options{Factor: factor, Literal: true})
		require.NoError(t, err)
		require.True(t, r.Run.Complete)
		request, err := quasi.Parse(queue.Info(), factor)
		require.NoError(t, err)
		relax := quasi.Question{Factor: request.Factor, Sets: request.Sets, Drain: r.Drained}
		violating, all := 0, 0
		_, err = explore.Run(c.Program(), explore.DPOR(), explore.Options{}, func(e *explore.Execution) bool {
			h, err := c.History(e)
			require.NoError(t, err)
			bound, err := queue.Bind(model.Whole(h))
			require.NoError(t, err)
			if ok, _, _ := oracle.SlotsLinearizable(bound, relax); !ok {
				violating++
			}
			all++
			return true
		})
		require.NoError(t, err)
		assert.Equal(t, []int{violating, all}, []int{r.NotQuasi.Executions, r.All.Executions}, factor)
		seen[violating > 0] = true
		assert.Zero(t, r.Rearrangements)
		assert.NotContains(t, r.String(), "rearrangement")
	}
	assert.Len(t, seen, 2)
}

// Objects may call their operations by other names that the specification knows.
func TestOtherNames(t *testing.T) {
	renamed := object(func(m *mem.Memory) explore.Instance {
		instance := relaxed.QuasiQueue(3)(m)
		return func(f string, arg any) any { return instance(map[string]string{"offer": "enq", "Poll": "deq"}[f], arg) }
	})
	c := roundup.Methods{Insert: "offer", Remove: "Poll"}.Test(renamed, "ii", []string{"ir", "ir"}, "rr")
	r, err := roundup.Check(context.Background(), c, roundup.Options{Factor: "2", Literal: true})
	require.NoError(t, err)
	plain, err := roundup.Check(context.Background(), methods.Test(object(relaxed.QuasiQueue(3)), "ii",
		[]string{"ir", "ir"}, "rr"), roundup.Options{Factor: "2"})
	require.NoError(t, err)
	assert.Equal(t, counted(plain), counted(r))
	assert.False(t, r.Drained)
}

// An object that does not begin empty needs a golden model that begins like it.
func TestInitial(t *testing.T) {
	filled := func(k int) *explore.Object {
		o := object(func(m *mem.Memory) explore.Instance {
			instance := relaxed.QuasiQueue(k)(m)
			instance("enq", 8)
			instance("enq", 9)
			return instance
		})
		o.Initial = []any{8, 9}
		return o
	}
	c := methods.Test(filled(3), "", []string{"ri", "r"}, "r")
	r, err := roundup.Check(context.Background(), c, roundup.Options{Factor: "1", Golden: filled(1), Literal: true})
	require.NoError(t, err)
	assert.Equal(t, 3, r.Sequential)
	assert.False(t, r.Drained)
	assert.Equal(t, engine.NotLinearizable, r.Linearizable)
	_, err = roundup.Check(context.Background(), c, roundup.Options{Factor: "1", Golden: object(relaxed.QuasiQueue(1))})
	assert.ErrorIs(t, err, roundup.ErrUnfit)
}
