package tables

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/linsat/linsat/explore/c11"
	"github.com/linsat/linsat/explore/cdsspec"
	"github.com/linsat/linsat/papers/objects/cds"
)

// figure6 are the paper's figures: executions, feasible ones, seconds.
var figure6 = map[string]string{
	"chase-lev": "1365|232||0.15", "spsc-queue": "19|15||0.01", "rcu": "1269|756||0.11",
	"click-hashtable": "30941|25731||11.39", "mcs-lock": "19501|13546||2.62", "mpmc-queue": "170220|93224||45.63",
	"ms-queue-c11": "168|114||0.05", "linux-rwlock": "148053|405||13.06",
}

// cdsSpec returns Figures 6 and 7, which are tables.
func cdsSpec() []*Table {
	six := &Table{Paper: "cdsspec", Name: "Figure 6", Labels: []string{"benchmark", "object"},
		About: "the paper's drivers; ours visits each execution graph once",
		Columns: []Column{{Paper: "executions", Ours: "graphs", Equal: same},
			{Paper: "feasible", Ours: "passed", Equal: same}, {Ours: "found"},
			{Paper: "seconds", Ours: "ms", Aside: true}}}
	seven := &Table{Paper: "cdsspec", Name: "Figure 7", Labels: []string{"benchmark", "object"},
		About: "each memory order made relaxed, by the paper's drivers; with --full also with load buffering, which RC11 " +
			"forbids",
		Columns: []Column{{Paper: "injections", Ours: "injections", Equal: same},
			{Paper: "data race", Ours: "data race", Equal: same},
			{Paper: "uninitialized", Ours: "uninitialized", Equal: same},
			{Paper: "correctness", Ours: "correctness", Equal: same},
			{Paper: "synchronization", Ours: "synchronization", Equal: same},
			{Paper: "rate", Ours: "rate", Equal: same},
			{Ours: "found with larger drivers"}, {Ours: "harmless"}, {Ours: "rate with load buffering"}}}
	for _, s := range cds.Structures() {
		labels := []string{s.Name, s.Key}
		six.Rows = append(six.Rows, Row{Labels: labels, Object: s.Key, Paper: cells(figure6[s.Key]),
			Run: func(ctx context.Context, _ bool) ([]string, error) { return drivers(ctx, &s) }})
		f := s.Figure7
		seven.Rows = append(seven.Rows, Row{Labels: labels, Object: s.Key,
			Paper: append(counts(f.Injections, f.DataRaces, f.Uninitialized, f.Correctness, f.Synchronization),
				rate(f.Detected(), f.Injections), "", "", ""),
			Run: func(ctx context.Context, full bool) ([]string, error) { return injections(ctx, &s, full) }})
	}
	return []*Table{six, seven}
}

// drivers runs the paper's drivers of a structure.
func drivers(ctx context.Context, s *cds.Structure) ([]string, error) {
	graphs, passed, start := 0, 0, time.Now()
	var found []string
	for _, d := range s.Drivers {
		if !d.Paper {
			continue
		}
		r, err := cdsspec.Check(ctx, d.Program, cdsspec.Options{})
		if err != nil {
			return nil, err
		}
		graphs += r.Stats.Graphs
		passed += r.Counts[cdsspec.Passed]
		if r.Verdict != cdsspec.Passed {
			found = append(found, r.Verdict.String())
		}
	}
	took := float64(time.Since(start).Microseconds()) / 1000
	return append(counts(graphs, passed), strings.Join(found, ", "), fmt.Sprintf("%.1f", took)), nil
}

// injections counts those of the paper by what finds them, in full also with load buffering.
func injections(ctx context.Context, s *cds.Structure, full bool) ([]string, error) {
	all, err := s.Inject(ctx)
	if err != nil {
		return nil, err
	}
	by, n, byPaper, found, buffered := map[cdsspec.Verdict]int{}, 0, 0, 0, 0
	for i := range all {
		if !all[i].Paper {
			continue
		}
		n++
		if trial, isFound := all[i].Found(true); isFound {
			by[trial.Verdict]++
			byPaper++
		} else if full {
			shows, err := buffering(ctx, s, &all[i])
			if err != nil {
				return nil, err
			}
			if shows {
				buffered++
			}
		}
		if _, isFound := all[i].Found(false); isFound {
			found++
		}
	}
	withBuffering := ""
	if full {
		withBuffering = rate(byPaper+buffered, n)
	}
	return append(counts(n, by[cdsspec.DataRace], by[cdsspec.UninitializedLoad], by[cdsspec.Correctness],
		by[cdsspec.Synchronization]), rate(byPaper, n), fmt.Sprint(found), fmt.Sprint(n-found), withBuffering), nil
}

// buffering reports whether a driver of the paper that passes with load buffering does not if the
// order is relaxed.
func buffering(ctx context.Context, s *cds.Structure, in *cds.Injection) (bool, error) {
	for _, d := range s.Drivers {
		if !d.Paper {
			continue
		}
		o := cdsspec.Options{Options: c11.Options{LoadBuffering: true, Orders: in.Weaken(c11.Relaxed)}}
		r, err := cdsspec.Check(ctx, d.Program, o)
		if err != nil || r.Verdict == cdsspec.Passed {
			return false, err
		}
		o.Orders = nil
		if r, err = cdsspec.Check(ctx, d.Program, o); err != nil || r.Verdict == cdsspec.Passed {
			return err == nil, err
		}
	}
	return false, nil
}

func counts(list ...int) []string {
	var out []string
	for _, n := range list {
		out = append(out, fmt.Sprint(n))
	}
	return out
}

// rate is the share of injections that are found, in whole percent.
func rate(found, all int) string { return fmt.Sprintf("%.0f%%", float64(found)/float64(all)*100) }
