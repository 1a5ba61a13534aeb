package tables

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/linsat/linsat/explore"
	"github.com/linsat/linsat/explore/lineup"
	"github.com/linsat/linsat/papers/objects/dotnet"
)

// Sample is how many random tests of which dimension a row of Line-Up's Table 2 has.
type Sample struct {
	Threads, Operations, Tests int
	Options                    lineup.Options
}

// paperSample is that of the paper, with the seed of the documents.
var paperSample = Sample{3, 3, 100, lineup.Options{Seed: 1}}

// LineUp is Table 2 for objects, without the paper's figures.
func LineUp(subjects []lineup.Subject, s Sample) *Table {
	fails := func(paper, ours string) bool { return (paper == "0") == (ours == "0") }
	t := &Table{Paper: "line-up", Name: "Table 2", Labels: []string{"class of the paper", "class"},
		About: fmt.Sprintf("%d random tests of %dx%d against the serial behaviour; failing counts differ if only one is 0",
			s.Tests, s.Threads, s.Operations),
		Columns: []Column{
			{Paper: "causes", Ours: "cause"},
			{Paper: "smallest", Ours: "smallest", Equal: same},
			{Paper: "histories", Ours: "histories", Equal: same},
			{Paper: "most", Ours: "most", Equal: same},
			{Paper: "phase 1 min", Ours: "phase 1 ms", Aside: true},
			{Paper: "longest min", Ours: "longest ms", Aside: true},
			{Paper: "pass", Ours: "pass"},
			{Paper: "fail", Ours: "fail", Equal: fails},
			{Ours: "undecided"},
			{Ours: "runs"},
			{Ours: "classes"},
			{Paper: "pass min", Ours: "pass ms", Aside: true},
			{Paper: "fail min", Ours: "fail ms", Aside: true},
			{Paper: "preemptions", Ours: "preemptions", Equal: same},
		}}
	for _, of := range subjects {
		t.Rows = append(t.Rows, Row{Labels: []string{"", of.Object.Name}, Object: of.Object.Name,
			Run: func(ctx context.Context, _ bool) ([]string, error) {
				rows, err := lineup.Table(ctx, []lineup.Subject{of}, s.Threads, s.Operations, s.Tests, s.Options)
				if err != nil || len(rows) == 0 {
					return nil, err
				}
				return lineUpCells(&rows[0]), nil
			}})
	}
	return t
}

func lineUpCells(r *lineup.Row) []string {
	ms := func(d time.Duration) string { return fmt.Sprintf("%.1f", float64(d.Microseconds())/1000) }
	smallest, failTime, runs, classes, passTime := "", "", "", "", ""
	if r.Threads > 0 {
		smallest = fmt.Sprintf("%dx%d", r.Threads, r.Operations)
	}
	if r.FailTime > 0 {
		failTime = ms(r.FailTime)
	}
	if r.Passed > 0 {
		runs, classes, passTime = fmt.Sprintf("%.0f", r.PassRuns), fmt.Sprintf("%.0f", r.PassClasses), ms(r.PassTime)
	}
	bound := fmt.Sprint(r.Bound)
	if r.Bound < 0 {
		bound = "none"
	}
	return []string{r.Cause, smallest, fmt.Sprintf("%.0f", r.Histories), fmt.Sprintf("%.0f", r.MostHistories),
		ms(r.SerialTime), ms(r.MostSerialTime), fmt.Sprint(r.Passed), fmt.Sprint(r.Failed), fmt.Sprint(r.Unknowns),
		runs, classes, passTime, failTime, bound}
}

// lineUpFacts are the rows of the paper's Table 2, and which of our classes stands for each. The
// smallest tests are those of its causes; lines and methods are in Table 1.
var lineUpFacts = []struct{ name, ours, cells string }{
	{"Lazy Initialization", "lazyinit", "|| 60| 68| 0.07| 0.07| 100| 0||||9.7||2"},
	{"ManualResetEvent(Pre)", "manualresetevent-a", "A| 2x3| 828| 1680| 3.31| 8.36| 93| 7||||12.9|19.9|2"},
	{"ManualResetEvent", "manualresetevent", "|| 76| 133| 0.07| 0.07| 100| 0||||170.5||2"},
	{"SemaphoreSlim", "semaphoreslim", "|| 1511| 1680| 3.91| 7.31| 100| 0||||18.1||1"},
	{"CountdownEvent", "countdownevent", "|| 410| 1680| 1.20| 4.95| 100| 0||||6.3||2"},
	{"ConcurrentDictionary", "concurrentdictionary", "|| 1678| 1680| 7.02| 10.94| 100| 0||||6.8||1"},
	{"ConcurrentQueue(Pre)", "concurrentqueue-b", "B| 2x2| 1680| 1680| 6.00| 6.33| 43| 57||||33.8|5.7|2"},
	{"ConcurrentQueue", "concurrentqueue", "|| 1680| 1680| 6.37| 6.77| 100| 0||||33.7||2"},
	{"ConcurrentLinkedList(Pre)", "concurrentlinkedlist-c", "C| 2x2| 1674| 1680| 8.54| 12.36| 80| 20||||5.8|2.0|1"},
	{"ConcurrentStack", "concurrentstack", "|| 1680| 1680| 3.49| 3.68| 100| 0||||1.3||2"},
	{"BlockingCollection(Pre)", "blockingcollection-d", "D, K| 2x2| 850| 1680| 4.09| 17.84| 13| 87||||109.6|47.4|2"},
	{"BlockingCollection", "blockingcollection-hi", "H, I, K| 2x2| 259| 501| 0.07| 0.07| 43| 57||||205.3|68.7|2"},
	{"ConcurrentBag(Pre)", "concurrentbag-e", "E, J| 2x2| 1680| 1680| 4.18| 4.52| 75| 25||||1.7|0.4|1"},
	{"ConcurrentBag", "concurrentbag-j", "J| 2x2| 1680| 1680| 4.05| 4.43| 87| 13||||0.6|3.2|2"},
	{"TaskCompletionSource(Pre)", "taskcompletionsource-f", "F|2x2|1432|1680|7.30|20.26|65|35||||32.9|9.4|2"},
	{"TaskCompletionSource", "taskcompletionsource-g", "G| 2x2| 1209| 1680| 5.98| 11.95| 53| 47||||53.3|3.7|2"},
	{"CancellationTokenSource", "cancellationtokensource", "|| 1680| 1680| 4.49| 5.74| 100| 0||||9.6||2"},
	{"Barrier", "barrier-l", "L| 2x2| 1166| 1680| 4.10| 7.02| 22| 78||||7.0|1.5|2"},
}

// lineUpMethods are the rows of the paper's Table 1: lines of code and methods.
var lineUpMethods = []struct{ name, ours, lines, methods string }{
	{"Lazy Initialization", "lazyinit", "470", "Value, ToString, IsValueCreated"},
	{"ManualResetEvent", "manualresetevent", "868", "Set, Wait, Reset, IsSet, WaitOne"},
	{"SemaphoreSlim", "semaphoreslim", "585", "CurrentCount, Release, Release(2), Wait, Wait(0)"},
	{"CountdownEvent", "countdownevent", "571", "IsSet, Wait, Wait(0), CurrentCount, WaitOne, " +
		"for x in (ε, 2) {Signal(x), AddCount(x), TryAddCount(x)}"},
	{"ConcurrentDictionary", "concurrentdictionary", "1833", "Count, IsEmpty, Clear, for x in (10, 20) {TryAdd(x), " +
		"TryRemove(x), TryGet(x), get[x], set[x], TryUpdate(x), ContainsKey(x)}"},
	{"ConcurrentQueue", "concurrentqueue", "819", "Count, IsEmpty, Enqueue, ToArray, TryDequeue, TryPeek"},
	{"ConcurrentStack", "concurrentstack", "835", "Clear, Count, Push, PushRangeTen, TryPop, TryPopRangeOne, " +
		"TryPopRangeTwo, TryPopRangeFour, TryPeek, ToArray"},
	{"ConcurrentLinkedList", "concurrentlinkedlist", "", "Count, AddFirst, AddLast, RemoveFirst, " +
		"RemoveFirst(out value), RemoveList, RemoveLast(out value)"},
	{"BlockingCollection", "blockingcollection", "1808", "Count, ToArray, TryAdd, TryAdd(1), IsCompleted, " +
		"IsAddingCompleted, CompleteAdding, Add, Take, TakeWithEnum, TryTake, TryTake(1)"},
	{"ConcurrentBag", "concurrentbag", "1074", "Count, Add(10), Add(20), TryTake, IsEmpty, TryPeek, ToArray"},
	{"TaskCompletionSource", "taskcompletionsource", "392", "Exception, TrySetCanceled, TrySetException, " +
		"TrySetResult, SetCanceled, SetException, SetResult, Wait, TryResult"},
	{"CancellationTokenSource", "cancellationtokensource", "946", "Increment, Cancel"},
	{"Barrier", "barrier", "870", "SignalAndWait, ParticipantsRemaining, RemoveParticipant, CancelToken, " +
		"CurrentPhaseNumber, ParticipantCount, AddParticipant"},
}

func lineUpTables() []*Table {
	var subjects []lineup.Subject
	ops := map[string][]explore.Call{}
	for _, c := range dotnet.Classes() {
		subjects = append(subjects, lineup.Subject{Object: c.Object, Cause: c.Cause})
		ops[c.Object.Name] = c.Object.Ops
	}
	second := LineUp(subjects, paperSample)
	for i := range second.Rows {
		r := &second.Rows[i]
		for _, f := range lineUpFacts {
			if f.ours == r.Object {
				r.Labels[0], r.Paper = f.name, cells(f.cells)
			}
		}
	}
	first := &Table{Paper: "line-up", Name: "Table 1", About: "classes and the methods that are checked",
		Labels:  []string{"class of the paper", "class"},
		Columns: []Column{{Paper: "lines"}, {Paper: "methods", Ours: "operations", Aside: true}}}
	for _, f := range lineUpMethods {
		first.Rows = append(first.Rows, Row{Labels: []string{f.name, f.ours}, Object: f.ours,
			Paper: []string{f.lines, f.methods}, Run: func(context.Context, bool) ([]string, error) {
				var names []string
				for _, call := range ops[f.ours] {
					if !slices.Contains(names, call.F) {
						names = append(names, call.F)
					}
				}
				return []string{"", strings.Join(names, ", ")}, nil
			}})
	}
	return []*Table{first, second}
}

// cells reads the figures of a row, separated by bars.
func cells(text string) []string {
	list := strings.Split(text, "|")
	for i := range list {
		list[i] = strings.TrimSpace(list[i])
	}
	return list
}
