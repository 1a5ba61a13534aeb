package bench_test

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/linsat/linsat"
	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/bench"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/gen"
	"github.com/linsat/linsat/internal/model"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// corpus writes two linearizable histories and one that is not, and returns their files in order.
func corpus(t *testing.T) []bench.Source {
	dir := t.TempDir()
	for name, o := range map[string]gen.FamilyOptions{"a.json": {Size: 4}, "b.json": {Size: 5, Seed: 3},
		"c.json": {Size: 4, Violated: true}} {
		for _, f := range gen.Families() {
			if f.Name != "burst" {
				continue
			}
			c, err := f.Make(o)
			require.NoError(t, err)
			file, err := os.Create(filepath.Join(dir, name))
			require.NoError(t, err)
			require.NoError(t, history.WriteJSON(file, c.History))
			require.NoError(t, file.Close())
		}
	}
	files, err := history.Files(dir, nil)
	require.NoError(t, err)
	require.Len(t, files, 3)
	var all []bench.Source
	for _, file := range files {
		all = append(all, bench.File(file))
	}
	return all
}

// fake answers by the base name of the file, after a while.
func fake(name string, says map[string]engine.Verdict) bench.Contender {
	return bench.Contender{Engine: name, Decide: func(_ context.Context, _ model.Spec,
		h *history.History, _ bench.Question, _ ...linsat.Option) (linsat.Result, error) {
		time.Sleep(time.Millisecond)
		v := says[filepath.Base(h.Source)]
		r := linsat.Result{Verdict: v, Effort: engine.Effort{Steps: 7}}
		if v == engine.Unknown {
			r.Cause = engine.Timeout
		}
		return r, nil
	}}
}

func TestEveryEngineMeasuresEveryFile(t *testing.T) {
	contenders, err := bench.Contenders([]string{"monitor", "search", "sat", "auto", "all"},
		[]bench.Solver{{Name: "gini"}})
	require.NoError(t, err)
	var told []int
	plan := bench.Plan{Contenders: contenders, Timeout: time.Minute, Repeat: 3, Progress: func(done, total int,
		_ string) {
		told = append(told, done, total)
	}}
	rows, err := plan.Run(t.Context(), corpus(t))
	require.NoError(t, err)
	assert.Equal(t, []int{0, 3, 1, 3, 2, 3}, told)
	require.Len(t, rows, 15)
	for _, r := range rows {
		want := map[string]string{"a.json": "linearizable", "b.json": "linearizable",
			"c.json": "not linearizable"}[filepath.Base(r.File)]
		assert.Equal(t, want, r.Verdict, "%s on %s", r.Name(), r.File)
		assert.Len(t, r.Nanoseconds, 3)
		assert.Positive(t, r.PeakBytes)
		assert.Len(t, r.SHA256, 64)
		assert.Equal(t, runtime.Version(), r.Go)
	}
	assert.Empty(t, bench.Disagreements(rows))
	report := bench.NewReport(rows)
	assert.Equal(t, 3, report.Compared)
	for _, s := range report.Engines {
		assert.Equal(t, []int{2, 1, 0, 0, 0}, []int{s.Yes, s.No, s.Unsupported, s.Timeouts, s.Undecided}, s.Name)
		assert.LessOrEqual(t, s.Median, s.P90)
		assert.LessOrEqual(t, s.P90, s.Max)
	}

	var raw bytes.Buffer
	require.NoError(t, bench.WriteRows(&raw, rows))
	again, err := bench.ReadRows(&raw)
	require.NoError(t, err)
	assert.Equal(t, rows, again)
}

func TestDisagreementIsFound(t *testing.T) {
	files := corpus(t)
	yes, no := engine.Linearizable, engine.NotLinearizable
	plan := bench.Plan{Repeat: 2, Contenders: []bench.Contender{
		fake("right", map[string]engine.Verdict{"a.json": yes, "b.json": yes, "c.json": no}),
		fake("wrong", map[string]engine.Verdict{"a.json": yes, "b.json": no, "c.json": engine.Unknown}),
	}}
	rows, err := plan.Run(t.Context(), files)
	require.NoError(t, err)
	assert.Equal(t,
		[]bench.Disagreement{{File: files[1].Name, Says: []string{"right: linearizable", "wrong: not linearizable"}}},
		bench.Disagreements(rows))
	var text strings.Builder
	require.NoError(t, bench.NewReport(rows).Text(&text))
	assert.Contains(t, text.String(), "DISAGREEMENT "+files[1].Name+": right: linearizable, wrong: not linearizable")
	assert.Contains(t, text.String(), "3 histories, 2 decided by more than one: 1 contradict each other")
}

func TestContradictionsWithinOneContender(t *testing.T) {
	files := corpus(t)[:1]
	runs := 0
	fickle := bench.Contender{Engine: "fickle", Decide: func(context.Context, model.Spec,
		*history.History, bench.Question, ...linsat.Option) (linsat.Result, error) {
		runs++
		return linsat.Result{Verdict: []engine.Verdict{engine.Linearizable, engine.NotLinearizable}[runs%2]}, nil
	}}
	split := bench.Contender{Engine: "split", Decide: func(context.Context, model.Spec,
		*history.History, bench.Question, ...linsat.Option) (linsat.Result, error) {
		return linsat.Result{}, &engine.Disagreement{Because: "one says yes, one says no"}
	}}
	rows, err := bench.Plan{Repeat: 5, Contenders: []bench.Contender{fickle, split}}.Run(t.Context(), files)
	require.NoError(t, err)
	assert.Equal(t, 2, runs, "what contradicts itself is not run again")
	assert.Equal(t, []string{"fickle: not linearizable in one run, linearizable in another",
		"split: one says yes, one says no"}, bench.Disagreements(rows)[0].Says)
}

// rowsOf makes rows of one contender with the given medians in milliseconds; 0 stands for one that
// is not its kind.
func rowsOf(name string, ms ...int64) []bench.Row {
	var rows []bench.Row
	for i, m := range ms {
		r := bench.Row{File: string(rune('a' + i)), Engine: name, Verdict: "linearizable",
			Nanoseconds: []int64{9 * m * 1e6, m * 1e6, 0}, PeakBytes: m, Effort: engine.Effort{Steps: 2}}
		switch {
		case m == 0:
			r.Verdict, r.Cause = "unknown", "unsupported"
		case m >= 1000:
			r.Verdict, r.Cause = "unknown", "timeout"
		}
		rows = append(rows, r)
	}
	return rows
}

func TestSummariesCountAndRank(t *testing.T) {
	report := bench.NewReport(rowsOf("x", 10, 4, 0, 8, 2, 6, 1000, 3, 5, 7, 9))
	assert.Equal(t, 11, report.Histories)
	assert.Equal(t, []bench.Summary{{Name: "x", Yes: 9, Unsupported: 1, Timeouts: 1, Median: 6 * time.Millisecond,
		P90: 10 * time.Millisecond, Max: time.Second,
		Total: 1054 * time.Millisecond, PeakBytes: 1000, Steps: 20}}, report.Engines)
	assert.Zero(t, report.Compared)
	empty := bench.NewReport(nil)
	assert.Zero(t, empty.Histories)
	require.NoError(t, empty.Text(io.Discard))
}

func TestUnreadableFilesAreSkipped(t *testing.T) {
	files := corpus(t)
	bad := filepath.Join(filepath.Dir(files[0].Name), "bad.json")
	require.NoError(t, os.WriteFile(bad, []byte(`{"spec":"queue","operations":[{"process":0`), 0o600))
	contenders, err := bench.Contenders([]string{"search"}, nil)
	require.NoError(t, err)
	var skipped []string
	plan := bench.Plan{Contenders: contenders, Skip: func(file string, err error) {
		assert.Error(t, err)
		skipped = append(skipped, file)
	}}
	rows, err := plan.Run(t.Context(), []bench.Source{files[0], bench.File(bad), files[1]})
	require.NoError(t, err)
	assert.Len(t, rows, 2)
	assert.Equal(t, []string{bad}, skipped)

	ctx, stop := context.WithCancel(t.Context())
	stop()
	rows, err = plan.Run(ctx, files)
	assert.ErrorIs(t, err, context.Canceled)
	assert.Empty(t, rows)

	gini := []bench.Solver{{Name: "gini"}}
	for _, wrong := range []struct {
		engines []string
		solvers []bench.Solver
	}{{[]string{"fast"}, nil}, {[]string{"sat"}, nil}, {[]string{"search", "search"}, nil},
		{[]string{"sat"}, append(gini, gini...)}, {nil, gini}} {
		_, err := bench.Contenders(wrong.engines, wrong.solvers)
		assert.Error(t, err, "%v", wrong)
	}
}

func TestTimeoutsAreCountedAndNotRepeated(t *testing.T) {
	slow := bench.Contender{Engine: "slow", Decide: func(ctx context.Context, _ model.Spec,
		_ *history.History, _ bench.Question, _ ...linsat.Option) (linsat.Result, error) {
		<-ctx.Done()
		return linsat.Result{Cause: engine.CauseOf(ctx)}, nil
	}}
	rows, err := bench.Plan{Contenders: []bench.Contender{slow}, Timeout: 20 * time.Millisecond,
		Repeat: 5}.Run(t.Context(), corpus(t)[:1])
	require.NoError(t, err)
	require.Len(t, rows[0].Nanoseconds, 1)
	assert.GreaterOrEqual(t, rows[0].Median(), 20*time.Millisecond)
	assert.Equal(t, 1, bench.NewReport(rows).Engines[0].Timeouts)
}

// Both meanings and a least bound of one generated history, which differ from the plain question.
func TestFactorsAreQuestionsOfTheirOwn(t *testing.T) {
	o := gen.Options{Spec: "queue", Operations: 30, Processes: 3, Relax: 3, Seed: 2}
	contenders, err := bench.Contenders([]string{"search", "textbook"}, nil)
	require.NoError(t, err)
	plan := bench.Plan{Contenders: contenders, Core: true, Questions: []bench.Question{{},
		{Quasi: "0", Meaning: "slots"}, {Quasi: "3", Meaning: "slots"}, {Quasi: "min", Meaning: "slots"},
		{Quasi: "3", Meaning: "classes"}}}
	rows, err := plan.Run(t.Context(), []bench.Source{bench.Generated("gen queue", o)})
	require.NoError(t, err)
	require.Len(t, rows, 10)
	verdict := func(k int) string { return rows[2*k].Verdict }
	assert.Equal(t, []string{"not linearizable", "not linearizable", "linearizable"},
		[]string{verdict(0), verdict(1), verdict(2)})
	assert.Positive(t, rows[0].Core)
	assert.Positive(t, rows[2].Facts)
	assert.True(t, rows[2].Minimal)
	assert.True(t, rows[0].Certified)
	require.NotNil(t, rows[6].Least)
	assert.Equal(t, rows[6].Least.Low, rows[6].Least.High)
	assert.InDelta(t, 2, float64(rows[6].Least.High), 1)
	assert.Equal(t, rows[0].Verdict, rows[1].Verdict, "the textbook's search takes the plain question")
	assert.True(t, rows[3].Unsupported(), "and no factor")

	report := bench.NewReport(rows, "spec", "quasi", "size")
	assert.Equal(t, [2]int{1, 5}, [2]int{report.Histories, report.Questions})
	var names []string
	for _, g := range report.Groups {
		names = append(names, g.Name)
		assert.Equal(t, 1, g.Questions)
	}
	assert.Equal(t, []string{"queue, --quasi 0, up to 50 operations",
		"queue, --quasi 3 --quasi-meaning classes, up to 50 operations", "queue, --quasi 3, up to 50 operations",
		"queue, --quasi min, up to 50 operations",
		"queue, plain, up to 50 operations"}, names)
	var text strings.Builder
	require.NoError(t, report.Text(&text))
	assert.Contains(t, text.String(), "5 questions about 1 histories")

	var skipped error
	plan.Questions, plan.Skip = []bench.Question{{Quasi: "2", Meaning: "slots"}}, func(_ string, err error) {
		skipped = err
	}
	rows, err = plan.Run(t.Context(), []bench.Source{bench.Generated("gen mutex",
		gen.Options{Spec: "mutex", Operations: 9, Processes: 2})})
	require.NoError(t, err)
	assert.Empty(t, rows)
	assert.ErrorContains(t, skipped, "mutex")
}

func TestChangesAreToldByTheBytesOfAHistory(t *testing.T) {
	earlier, now := rowsOf("x", 10, 100, 0, 50, 40), rowsOf("x", 10, 300, 0, 5, 1000)
	for i := range now {
		earlier[i].SHA256, now[i].SHA256 = now[i].File, now[i].File
		earlier[i].File = "elsewhere"
	}
	now = append(now, bench.Row{SHA256: "new", Engine: "x", Verdict: "linearizable"})
	c := bench.Since(earlier, now)
	assert.Equal(t, 4, c.Compared, "what is not its kind is no answer")
	require.Len(t, c.Slower, 1)
	assert.Equal(t, bench.Change{File: "b", Engine: "x", Before: 100 * time.Millisecond,
		After: 300 * time.Millisecond}, c.Slower[0])
	require.Len(t, c.Faster, 1)
	assert.Equal(t, "d", c.Faster[0].File)
	assert.Equal(t, []bench.Change{{File: "e", Engine: "x", Was: "linearizable", Is: "unknown",
		Before: 40 * time.Millisecond, After: time.Second}}, c.Verdicts)
	var text strings.Builder
	require.NoError(t, c.Text(&text))
	assert.Contains(t, text.String(), "slower  b  x: 300ms, was 100ms (3.0×)")
	assert.Contains(t, text.String(), "verdict  e  x: was linearizable, is unknown")
}

// TestTheBestIsWhatIsShown: of a group, the contender that decided most, and else the one whose
// median, which the line shows, is least, whatever the total.
func TestTheBestIsWhatIsShown(t *testing.T) {
	line := func(a, b []bench.Row) string {
		var text strings.Builder
		require.NoError(t, bench.NewReport(append(a, b...), "spec").Text(&text))
		for _, line := range strings.Split(text.String(), "\n") {
			if strings.Contains(line, " in ") {
				return strings.Join(strings.Fields(line), " ")
			}
		}
		return ""
	}
	assert.Equal(t, "3 3 in 2ms 3 in 10ms a, 5.0× b", line(rowsOf("a", 1, 2, 900), rowsOf("b", 10, 10, 10)))
	assert.Equal(t, "3 2 in 2ms 3 in 10ms b, 1 more than a", line(rowsOf("a", 1, 2, 1000), rowsOf("b", 10, 10, 10)))
}
