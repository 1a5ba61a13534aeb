package dotnet

import (
	"bytes"
	"context"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/linsat/linsat"
	"github.com/linsat/linsat/explore"
	"github.com/linsat/linsat/explore/lineup"
	"github.com/linsat/linsat/explore/mem"
	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/specs"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// named returns the class of that name.
func named(t testing.TB, name string) Class {
	for _, c := range Classes() {
		if c.Object.Name == name {
			return c
		}
	}
	t.Fatalf("no class %s", name)
	return Class{}
}

// TestVerdicts checks every variant with its own test, at the bound 2 and without any.
func TestVerdicts(t *testing.T) {
	for _, c := range Classes() {
		t.Run(c.Object.Name, func(t *testing.T) {
			for _, bound := range []int{2, -1} {
				r, err := lineup.Check(context.Background(), c.Test, lineup.Options{Bound: bound, Inside: c.Inside})
				require.NoError(t, err)
				want := lineup.Pass
				if !c.Linearizable {
					want = lineup.Fail
				}
				require.Equal(t, want, r.Verdict, "%s", r.Cause)
				if r.Failure != nil {
					replayed(t, c.Test, r.Failure)
					agrees(t, r)
				}
			}
		})
	}
}

// TestFigure9IsFound is Figure 9 of the paper: a wait that is never woken. Counted as CHESS counts
// them it takes four preemptions with two threads, since the other thread could have gone on each
// time; two of them are inside of operations.
func TestFigure9IsFound(t *testing.T) {
	c := named(t, "manualresetevent-a")
	assert.Equal(t, "wait() | set() reset() set()", c.Test.String())
	for _, b := range []struct {
		o       lineup.Options
		verdict lineup.Verdict
	}{
		{lineup.Options{Bound: 3}, lineup.Pass},
		{lineup.Options{Bound: 4}, lineup.Fail},
		{lineup.Options{Bound: 1, Inside: true}, lineup.Pass},
		{lineup.Options{Bound: 2, Inside: true}, lineup.Fail},
	} {
		r, err := lineup.Check(context.Background(), c.Test, b.o)
		require.NoError(t, err)
		require.Equal(t, b.verdict, r.Verdict)
		if r.Verdict == lineup.Fail {
			assert.Equal(t, lineup.Blocking, r.Failure.Kind)
			assert.Equal(t, "wait", r.Failure.Run.Ops[r.Failure.Op].F)
			small, err := lineup.Shrink(context.Background(), r, b.o)
			require.NoError(t, err)
			threads, operations := lineup.Dimension(small.Case)
			assert.Equal(t, []int{2, 3}, []int{threads, operations}, "the paper's Table 2 says 2x3")
		}
	}
}

// TestFigure1IsFound is Figure 1 of the paper: the second removal fails although both additions
// have returned.
func TestFigure1IsFound(t *testing.T) {
	c := named(t, "concurrentqueue-b")
	assert.Equal(t, "add(200) tryDequeue() | add(400) tryDequeue()", c.Test.String())
	r, err := lineup.Check(context.Background(), c.Test, lineup.Options{Strategy: explore.Exhaustive})
	require.NoError(t, err)
	require.Equal(t, lineup.Fail, r.Verdict)
	assert.Equal(t, lineup.NoWitness, r.Failure.Kind)
	// linsat's own specification of queues finds it, too.
	queue, _ := specs.Lookup("queue")
	report, err := explore.Check(context.Background(), c.Test, queue, explore.CheckOptions{})
	require.NoError(t, err)
	assert.Equal(t, engine.NotLinearizable, report.Verdict)
	report, err = explore.Check(context.Background(), named(t, "concurrentqueue-locked").Test, queue,
		explore.CheckOptions{Strategy: explore.DPOR()})
	require.NoError(t, err)
	assert.Equal(t, engine.Linearizable, report.Verdict)
}

// replayed runs the schedules of a failure once more, from their printed form: they give the same
// histories, byte for byte.
func replayed(t *testing.T, c *explore.Case, f *lineup.Failure) {
	t.Helper()
	for _, x := range []*explore.Execution{f.Run, f.Other} {
		if x == nil {
			continue
		}
		schedule, err := explore.ParseSchedule(x.Schedule.String())
		require.NoError(t, err)
		var again *explore.Execution
		_, err = explore.Run(c.Program(), explore.Replay(schedule), explore.Options{}, func(e *explore.Execution) bool {
			require.Nil(t, again)
			again = e.Clone()
			return true
		})
		require.NoError(t, err)
		require.NotNil(t, again)
		require.Equal(t, x.Outcome, again.Outcome)
		require.Equal(t, x.Schedule, again.Schedule)
		require.Equal(t, text(t, x), text(t, again))
	}
}

func text(t *testing.T, x *explore.Execution) string {
	h, err := x.History()
	require.NoError(t, err)
	var b bytes.Buffer
	require.NoError(t, history.WriteJSON(&b, h))
	return b.String()
}

// agrees asks linsat for its verdict on the failing history, with the synthesised specification.
func agrees(t *testing.T, r *lineup.Result) {
	t.Helper()
	if r.Observations == nil { // nondeterminism
		return
	}
	h, err := r.Failure.History()
	require.NoError(t, err)
	result, err := linsat.Check(context.Background(), r.Observations.Spec(), h,
		linsat.Explain(linsat.ExplainOptions{Cores: linsat.NoCore}))
	require.NoError(t, err)
	require.Equal(t, engine.NotLinearizable, result.Verdict)
}

// TestRandomTestsFailForFaultyVariantsOnly is the paper's experiment: random tests of 3×3 with at
// most two preemptions. All of a correct variant pass. Of every other some fail (a sample stops at
// the first few), and each failure replays and is one for linsat, too.
func TestRandomTestsFailForFaultyVariantsOnly(t *testing.T) {
	documented := documentedRows(t)
	for _, c := range Classes() {
		t.Run(c.Object.Name, func(t *testing.T) {
			tests := testenv.Scale(3, 100)
			failed, checked := 0, 0
			for seed := uint64(1); checked < 100 && (testenv.Full() || c.Linearizable && seed == 1 || !c.Linearizable &&
				failed == 0); seed++ {
				s, err := lineup.RandomCheck(context.Background(), c.Object, 3, 3, tests, lineup.Options{Seed: seed})
				require.NoError(t, err)
				require.Zero(t, s.Unknowns)
				require.Len(t, s.Results, tests)
				checked += tests
				failed += s.Failed
				for _, r := range s.Results {
					if r.Failure == nil {
						continue
					}
					if c.Linearizable {
						var b bytes.Buffer
						require.NoError(t, r.WriteText(&b))
						require.Fail(t, "a test failed", b.String())
					}
					replayed(t, r.Case, r.Failure)
					agrees(t, r)
				}
			}
			if !c.Linearizable {
				assert.Positive(t, failed)
			}
			row := documented[c.Object.Name]
			require.Len(t, row, 8, "the table of papers/docs/lineup.md")
			assert.Equal(t, c.Cause, row[1])
			if testenv.Full() {
				assert.Equal(t, strconv.Itoa(failed), row[4], "failures in the table of papers/docs/lineup.md")
			}
		})
	}
}

// documentedRows reads the first table of papers/docs/lineup.md: its cells by the name of the
// class.
func documentedRows(t *testing.T) map[string][]string {
	rows := map[string][]string{}
	for _, cells := range documentedLines(t, "../../docs/lineup.md") {
		if len(cells) == 8 {
			rows[cells[0]] = cells
		}
	}
	return rows
}

// documentedLines reads the lines of the tables of a document.
func documentedLines(t *testing.T, file string) (rows [][]string) {
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	for _, line := range strings.Split(string(text), "\n") {
		cells := strings.Split(strings.Trim(line, "|"), "|")
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		rows = append(rows, cells)
	}
	return rows
}

// TestSerialOperationsReturnWhatTheyShould says what the operations of the correct variants return
// when they run one after the other.
func TestSerialOperationsReturnWhatTheyShould(t *testing.T) {
	list := func(v ...any) []any { return append([]any{}, v...) }
	for _, c := range []struct {
		name  string
		steps []any // operation, its argument or nil, its result
	}{
		{"lazyinit", []any{"isValueCreated", nil, false, "toString", nil, "not created", "value", nil, 1, "value", nil,
			1, "isValueCreated", nil, true, "toString", nil, "value 1"}},
		{"manualresetevent", []any{"isSet", nil, false, "set", nil, nil, "wait", nil, nil, "set", nil, nil, "isSet",
			nil, true, "waitOne", nil, true, "reset", nil, nil, "waitOne", nil, false}},
		{"semaphoreslim", []any{"wait", 0, false, "release", nil, int64(0), "release", 2, int64(1), "currentCount", nil,
			int64(3), "wait", nil, nil, "wait", 0, true, "wait", nil, nil, "wait", 0, false}},
		{"countdownevent", []any{"isSet", nil, false, "wait", 0, false, "addCount", nil, nil, "tryAddCount", 2, true,
			"currentCount", nil, int64(5), "signal", 2, false, "signal", 2, false, "signal", 2, invalid,
			"signal", nil, true,
			"wait", nil, nil, "waitOne", nil, true, "addCount", nil, invalid, "tryAddCount", nil, false, "signal", nil,
			invalid, "currentCount", nil, int64(0)}},
		{"concurrentdictionary", []any{"isEmpty", nil, true, "tryGet", 10, nil, "get", 10, "key not found", "tryUpdate",
			10, false, "tryAdd", 10, true, "tryAdd", 10, false, "tryAdd", 20, true, "count", nil, 2,
			"tryUpdate", 10, true,
			"tryUpdate", 10, false, "get", 10, 3, "set", 10, nil, "tryGet", 10, 2, "containsKey", 20, true, "tryRemove",
			20, 1, "tryRemove", 20, nil, "containsKey", 20, false, "isEmpty", nil, false, "clear", nil, nil, "count",
			nil, 0, "set", 20, nil, "get", 20, 2}},
		{"concurrentqueue", []any{"tryDequeue", nil, nil, "isEmpty", nil, true, "enqueue", 1, nil, "enqueue", 2, nil,
			"tryPeek", nil, 1, "count", nil, 2, "toArray", nil, list(1, 2), "tryDequeue", nil, 1, "tryDequeue", nil, 2,
			"tryDequeue", nil, nil, "tryPeek", nil, nil, "toArray", nil, list()}},
		{"concurrentqueue-locked", []any{"tryDequeue", nil, nil, "add", 1, nil, "add", 2, nil, "tryDequeue", nil, 1,
			"tryDequeue", nil, 2, "tryDequeue", nil, nil, "add", 3, nil, "tryDequeue", nil, 3}},
		{"concurrentlinkedlist", []any{"removeFirst", nil, nil, "removeLast", nil, nil, "addFirst", 2, nil, "addLast",
			3, nil, "addFirst", 1, nil, "count", nil, int64(3), "removeLast", nil, 3, "removeFirst", nil, 1,
			"addLast", 4, nil,
			"removeList", nil, list(2, 4), "count", nil, int64(0), "removeList", nil, list(), "addLast", 5, nil,
			"removeFirst", nil, 5, "addFirst", 6, nil, "removeLast", nil, 6, "count", nil, int64(0)}},
		{"concurrentstack", []any{"tryPop", nil, nil, "tryPopRange", 2, list(), "push", 1, nil, "pushRange",
			list(2, 3, 4), nil, "count", nil, 4, "toArray", nil, list(4, 3, 2, 1), "tryPeek", nil, 4, "tryPopRange", 2,
			list(4, 3), "tryPop", nil, 2,
			"tryPopRange", 4, list(1), "tryPeek", nil, nil, "push", 5, nil, "clear", nil, nil, "count", nil, 0}},
		{"blockingcollection", []any{"tryTake", nil, nil, "add", 1, true, "tryAdd", 2, true, "count", nil, 2, "toArray",
			nil, list(1, 2), "take", nil, 1, "isAddingCompleted", nil, false, "completeAdding", nil, nil,
			"isAddingCompleted", nil, true,
			"isCompleted", nil, false, "add", 3, invalid, "tryAdd", 3, invalid, "takeWithEnum", nil, 2, "isCompleted",
			nil, true, "take", nil, invalid, "takeWithEnum", nil, nil, "tryTake", nil, nil, "tryTakeFor", nil, nil,
			"tryAddFor", 3, invalid}},
		{"blockingcollection", []any{"tryTakeFor", nil, nil, "tryAddFor", 1, true, "tryTakeFor", nil, 1}},
		{"blockingcollection-k", []any{"cancel", nil, nil, "add", 1, true, "canceler", nil, nil, "tryTake", nil, 1,
			"take", nil, canceled}},
		{"barrier-l", []any{"arrive", nil, 0, "signalAndWaitWith", nil, nil, "cancelToken", nil, nil,
			"signalAndWaitWith", nil, canceled, "participantsRemaining", nil, 2, "awaitWith", 0, nil,
			"awaitWith", 1, canceled}},
		{"concurrentbag", []any{"tryTake", nil, nil, "isEmpty", nil, true, "add", 20, nil, "add", 10, nil, "add", 20,
			nil, "count", nil, 3, "toArray", nil, list(10, 20, 20), "tryPeek", nil, 10, "tryTake", nil, 10, "tryTake",
			nil, 20, "tryTake", nil, 20, "tryPeek", nil, nil}},
		{"taskcompletionsource", []any{"tryResult", nil, nil, "exception", nil, nil, "trySetResult", nil, true,
			"trySetCanceled", nil, false, "setException", nil, invalid, "wait", nil, "result", "tryResult", nil, 42,
			"exception", nil, nil}},
		{"taskcompletionsource", []any{"setException", nil, nil, "exception", nil, "overflow", "tryResult", nil, nil,
			"wait", nil, "exception", "trySetResult", nil, false}},
		{"taskcompletionsource", []any{"setCanceled", nil, nil, "wait", nil, "canceled", "setResult", nil, invalid}},
		{"cancellationtokensource", []any{"increment", nil, nil, "increment", nil, nil, "count", nil, 0,
			"isCancellationRequested", nil, false, "cancel", nil, nil, "isCancellationRequested", nil, true, "count",
			nil, 2, "cancel", nil, nil, "count", nil, 2, "increment", nil, nil, "count", nil, 3}},
		{"barrier", []any{"currentPhaseNumber", nil, 0, "participantCount", nil, 2, "arrive", nil, 0,
			"participantsRemaining", nil, 1, "arrive", nil, 0, "await", 0, nil, "participantsRemaining", nil, 2,
			"addParticipant", nil, 1,
			"participantCount", nil, 3, "arrive", nil, 1, "arrive", nil, 1, "removeParticipant", nil, nil,
			"currentPhaseNumber", nil, 2, "await", 1, nil, "removeParticipant", nil, nil, "removeParticipant", nil, nil,
			"removeParticipant", nil, invalid, "arrive", nil, invalid}},
	} {
		object := named(t, c.name).Object.New(mem.New())
		for i := 0; i < len(c.steps); i += 3 {
			f := c.steps[i].(string)
			require.Equal(t, c.steps[i+2], object(f, c.steps[i+1]), "%s: %s, step %d", c.name, f, i/3)
		}
	}
}

// TestExamplesAreOperationsOfTheObject: examples are operations that the object has, all others
// panic.
func TestExamplesAreOperationsOfTheObject(t *testing.T) {
	names := map[string]bool{}
	for _, e := range Entries() {
		o := e.Case.Object
		assert.False(t, names[o.Name], o.Name)
		names[o.Name] = true
		assert.NotEmpty(t, o.About)
		assert.NotEmpty(t, e.Source)
		assert.True(t, e.Linearizable || e.Note != "", o.Name)
		assert.False(t, e.Linearizable && e.Faulty, o.Name)
		examples := map[string]bool{}
		for _, call := range o.Ops {
			examples[call.F] = true
			r, err := lineup.Check(context.Background(), &explore.Case{Object: o, Threads: [][]explore.Call{{call}}},
				lineup.Options{})
			require.NoError(t, err)
			// the choice of behaviour J shows only once there are elements
			if r.Verdict != lineup.Pass {
				assert.Fail(t, "fails alone", "%s of %s", call, o.Name)
			}
		}
		for _, calls := range e.Case.Threads {
			for _, call := range calls {
				assert.True(t, examples[call.F], "%s of %s is not among its examples", call, o.Name)
			}
		}
		assert.PanicsWithValue(t, unknown("frobnicate"), func() { o.New(mem.New())("frobnicate", nil) })
		if o.Spec != "" {
			_, known := specs.Lookup(o.Spec)
			assert.True(t, known, o.Spec)
		}
	}
	assert.Len(t, names, 32)
}

// TestTableOfTheManual makes the table of papers/docs/lineup.md in small.
func TestTableOfTheManual(t *testing.T) {
	var subjects []lineup.Subject
	for _, c := range Classes() {
		if c.Object.Name == "manualresetevent" || c.Object.Name == "concurrentqueue-b" ||
			c.Object.Name == "concurrentbag-j" {
			subjects = append(subjects, lineup.Subject{Object: c.Object, Cause: c.Cause})
		}
	}
	rows, err := lineup.Table(context.Background(), subjects, 3, 3, 10, lineup.Options{Seed: 1})
	require.NoError(t, err)
	require.Len(t, rows, 3)
	event, queue, bag := rows[0], rows[1], rows[2]
	assert.Equal(t, []int{10, 0}, []int{event.Passed, event.Failed})
	assert.Zero(t, event.Threads)
	assert.Equal(t, "B", queue.Cause)
	assert.Greater(t, queue.Failed, 5)
	assert.LessOrEqual(t, queue.Threads*queue.Operations, 4)
	assert.EqualValues(t, 1680, queue.Histories)
	assert.EqualValues(t, 1680, queue.MostHistories)
	assert.Positive(t, bag.Failed)
	assert.Zero(t, bag.FailTime, "nondeterminism shows in phase 1")
}
