//go:build unix

package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/linsat/linsat/bench/internal/charts"
	"github.com/linsat/linsat/internal/gen"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestMain is the process of a cell where a sweep starts this program with -cell.
func TestMain(m *testing.M) {
	if len(os.Args) > 2 && os.Args[1] == "-cell" {
		flags := flag.NewFlagSet("cell", flag.ExitOnError)
		cell, timeout := flags.String("cell", "", ""), flags.Duration("timeout", 0, "")
		if flags.Parse(os.Args[1:]) != nil || decideCell(os.Stdout, *cell, *timeout) != nil {
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func TestASweepHasOneLevelWhereADimensionMeansNothing(t *testing.T) {
	l := allLevels()
	violations := len(gen.Violations()) + 1
	assert.Len(t, l.coordinates("queue"), 2*violations*3*2*4*5)
	assert.Len(t, l.coordinates("deque"), 2*violations*3*2*4*5, "relaxable, though gen displaces nothing")
	assert.Len(t, l.coordinates("bounded-queue"), violations*3*2*4*5)
	assert.Len(t, l.coordinates("register"), violations*3*4*5)
	assert.Len(t, l.coordinates("counter"), 2*violations*3*5)
	assert.Len(t, l.coordinates("mutex"), violations*3*5)
	for _, name := range append(append([]string{}, valued...), emptied...) {
		assert.Contains(t, gen.Specs(), name)
	}
}

func TestWhatALimitLeavesOfASweepIsASample(t *testing.T) {
	names := []string{"queue", "counter", "mutex"}
	l := allLevels()
	all := l.order(names)
	seen, processes := map[shape]bool{}, map[int]bool{}
	for i, s := range all {
		assert.False(t, seen[s], "%+v twice", s)
		seen[s] = true
		if i < 90 {
			assert.Equal(t, names[i%3], s.Spec)
			processes[s.Processes] = true
		}
	}
	assert.Len(t, all, len(l.coordinates("queue"))+len(l.coordinates("counter"))+len(l.coordinates("mutex")))
	assert.Len(t, processes, 5, "the first thirty of each have every number of processes")
	assert.Equal(t, all, l.order(names))
}

func TestInAPairwiseSweepAnyTwoLevelsMeet(t *testing.T) {
	l, err := parseLevels("pairs")
	require.NoError(t, err)
	for _, name := range []string{"queue", "counter", "mutex"} {
		want, met := map[meeting]bool{}, map[meeting]bool{}
		all := l.coordinates(name)
		for _, s := range all {
			for _, m := range meetings(s) {
				want[m] = true
			}
		}
		chosen := l.order([]string{name})
		for _, s := range chosen {
			assert.Contains(t, all, s)
			for _, m := range meetings(s) {
				met[m] = true
			}
		}
		assert.Equal(t, want, met, name)
		assert.Less(t, len(chosen), max(60, len(all)/10), name)
	}
}

func TestLevelsAreRead(t *testing.T) {
	l, err := parseLevels(
		"processes=4,16 values=distinct,2 pending=0.05 violations=none,swap quasi=0 operations=3000,1000")
	require.NoError(t, err)
	want := allLevels()
	want.processes, want.values, want.pending, want.quasi = []int{4, 16}, []int{0, 2}, []float64{0.05}, []int{0}
	want.violations, want.operations = []gen.Violation{gen.NoViolation, gen.Swap}, []int{1000, 3000}
	assert.Equal(t, want, l)
	for _, bad := range []string{"colour=red", "processes=", "processes=x", "violations=arson"} {
		_, err := parseLevels(bad)
		assert.Error(t, err, bad)
	}
}

func TestASweepGoesOnWhereItEnded(t *testing.T) {
	program, err := os.Executable()
	require.NoError(t, err)
	chosen, err := parseLevels(
		"operations=100,200 processes=2 values=4 empties=0 pending=0 quasi=0 violations=none,unwritten,stale")
	require.NoError(t, err)
	folder := t.TempDir()
	s := sweeper{program: program, specs: []string{"register", "queue"}, levels: chosen, timeout: time.Minute,
		workers: 2, rows: filepath.Join(folder, "rows.jsonl"), notes: io.Discard}
	require.NoError(t, s.run(context.Background()))
	rows, err := readRows(s.rows)
	require.NoError(t, err)
	got := map[string]string{}
	for _, r := range rows {
		got[fmt.Sprint(r.Spec, r.Operations, r.Violation)] = r.Verdict + r.Absent
		if r.Absent == "" {
			assert.Positive(t, r.Seconds)
			assert.Positive(t, r.MB)
			assert.Empty(t, r.Uncertified)
		}
	}
	assert.Equal(t, map[string]string{
		"register100": "linearizable", "register200": "linearizable", "queue100": "linearizable",
		"queue200":             "linearizable",
		"register100unwritten": "not linearizable", "register200unwritten": "not linearizable",
		"queue100unwritten": "not linearizable", "queue200unwritten": "not linearizable",
		"register100stale": got["register100stale"], "register200stale": got["register200stale"],
		"queue100stale": "no place for the violation stale in this run of queue",
	}, got)
	before, err := os.ReadFile(s.rows)
	require.NoError(t, err)
	require.NoError(t, s.run(context.Background()))
	after, err := os.ReadFile(s.rows)
	require.NoError(t, err)
	assert.Equal(t, string(before), string(after), "nothing is left to run")

	folder = filepath.Join(folder, "new") // which is made
	require.NoError(t, drawMaps(folder, rows))
	picture, err := os.ReadFile(filepath.Join(folder, "sweep-queue.svg"))
	require.NoError(t, err)
	assert.Contains(t, string(picture), ">unwritten</text>")

	require.NoError(t, os.WriteFile(s.rows, append(after, "{\"spec\""...), 0o644))
	assert.ErrorContains(t, s.run(context.Background()), "line 12")
	s.program, s.rows = "/nowhere/at/all", filepath.Join(folder, "more.jsonl")
	assert.Error(t, s.run(context.Background()))
}

func TestMarksTellWhyACellHasNoTime(t *testing.T) {
	lengths := []int{1000, 10_000, 100_000}
	s := shape{Spec: "queue", Operations: 1000}
	at := map[shape]outcome{s: {Verdict: "unknown", Cause: "timeout"}}
	assert.Equal(t, charts.Undecided, mark(at, s, lengths).State)
	s.Operations = 10_000
	assert.Equal(t, charts.Skipped, mark(at, s, lengths).State)
	s.Processes = 2
	assert.Equal(t, charts.NotRun, mark(at, s, lengths).State)
	at[s] = outcome{Verdict: "not linearizable", User: 0.25, Uncertified: "too long"}
	assert.Equal(t, charts.Mark{State: charts.Decided, Took: 250 * time.Millisecond, Flawed: true},
		mark(at, s, lengths))
	at[s] = outcome{Absent: "no place"}
	assert.Equal(t, charts.LeftOut, mark(at, s, lengths).State)
	s.Operations = 100_000
	assert.Equal(t, charts.LeftOut, mark(at, s, lengths).State)
}

func TestUnknownCellsAreListedWithTheSmallest(t *testing.T) {
	var rows []row
	for _, n := range []int{10_000, 1000, 100_000} {
		rows = append(rows,
			row{shape{Spec: "stack", Operations: n, Processes: 16, Values: 4, Pending: 0.01, Quasi: 2,
				Violation: gen.Swap}, outcome{Verdict: "unknown", Cause: "timeout", MB: 17}},
			row{shape{Spec: "stack", Operations: n, Processes: 4, Values: 2, Pending: 0.01, Quasi: 2,
				Violation: gen.Swap}, outcome{Verdict: "linearizable", User: 0.0123, MB: 99}})
	}
	var out bytes.Buffer
	printSummary(&out, rows)
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	require.Len(t, lines, 7)
	assert.Equal(t, "| stack | quasi, 2? | 2, 1, 0, 12ms | 2, 1, 0, 12ms | 2, 1, 0, 12ms | 99 MB |", lines[2])
	assert.Equal(t,
		"| stack, quasi, 2?, few values, violation, pending | 2 of 4 | `linsat gen stack --operations 1000 "+
			"--processes 16 --values 4 --pending 0.01 --relax 2 --violation swap \\| linsat solve --timeout 5s "+
			"--quasi 2 -` | timeout, 17 MB |", lines[6])
}
