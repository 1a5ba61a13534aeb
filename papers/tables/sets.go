package tables

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime"
	"runtime/metrics"
	"slices"
	"strings"
	"time"

	"github.com/linsat/linsat"
	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/specs"
	"github.com/linsat/linsat/papers/objects/sets"
)

// way is how a history is decided.
type way struct {
	name    string
	options []linsat.Option
}

var ways = []way{
	{"search, whole", []linsat.Option{linsat.Engine("search"), linsat.Partition("none")}},
	{"whole, cache of 1,000", []linsat.Option{linsat.Engine("search"), linsat.Partition("none"), linsat.Cache(1000)}},
	{"whole, cache of 10", []linsat.Option{linsat.Engine("search"), linsat.Partition("none"), linsat.Cache(10)}},
	{"search, by element", []linsat.Option{linsat.Engine("search")}},
	{"SAT, whole", []linsat.Option{linsat.Engine("sat"), linsat.Partition("none")}},
	{"SAT, by element", []linsat.Option{linsat.Engine("sat")}},
	{"monitor, whole", []linsat.Option{linsat.Engine("monitor"), linsat.Partition("none")}},
	{"monitor, by element", []linsat.Option{linsat.Engine("monitor")}},
}

// measured is what was measured of one set.
type measured struct {
	refused int       // repetitions
	costs   [][]costs // by way: of the repetitions that were decided
}

// costs are those of one decision.
type costs struct {
	took  time.Duration
	bytes uint64
}

// measure records a set and decides each recording in all ways. The error says what is wrong with
// the verdicts.
func measure(ctx context.Context, name string, o sets.Recording, repeat int) (measured, error) {
	r := measured{costs: make([][]costs, len(ways))}
	for i := range repeat {
		o.Seed = uint64(i)
		h, err := sets.Record(name, o)
		if err != nil {
			return r, err
		}
		if err := r.decide(ctx, h); err != nil {
			return r, fmt.Errorf("%s: %w", name, err)
		}
	}
	faulty := strings.Contains(name, "faulty")
	if !faulty && r.refused > 0 || faulty && r.refused == 0 && repeat > 1 {
		return r, fmt.Errorf("%s: %d of %d recordings are not linearizable", name, r.refused, repeat)
	}
	return r, nil
}

var errDisagree = errors.New("the ways of deciding disagree")

// decide decides one recording in all ways.
func (r *measured) decide(ctx context.Context, h *history.History) error {
	verdict := linsat.Unknown
	for i, w := range ways {
		options := append([]linsat.Option{linsat.Timeout(decision),
			linsat.Explain(linsat.ExplainOptions{Cores: linsat.NoCore})}, w.options...)
		peak := watch()
		result, err := linsat.Check(ctx, specs.Set(), h, options...)
		bytes := peak()
		switch {
		case err != nil:
			return err
		case result.Verdict == linsat.Unknown:
			continue
		case verdict != linsat.Unknown && result.Verdict != verdict:
			return errDisagree
		}
		verdict = result.Verdict
		r.costs[i] = append(r.costs[i], costs{result.Took, bytes})
	}
	if verdict == linsat.NotLinearizable {
		r.refused++
	}
	return nil
}

// watch collects garbage, and then reads the size of the heap every millisecond until the function
// that it returns is called, which returns by how much the heap grew.
func watch() func() uint64 {
	heap := func() uint64 {
		sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
		metrics.Read(sample)
		return sample[0].Value.Uint64()
	}
	runtime.GC()
	first := heap()
	most, ended, done := first, make(chan bool), make(chan bool)
	go func() {
		defer close(done)
		tick := time.NewTicker(time.Millisecond)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				most = max(most, heap())
			case <-ended:
				most = max(most, heap())
				return
			}
		}
	}()
	return func() uint64 {
		close(ended)
		<-done
		return most - first
	}
}

// medians returns those of the time in milliseconds and of the memory in megabytes, "–" if more
// than half were not decided.
func medians(decided []costs, repeat int) string {
	at := (repeat - 1) / 2
	if at >= len(decided) {
		return "–"
	}
	slices.SortFunc(decided, func(a, b costs) int { return cmp.Compare(a.took, b.took) })
	took := float64(decided[at].took) / float64(time.Millisecond)
	slices.SortFunc(decided, func(a, b costs) int { return cmp.Compare(a.bytes, b.bytes) })
	return fmt.Sprintf("%.0f / %.0f", took, float64(decided[at].bytes)/1e6)
}

// setFacts are the rows of the paper's Table 1, by the mnemonics of its Table 2: time, memory and
// timeouts without a limit on the cache, with one, and with partitioning.
var setFacts = []struct{ mnemonic, set, figures string }{
	{"TBB", "", "101 s|9792 MiB|0%|11 s|670 MiB|0%|6 s|672 MiB|0%"},
	{"CRLSL", "", "20 s|15738 MiB|0%|25 s|678 MiB|0%|6 s|400 MiB|0%"},
	{"CRLFSL", "", "14 s|15029 MiB|0%|18 s|678 MiB|0%|5 s|401 MiB|0%"},
	{"FGL", "finelist", "16 s|14297 MiB|0%|81 s|678 MiB|0%|5 s|401 MiB|0%"},
	{"LLL", "lazylist", "23 s|16494 MiB|0%|94 s|678 MiB|0%|6 s|401 MiB|0%"},
	{"LSL", "", "20 s|15736 MiB|0%|25 s|678 MiB|14%|6 s|401 MiB|0%"},
	{"LFLL", "harrislist", "11 s|11847 MiB|0%|15 s|678 MiB|0%|5 s|402 MiB|0%"},
	{"LFSL", "skiplist", "14 s|14712 MiB|0%|18 s|678 MiB|0%|5 s|401 MiB|0%"},
	{"LFSLF0", "", "14 s|13125 MiB|0%|18 s|678 MiB|0%|5 s|402 MiB|0%"},
	{"LFSLF1", "skiplist-faulty1", "<1 s|404 MiB|0%|<1 s|407 MiB|0%|<1 s|402 MiB|0%"},
	{"OPTIMIST", "optimisticlist", "16 s|13818 MiB|0%|54 s|678 MiB|9%|5 s|401 MiB|0%"},
}

// decision is the limit of each of ours.
const decision = 10 * time.Second

// recording is the one of the paper.
var recording = sets.Recording{Threads: 4, Operations: 70_000, Keys: 24}

// setsTable is Table 1. A cell of ours has milliseconds and megabytes.
func setsTable() *Table {
	t := &Table{Paper: "p-compositionality", Name: "Table 1", Labels: []string{"benchmark", "set"},
		About:   "sets recorded in goroutines, and decided in different ways (ours: ms / MB)",
		Columns: []Column{{Ours: "refused", Aside: true}}}
	variants := map[string]string{"search, whole": "WGL", "whole, cache of 1,000": "WGL+LRU",
		"search, by element": "WGL+P"}
	var at []int // the first column of each way
	for _, w := range ways {
		at = append(at, len(t.Columns))
		if v := variants[w.name]; v != "" {
			t.Columns = append(t.Columns, Column{Paper: v + " time", Ours: w.name, Aside: true},
				Column{Paper: v + " memory", Aside: true}, Column{Paper: v + " timeout", Aside: true})
		} else {
			t.Columns = append(t.Columns, Column{Ours: w.name, Aside: true})
		}
	}
	add := func(mnemonic, set string, theirs []string) {
		r := Row{Labels: []string{mnemonic, set}, Object: set}
		if theirs != nil {
			r.Paper = make([]string, len(t.Columns))
			copy(r.Paper[at[0]:], theirs[:3])
			copy(r.Paper[at[1]:], theirs[3:6])
			copy(r.Paper[at[3]:], theirs[6:])
		}
		if set != "" {
			r.Run = func(ctx context.Context, full bool) ([]string, error) {
				repeat := 1
				if full {
					repeat = 3
				}
				m, err := measure(ctx, set, recording, repeat)
				if err != nil {
					return nil, err
				}
				return m.cells(at, len(t.Columns), repeat), nil
			}
		}
		t.Rows = append(t.Rows, r)
	}
	for _, f := range setFacts {
		add(f.mnemonic, f.set, cells(f.figures))
	}
	for _, set := range sets.Recordable() {
		if !slices.ContainsFunc(t.Rows, func(r Row) bool { return r.Object == set }) {
			add("", set, nil)
		}
	}
	return t
}

// cells writes what was measured, each way in its column.
func (m *measured) cells(at []int, columns, repeat int) []string {
	out := make([]string, columns)
	out[0] = fmt.Sprintf("%d of %d", m.refused, repeat)
	for i, c := range m.costs {
		out[at[i]] = medians(c, repeat)
	}
	return out
}
