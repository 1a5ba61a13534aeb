package roundup_test

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/linsat/linsat/explore"
	"github.com/linsat/linsat/explore/roundup"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/linsat/linsat/papers/catalogue"
	"github.com/linsat/linsat/papers/objects/relaxed"
	"github.com/linsat/linsat/papers/objects/scal"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// row is a row of the paper's Tables II, III and V.
type row struct {
	name, calls, threads string // of the paper; threads: "enq+deq" of Table V
	violation            bool
	sequential           int
	buggy, all, last     int // histories, and linearizations (Table II) or permutations
	object               string
	factor               string // "" in Table II
}

// The paper's rows. Table III calls the stack without a bug "Quasi Stack b3".
var (
	tableII = []row{
		{"IQueue", "2*2+0", "", true, 3, 2, 6, 13, "iqueue", ""},
		{"Herlihy/Wing queue", "2*2+0", "", false, 3, 0, 4, 9, "herlihywing", ""},
		{"Quasi Queue", "2*2+4", "", true, 6, 16, 16, 61, "quasiqueue", ""},
		{"Quasi Queue", "3*3+4", "", true, 20, 64, 64, 505, "quasiqueue", ""},
		{"Quasi Queue", "2*3+3", "", true, 10, 24, 32, 169, "quasiqueue", ""},
		{"Quasi Queue", "3*3+2", "", true, 20, 108, 118, 1033, "quasiqueue", ""},
		{"Quasi Queue", "3*4+1", "", true, 35, 149, 198, 2260, "quasiqueue", ""},
		{"Quasi Queue", "4*4+0", "", true, 70, 274, 476, 8484, "quasiqueue", ""},
		{"Quasi Queue b1", "2*2+4", "", true, 6, 91, 91, 409, "quasiqueue-b1", ""},
		{"Quasi Queue b2", "2*2+4", "", true, 6, 91, 91, 409, "quasiqueue-b2", ""},
		{"Quasi Queue b3", "2*2+4", "", true, 6, 141, 141, 653, "quasiqueue-b3", ""},
		{"Quasi Stack b1", "2*2+4", "", true, 6, 9, 9, 34, "quasistack-b1", ""},
		{"Quasi Stack b2", "2*2+4", "", true, 6, 16, 16, 61, "quasistack-b2", ""},
		{"Quasi Stack", "2*2+4", "", false, 6, 0, 16, 61, "quasistack", ""},
		{"Quasi Priority Queue", "2*2+4", "", true, 6, 16, 16, 61, "quasipq", ""},
		{"Quasi Priority Queue b2", "2*2+4", "", true, 6, 125, 125, 532, "quasipq-b2", ""},
	}
	tableIII = []row{
		{"Quasi Queue", "2*2+4", "", false, 6, 0, 16, 1708, "quasiqueue", "2"},
		{"Quasi Queue", "3*3+4", "", false, 20, 0, 64, 73730, "quasiqueue", "2"},
		{"Quasi Queue", "2*3+3", "", false, 10, 0, 32, 4732, "quasiqueue", "2"},
		{"Quasi Queue", "3*3+2", "", false, 20, 0, 118, 28924, "quasiqueue", "2"},
		{"Quasi Queue", "3*4+1", "", false, 35, 0, 198, 63280, "quasiqueue", "2"},
		{"Quasi Queue", "4*4+0", "", false, 70, 0, 476, 237552, "quasiqueue", "2"},
		{"Quasi Queue, factor 3", "2*3+3", "", false, 10, 0, 32, 8112, "quasiqueue", "3"},
		{"Quasi Queue, factor 3", "3*3+2", "", false, 20, 0, 118, 49584, "quasiqueue", "3"},
		{"Quasi Queue, factor 3", "3*4+1", "", false, 35, 0, 198, 108480, "quasiqueue", "3"},
		{"Quasi Queue, factor 3", "4*4+0", "", false, 70, 0, 476, 407232, "quasiqueue", "3"},
		{"Quasi Queue b1", "2*2+4", "", true, 6, 41, 91, 11452, "quasiqueue-b1", "2"},
		{"Quasi Queue b2", "2*2+4", "", true, 6, 91, 91, 11452, "quasiqueue-b2", "2"},
		{"Quasi Queue b3", "2*2+4", "", true, 6, 73, 141, 18284, "quasiqueue-b3", "2"},
		{"Quasi Stack b1", "2*2+4", "", true, 6, 9, 9, 2108, "quasistack-b1", "2"},
		{"Quasi Stack b2", "2*2+4", "", true, 6, 6, 16, 1708, "quasistack-b2", "2"},
		{"Quasi Stack", "2*2+4", "", false, 6, 0, 16, 1708, "quasistack", "2"},
		{"Quasi Priority Queue", "2*2+4", "", false, 6, 0, 16, 1708, "quasipq", "2"},
		{"Quasi Priority Queue b2", "2*2+4", "", true, 6, 54, 125, 6384, "quasipq-b2", "2"},
	}
	tableV = []row{
		{"sl-queue", "1*1+10", "enq+deq", false, 2, 0, 2, 438, "scal-sl-queue", "2"},
		{"sl-queue", "1*1+10", "enq+enq", true, 2, 1, 2, 438, "scal-sl-queue", "2"},
		{"sl-queue", "1*1+10", "deq+deq", true, 2, 4, 8, 2190, "scal-sl-queue", "2"},
		{"t-stack", "1*1+10", "push+pop", false, 2, 0, 8, 2190, "scal-t-stack", "2"},
		{"t-stack", "1*1+10", "push+push", false, 2, 0, 8, 2190, "scal-t-stack", "2"},
		{"t-stack", "1*1+10", "pop+pop", false, 2, 0, 8, 2190, "scal-t-stack", "2"},
		{"ms-queue", "1*1+10", "enq+deq", false, 2, 0, 3, 730, "scal-ms-queue", "2"},
		{"ms-queue", "1*1+10", "enq+enq", false, 2, 0, 31, 8906, "scal-ms-queue", "2"},
		{"ms-queue", "1*1+10", "deq+deq", false, 2, 0, 12, 3358, "scal-ms-queue", "2"},
		{"rd-queue", "1*1+10", "enq+deq", false, 2, 0, 7, 1898, "scal-rd-queue", "2"},
		{"rd-queue", "1*1+10", "enq+enq", false, 2, 0, 31, 8906, "scal-rd-queue", "2"},
		{"rd-queue", "1*1+10", "deq+deq", false, 2, 0, 6, 1606, "scal-rd-queue", "2"},
		{"bk-queue", "1*1+10", "enq+deq", false, 2, 0, 1, 146, "scal-bk-queue", "2"},
		{"bk-queue", "1*1+10", "enq+enq", false, 2, 0, 12, 3358, "scal-bk-queue", "2"},
		{"bk-queue", "1*1+10", "deq+deq", false, 2, 0, 8, 2190, "scal-bk-queue", "2"},
		{"ubk-queue", "1*1+10", "enq+deq", false, 2, 0, 1, 146, "scal-ubk-queue", "2"},
		{"ubk-queue", "1*1+10", "enq+enq", false, 2, 0, 12, 3358, "scal-ubk-queue", "2"},
		{"ubk-queue", "1*1+10", "deq+deq", false, 2, 0, 8, 2190, "scal-ubk-queue", "2"},
		{"k-stack", "1*1+10", "push+pop", true, 2, 11, 69, 20002, "scal-k-stack-1", "2"},
		{"k-stack", "1*1+10", "push+push", false, 2, 0, 12, 3358, "scal-k-stack", "2"},
		{"k-stack", "1*1+10", "pop+pop", false, 2, 0, 8, 2190, "scal-k-stack", "2"},
	}
)

// entry finds the first test of the catalogue for a row.
func (w row) entry(t *testing.T) catalogue.Entry {
	t.Helper()
	for _, e := range slices.Concat(relaxed.Entries(), scal.Entries()) {
		if e.Case.Object.Name != w.object || roundup.DimensionOf(e.Case).String() != w.calls {
			continue
		}
		var calls []string
		for _, thread := range e.Case.Threads {
			calls = append(calls, thread[0].F)
		}
		if w.threads == "" || w.threads == strings.Join(calls, "+") {
			if w.factor == "3" { // the catalogue's is built for factor 2
				o := *e.Case.Object
				o.New = relaxed.QuasiQueue(4)
				e.Case.Object = &o
			}
			return e
		}
	}
	require.Fail(t, "no test", "%v", w)
	return catalogue.Entry{}
}

// check runs a row, with the catalogue's bound on operations: with segments of one slot the
// k-stack's threads may try again without end.
func (w row) check(t *testing.T) *roundup.Report {
	t.Helper()
	e := w.entry(t)
	r, err := roundup.Check(context.Background(), e.Case, roundup.Options{Factor: w.factor, Traces: true, Literal: true,
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
		if r := w.check(t); r.Traces == w.all && r.BuggyTraces == w.buggy {
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
	e := row{object: "scal-k-stack-1", calls: "1*1+10"}.entry(t)
	r, err := roundup.Check(context.Background(), e.Case, roundup.Options{Factor: "2", Traces: true,
		Strategy: func() explore.Strategy { return explore.Bounded(3) }})
	require.NoError(t, err)
	assert.Equal(t, []int{32, 7737, 4, 551}, []int{r.NotQuasi.Executions, r.All.Executions, r.BuggyTraces, r.Traces})
	assert.Zero(t, r.Stopped)
}

// table checks the rows and writes them beside the paper's.
func table(t *testing.T, rows []row) string {
	t.Helper()
	theirs, last := "linearizations", "linearizations"
	if rows[0].factor != "" {
		theirs, last = "permutations", "rearrangements"
	}
	var b strings.Builder
	fmt.Fprintf(&b,
		"| test program | calls | violation | sequential | paper: histories (buggy/all) | paper: %s | executions "+
			"(buggy/all) | traces (buggy/all) | histories (buggy/all) | %s |\n", theirs, last)
	b.WriteString("|---|---|---|--:|--:|--:|--:|--:|--:|--:|\n")
	for _, w := range rows {
		r := w.check(t)
		v, n, count := r.Linearizable, r.NotLinearizable, r.Linearizations
		if w.factor != "" {
			v, n, count = r.Quasi, r.NotQuasi, r.Rearrangements
		}
		want := engine.Linearizable
		violation := "no"
		if w.violation {
			want, violation = engine.NotLinearizable, "YES"
		}
		assert.Equal(t, want, v, "%v", w)
		assert.True(t, r.Run.Complete, "%v", w)
		if w.object != "scal-sl-queue" { // a list that lost a node ends in a panic
			assert.Zero(t, r.Unfinished.Executions, "%v", w)
		}
		sequential := fmt.Sprint(r.Sequential)
		if w.calls == "2*2+0" {
			assert.Equal(t, 6, r.Sequential, "%v", w)
			assert.Equal(t, 3, w.sequential, "the paper's number, which is not a binomial of two threads of two")
			sequential = "3, ours 6"
		} else {
			assert.Equal(t, w.sequential, r.Sequential, "%v", w)
		}
		// What panicked is no history, but a violation.
		executions, buggy := r.All.Executions+r.Stopped.Executions+r.Unfinished.Executions,
			n.Executions+r.Broken.Executions
		histories := r.All.Histories + r.Stopped.Histories
		assert.GreaterOrEqual(t, executions, r.Traces, "%v", w)
		assert.GreaterOrEqual(t, buggy, r.BuggyTraces, "%v", w)
		assert.GreaterOrEqual(t, r.All.Executions, r.All.Histories, "%v", w)
		name := w.name
		if w.threads != "" {
			name += " (" + w.threads + ")"
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %d/%d | %d | %d/%d | %d/%d | %d/%d | %d |\n", name, w.calls, violation,
			sequential, w.buggy, w.all, w.last,
			buggy, executions, r.BuggyTraces, r.Traces, n.Histories, histories, count)
	}
	return b.String()
}

// Tables II, III and V: all verdicts, and the counts that the paper's objects determine;
// papers/docs/roundup.md has them beside ours. LINSAT_UPDATE=1 writes it anew.
func TestTables(t *testing.T) {
	const file = "../docs/roundup.md"
	for mark, rows := range map[string][]row{"table II": tableII, "table III": tableIII, "table V": tableV} {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		from, to := "<!-- "+mark+" -->\n", "<!-- end of "+mark+" -->\n"
		head, rest, ok := strings.Cut(string(text), from)
		require.True(t, ok, mark)
		shown, tail, ok := strings.Cut(rest, to)
		require.True(t, ok, mark)
		made := table(t, rows)
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
	w := row{object: "quasiqueue", calls: "4*4+0"}
	r, err := roundup.Check(context.Background(), w.entry(t).Case, roundup.Options{Factor: "2", Traces: true})
	require.NoError(t, err)
	r.Phase1, r.Phase2 = 3*time.Millisecond, 30*time.Millisecond
	assert.Contains(t, string(text), r.String())
}
