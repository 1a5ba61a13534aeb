package tables

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/linsat/linsat/explore"
	"github.com/linsat/linsat/explore/roundup"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/papers/catalogue"
	"github.com/linsat/linsat/papers/objects/relaxed"
	"github.com/linsat/linsat/papers/objects/scal"
)

// RoundUp is a table like II (linearizability), or III and V (under a factor), without rows.
func RoundUp(name, about string, factor bool) *Table {
	theirs, ours := "linearizations", "linearizations"
	if factor {
		theirs, ours = "permutations", "rearrangements"
	}
	return &Table{Paper: "round-up", Name: name, About: about, Labels: []string{"test program", "calls"},
		Columns: []Column{
			{Paper: "threads", Ours: "threads", Equal: same, Aside: true},
			{Paper: "violation", Ours: "violation", Equal: same},
			{Paper: "sequential", Ours: "sequential", Equal: same},
			{Paper: "phase 1", Ours: "phase 1", Aside: true},
			{Paper: "histories (buggy/all)", Ours: "traces (buggy/all)", Equal: same},
			{Paper: theirs, Ours: ours, Equal: same},
			{Ours: "executions (buggy/all)"},
			{Ours: "histories (buggy/all)"},
			{Paper: "phase 2", Ours: "phase 2", Aside: true},
			{Ours: "test", Aside: true},
		}}
}

// RoundUpRow is the row of a test of the catalogue.
func RoundUpRow(e *catalogue.Entry, o roundup.Options) Row {
	calls := make([]string, len(e.Case.Threads))
	program := e.Case.Object.Name
	for i, thread := range e.Case.Threads {
		calls[i] = thread[0].F
		if len(thread) != 1 {
			calls = nil
			break
		}
	}
	if calls != nil {
		program += " (" + strings.Join(calls, "+") + ")"
	}
	return Row{Labels: []string{program, roundup.DimensionOf(e.Case).String()}, Object: e.Case.Object.Name,
		Run: func(ctx context.Context, _ bool) ([]string, error) {
			r, err := roundup.Check(ctx, e.Case, o)
			if err != nil {
				return nil, err
			}
			return roundUpCells(r), nil
		}}
}

// roundUpCells writes a report. What panicked, or stopped at a bound, is no history, but counts as
// an execution.
func roundUpCells(r *roundup.Report) []string {
	v, n, last := r.Linearizable, r.NotLinearizable, r.Linearizations
	if r.Factor != "" {
		v, n, last = r.Quasi, r.NotQuasi, r.Rearrangements
	}
	traces := "" // not counted
	if r.Traces > 0 {
		traces = fmt.Sprintf("%d/%d", r.BuggyTraces, r.Traces)
	}
	took := func(d time.Duration) string { return d.Round(100 * time.Microsecond).String() }
	answer := violation(v)
	if r.Least != nil && r.Broken.Executions == 0 {
		answer = r.LeastBound()
	}
	return []string{fmt.Sprintf("%d/%d", len(r.Case.Threads), len(r.Case.Threads)+1), answer,
		fmt.Sprint(r.Sequential), took(r.Phase1), traces, many(last),
		fmt.Sprintf("%d/%d", n.Executions+r.Broken.Executions,
			r.All.Executions+r.Stopped.Executions+r.Unfinished.Executions),
		fmt.Sprintf("%d/%d", n.Histories, r.All.Histories+r.Stopped.Histories), took(r.Phase2),
		r.Case.String()}
}

// many writes a count; math.MaxInt64 stands for more.
func many(n int64) string {
	if n == math.MaxInt64 {
		return "more than 9·10¹⁸"
	}
	return fmt.Sprint(n)
}

func violation(v engine.Verdict) string {
	return map[engine.Verdict]string{engine.Linearizable: "no", engine.NotLinearizable: "YES",
		engine.Unknown: "unknown"}[v]
}

// entry finds the first test of the catalogue for a row; the object of factor 3 has segments of
// four slots.
func (f *roundUpFact) entry() *catalogue.Entry {
	for _, e := range slices.Concat(relaxed.Entries(), scal.Entries()) {
		if e.Case.Object.Name != f.object || roundup.DimensionOf(e.Case).String() != f.calls {
			continue
		}
		var calls []string
		for _, thread := range e.Case.Threads {
			calls = append(calls, thread[0].F)
		}
		if f.threads != "" && f.threads != strings.Join(calls, "+") {
			continue
		}
		if f.factor == "3" {
			o := *e.Case.Object
			o.New = relaxed.QuasiQueue(4)
			e.Case.Object = &o
		}
		return &e
	}
	panic("tables: no test for " + f.name + " " + f.calls)
}

func (f *roundUpFact) row() Row {
	e := f.entry()
	r := RoundUpRow(e, roundup.Options{Factor: f.factor, Traces: true, Run: explore.Options{OpSteps: e.OpSteps}})
	r.Labels[0] = f.name
	if f.threads != "" {
		r.Labels[0] += " (" + f.threads + ")"
	}
	answer := "no"
	if f.violation {
		answer = "YES"
	}
	r.Paper = []string{"2/3", answer, fmt.Sprint(f.sequential), f.first, fmt.Sprintf("%d/%d", f.buggy, f.all),
		fmt.Sprint(f.last), "", "", f.second, ""}
	return r
}

func roundUpTables() []*Table {
	tables := []*Table{roundUpClasses("Table I", "the objects: all tests of the catalogue, at factor 2", tableI)}
	for _, of := range []struct {
		name, about string
		facts       []roundUpFact
	}{
		{"Table II", "linearizability", tableII},
		{"Table III", "quasi-linearizability with factor 2, and 3 where it says so", tableIII},
		{"Table V", "Scal's objects, quasi-linearizability with factor 2", tableV},
	} {
		if of.name == "Table V" {
			tables = append(tables,
				roundUpClasses("Table IV", "Scal's objects: all tests of the catalogue, at factor 2", tableIV))
		}
		t := RoundUp(of.name, of.about, of.facts[0].factor != "")
		for i := range of.facts {
			t.Rows = append(t.Rows, of.facts[i].row())
		}
		tables = append(tables, t)
	}
	return tables
}

// roundUpClasses is a table of objects: whether they are linearizable, and under the factor.
func roundUpClasses(name, about string, facts []roundUpObject) *Table {
	t := &Table{Paper: "round-up", Name: name, About: about, Labels: []string{"class", "object"}, Columns: []Column{
		{Paper: "lines"}, {Paper: "linearizable", Ours: "linearizable", Equal: same},
		{Paper: "quasi-linearizable", Ours: "quasi-linearizable", Equal: same}, {Paper: "methods", Aside: true}}}
	for _, f := range facts {
		t.Rows = append(t.Rows, Row{Labels: []string{f.name, f.object}, Object: f.object,
			Paper: []string{f.lines, f.linearizable, f.quasi, f.methods},
			Run:   func(ctx context.Context, _ bool) ([]string, error) { return verdicts(ctx, f.object) }})
	}
	return t
}

// verdicts are those of all tests of an object together.
func verdicts(ctx context.Context, object string) ([]string, error) {
	plain, quasi := engine.Linearizable, engine.Linearizable
	worse := func(a, b engine.Verdict) engine.Verdict {
		if a == engine.NotLinearizable || b == engine.Linearizable {
			return a
		}
		return b
	}
	for _, e := range slices.Concat(relaxed.Entries(), scal.Entries()) {
		if e.Case.Object.Name != object {
			continue
		}
		r, err := roundup.Check(ctx, e.Case, roundup.Options{Factor: e.Quasi, Run: explore.Options{OpSteps: e.OpSteps}})
		if err != nil {
			return nil, err
		}
		plain, quasi = worse(plain, r.Linearizable), worse(quasi, r.Quasi)
	}
	word := map[engine.Verdict]string{engine.Linearizable: "yes", engine.NotLinearizable: "no",
		engine.Unknown: "unknown"}
	return []string{"", word[plain], word[quasi], ""}, nil
}
