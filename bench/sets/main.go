// Command sets records runs of the concurrent sets that P-compositionality was evaluated on,
// decides them with and without partitioning, and prints the times as a Markdown table.
//
//	go run ./bench/sets
//
// One line is one set, recorded afresh for each repetition; each cell is a median in milliseconds,
// "–" if it was not decided within --timeout. Verdicts are asserted: the command fails if a faulty
// set is accepted in all repetitions, or another refused.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/linsat/linsat"
	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/papers/objects/sets"
	"github.com/linsat/linsat/internal/specs"
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
	{"SAT, by element", []linsat.Option{linsat.Engine("sat")}},
	{"monitor, by element", []linsat.Option{linsat.Engine("monitor")}},
}

// row is what was measured of one set.
type row struct {
	set     string
	refused int               // repetitions
	took    [][]time.Duration // by way: of the repetitions that were decided
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
		r, err := measure(name, sets.Recording{Threads: *threads, Operations: *operations, Keys: *keys}, *repeat, *timeout)
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
	r := row{set: name, took: make([][]time.Duration, len(ways))}
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
		options := append([]linsat.Option{linsat.Timeout(timeout), linsat.Argue(0)}, w.options...)
		result, err := linsat.Check(context.Background(), specs.Set(), h, options...)
		switch {
		case err != nil:
			return err
		case result.Verdict == linsat.Unknown:
			continue
		case verdict != linsat.Unknown && result.Verdict != verdict:
			return errDisagree
		}
		verdict = result.Verdict
		r.took[i] = append(r.took[i], result.Took)
	}
	if verdict == linsat.NotLinearizable {
		r.refused++
	}
	return nil
}

func write(w io.Writer, rows []row, repeat int) {
	header := []string{"set", "refused"}
	for _, v := range ways {
		header = append(header, v.name)
	}
	fmt.Fprintf(w, "| %s |\n|---|---%s|\n", strings.Join(header, " | "), strings.Repeat("|---", len(ways)))
	for _, r := range rows {
		cells := []string{r.set, fmt.Sprintf("%d of %d", r.refused, repeat)}
		for _, took := range r.took {
			cells = append(cells, median(took, repeat))
		}
		fmt.Fprintf(w, "| %s |\n", strings.Join(cells, " | "))
	}
}

// median returns the median in milliseconds, "–" if more than half were not decided.
func median(took []time.Duration, repeat int) string {
	slices.Sort(took)
	if at := (repeat - 1) / 2; at < len(took) {
		return strconv.FormatFloat(float64(took[at])/float64(time.Millisecond), 'f', 0, 64)
	}
	return "–"
}
