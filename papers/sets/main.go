// Command sets records runs of the concurrent sets that P-compositionality was evaluated on,
// decides them with and without partitioning, and prints times and memory as a Markdown table.
//
//	go run ./sets
//
// One line is one set, recorded afresh for each repetition. Each cell has two medians:
// milliseconds, and the megabytes by which the heap grew at most, garbage included; "–" if it was
// not decided within --timeout. Verdicts are asserted: the command fails if a faulty set is
// accepted in all repetitions, or another refused.
package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
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

// row is what was measured of one set.
type row struct {
	set     string
	refused int       // repetitions
	costs   [][]costs // by way: of the repetitions that were decided
}

// costs are those of one decision.
type costs struct {
	took  time.Duration
	bytes uint64
}

func main() {
	operations := flag.Int("operations", 70000, "operations of each of the threads")
	threads := flag.Int("threads", 4, "threads")
	keys := flag.Int("keys", 24, "different elements")
	repeat := flag.Int("repeat", 3, "repetitions")
	timeout := flag.Duration("timeout", 10*time.Second, "limit for each decision")
	flag.Parse()
	var rows []row
	for _, name := range sets.Recordable() {
		r, err := measure(name, sets.Recording{Threads: *threads, Operations: *operations, Keys: *keys},
			*repeat, *timeout)
		if err != nil {
			fmt.Fprintln(os.Stderr, "sets:", err)
			os.Exit(1)
		}
		rows = append(rows, r)
	}
	write(os.Stdout, rows, *repeat)
}

// measure records a set and decides each recording in all ways. The error says what is wrong with
// the verdicts.
func measure(name string, o sets.Recording, repeat int, timeout time.Duration) (row, error) {
	r := row{set: name, costs: make([][]costs, len(ways))}
	for i := range repeat {
		o.Seed = uint64(i)
		h, err := sets.Record(name, o)
		if err != nil {
			return r, err
		}
		if err := r.decide(h, timeout); err != nil {
			return r, fmt.Errorf("%s: %w", name, err)
		}
	}
	if faulty := strings.Contains(name, "faulty"); faulty != (r.refused > 0) {
		return r, fmt.Errorf("%s: %d of %d recordings are not linearizable", name, r.refused, repeat)
	}
	return r, nil
}

var errDisagree = errors.New("the ways of deciding disagree")

// decide decides one recording in all ways.
func (r *row) decide(h *history.History, timeout time.Duration) error {
	verdict := linsat.Unknown
	for i, w := range ways {
		options := append([]linsat.Option{linsat.Timeout(timeout),
			linsat.Explain(linsat.ExplainOptions{Cores: linsat.NoCore})}, w.options...)
		peak := watch()
		result, err := linsat.Check(context.Background(), specs.Set(), h, options...)
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

func write(w io.Writer, rows []row, repeat int) {
	header := []string{"set", "refused"}
	for _, v := range ways {
		header = append(header, v.name)
	}
	fmt.Fprintf(w, "| %s |\n|---|---%s|\n", strings.Join(header, " | "), strings.Repeat("|---", len(ways)))
	for _, r := range rows {
		cells := []string{r.set, fmt.Sprintf("%d of %d", r.refused, repeat)}
		for _, c := range r.costs {
			cells = append(cells, medians(c, repeat))
		}
		fmt.Fprintf(w, "| %s |\n", strings.Join(cells, " | "))
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
