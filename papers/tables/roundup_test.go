package tables

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/linsat/linsat/explore"
	"github.com/linsat/linsat/explore/roundup"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// check runs a row, with the catalogue's bound on operations: with segments of one slot the
// k-stack's threads may try again without end.
func check(t *testing.T, f *roundUpFact) *roundup.Report {
	t.Helper()
	e := f.entry()
	r, err := roundup.Check(context.Background(), e.Case, roundup.Options{Factor: f.factor, Traces: true, Literal: true,
		Run: explore.Options{OpSteps: e.OpSteps}})
	require.NoError(t, err)
	return r
}

// The paper's histories are executions of a partial-order reduction, one for each trace. With the
// accesses of Scal's code, 13 of the 21 rows of Table V have as many traces here, and as many that
// violate the property.
func TestTracesOfScal(t *testing.T) {
	var equal []string
	for _, w := range tableV {
		if r := check(t, &w); r.Traces == w.all && r.BuggyTraces == w.buggy {
			equal = append(equal, fmt.Sprintf("%s %s %d/%d", w.name, w.threads, w.buggy, w.all))
		}
	}
	assert.Equal(t, []string{
		"sl-queue enq+deq 0/2", "sl-queue deq+deq 4/8",
		"t-stack push+pop 0/8", "t-stack push+push 0/8", "t-stack pop+pop 0/8",
		"ms-queue enq+deq 0/3", "ms-queue deq+deq 0/12",
		"rd-queue deq+deq 0/6",
		"bk-queue enq+deq 0/1", "bk-queue deq+deq 0/8",
		"ubk-queue enq+deq 0/1", "ubk-queue deq+deq 0/8",
		"k-stack pop+pop 0/8",
	}, equal)
}

// The k-stack's row under three preemptions, instead of a bound on operations.
func TestKStackWithThreePreemptions(t *testing.T) {
	e := (&roundUpFact{object: "scal-k-stack-1", calls: "1*1+10"}).entry()
	r, err := roundup.Check(context.Background(), e.Case, roundup.Options{Factor: "2", Traces: true,
		Strategy: func() explore.Strategy { return explore.Bounded(3) }})
	require.NoError(t, err)
	assert.Equal(t, []int{32, 7737, 4, 551}, []int{r.NotQuasi.Executions, r.All.Executions, r.BuggyTraces, r.Traces})
	assert.Zero(t, r.Stopped)
}

// checked runs the rows of a table and returns it as in the documents.
func checked(t *testing.T, name string, facts []roundUpFact) string {
	t.Helper()
	table := RoundUp(name, "", facts[0].factor != "")
	var lines []Line
	for i := range facts {
		w := &facts[i]
		r := check(t, w)
		v, n := r.Linearizable, r.NotLinearizable
		if w.factor != "" {
			v, n = r.Quasi, r.NotQuasi
		}
		want := engine.Linearizable
		if w.violation {
			want = engine.NotLinearizable
		}
		assert.Equal(t, want, v, "%v", w)
		assert.True(t, r.Run.Complete, "%v", w)
		if w.object != "scal-sl-queue" { // a list that lost a node ends in a panic
			assert.Zero(t, r.Unfinished.Executions, "%v", w)
		}
		if w.calls == "2*2+0" {
			assert.Equal(t, 6, r.Sequential, "%v", w)
			assert.Equal(t, 3, w.sequential, "the paper's number, which is not a binomial of two threads of two")
		} else {
			assert.Equal(t, w.sequential, r.Sequential, "%v", w)
		}
		// What panicked is no history, but a violation.
		assert.GreaterOrEqual(t, r.All.Executions+r.Stopped.Executions+r.Unfinished.Executions, r.Traces, "%v", w)
		assert.GreaterOrEqual(t, n.Executions+r.Broken.Executions, r.BuggyTraces, "%v", w)
		assert.GreaterOrEqual(t, r.All.Executions, r.All.Histories, "%v", w)
		row := w.row()
		lines = append(lines, table.line(&row, roundUpCells(r)))
	}
	return table.Markdown(lines)
}

// Tables II, III and V: all verdicts, and the counts that the paper's objects determine;
// papers/docs/roundup.md has them beside ours. LINSAT_UPDATE=1 writes it anew.
func TestTables(t *testing.T) {
	const file = "../docs/roundup.md"
	for mark, rows := range map[string][]roundUpFact{"table II": tableII, "table III": tableIII, "table V": tableV} {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		from, to := "<!-- "+mark+" -->\n", "<!-- end of "+mark+" -->\n"
		head, rest, ok := strings.Cut(string(text), from)
		require.True(t, ok, mark)
		shown, tail, ok := strings.Cut(rest, to)
		require.True(t, ok, mark)
		made := checked(t, mark, rows)
		if testenv.Update() {
			require.NoError(t, os.WriteFile(file, []byte(head+from+made+to+tail), 0o644))
			continue
		}
		assert.Equal(t, made, shown, mark)
	}
}

// The report of papers/docs/roundup.md, without its times.
func TestManual(t *testing.T) {
	text, err := os.ReadFile("../docs/roundup.md")
	require.NoError(t, err)
	w := roundUpFact{object: "quasiqueue", calls: "4*4+0"}
	r, err := roundup.Check(context.Background(), w.entry().Case, roundup.Options{Factor: "2", Traces: true})
	require.NoError(t, err)
	r.Phase1, r.Phase2 = 3*time.Millisecond, 30*time.Millisecond
	assert.Contains(t, string(text), r.String())
}
