// Command leastk finds the least bound of every history below a folder, and prints for each folder
// of histories how often which bound was the least, with and without draining.
//
//	go -C bench run ./leastk DIR
//
// The output is a Markdown table. ∞ stands for histories that no bound accepts, ? for those that
// were not settled within --timeout. The last column is the mean time of one history in
// milliseconds, reading apart.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/linsat/linsat"
	"github.com/linsat/linsat/history"
	_ "github.com/linsat/linsat/history/formats"
	"github.com/linsat/linsat/internal/specs"
	"github.com/linsat/linsat/quasi"
)

// unsettled stands for a least bound that was not found.
const unsettled int32 = -1

// row is one line of the table: the histories of a folder, drained or not.
type row struct {
	folder string
	drain  bool
	count  map[int32]int // by least bound
	total  int
	took   time.Duration
}

func main() {
	meaning := flag.String("meaning", "slots", "slots or classes")
	timeout := flag.Duration("timeout", 10*time.Second, "time limit for each history")
	flag.Usage = func() {
		fmt.Fprintln(flag.CommandLine.Output(), "usage: leastk [flags] DIR...")
		flag.PrintDefaults()
	}
	flag.Parse()
	if flag.NArg() == 0 {
		flag.Usage()
		os.Exit(2)
	}
	var m quasi.Meaning
	err := m.UnmarshalText([]byte(*meaning))
	if err == nil {
		var rows []*row
		if rows, err = measure(flag.Args(), m, *timeout); err == nil {
			write(os.Stdout, rows)
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "leastk:", err)
		os.Exit(1)
	}
}

// measure finds the least bounds of all histories below dirs, two rows a folder, folders in the
// order of their names.
func measure(dirs []string, meaning quasi.Meaning, timeout time.Duration) ([]*row, error) {
	var rows []*row
	find := func(folder string, drain bool) *row {
		for _, r := range rows {
			if r.folder == folder && r.drain == drain {
				return r
			}
		}
		r := &row{folder: folder, drain: drain, count: map[int32]int{}}
		rows = append(rows, r)
		return r
	}
	for _, dir := range dirs {
		files, err := history.Files(dir, nil)
		if err != nil {
			return nil, err
		}
		for _, file := range files {
			h, err := history.ReadFile(file, history.ReadOptions{})
			if err != nil {
				return nil, err
			}
			folder := filepath.Base(filepath.Dir(file))
			for _, drain := range []bool{true, false} {
				start := time.Now()
				k, err := least(h, quasi.Question{Meaning: meaning, Drain: drain}, timeout)
				if err != nil {
					return nil, fmt.Errorf("%s: %w", file, err)
				}
				r := find(folder, drain)
				r.count[k]++
				r.total++
				r.took += time.Since(start)
			}
		}
	}
	return rows, nil
}

// least returns the least bound of h, quasi.Unbounded if none helps, or unsettled.
func least(h *history.History, relax quasi.Question, timeout time.Duration) (int32, error) {
	s, ok := specs.Lookup(h.Spec)
	if !ok {
		return 0, fmt.Errorf("unknown specification %q", h.Spec)
	}
	least, err := quasi.Parse(s.Info(), "min")
	if err != nil {
		return 0, err
	}
	relax.Factor, relax.Free = least.Factor, least.Free
	r, err := linsat.Check(context.Background(), s, h, linsat.Quasi(relax), linsat.Timeout(timeout))
	switch {
	case err != nil:
		return 0, err
	case r.Least == nil || !r.Least.Settled():
		return unsettled, nil
	}
	return r.Least.High, nil
}

// write prints the table.
func write(w io.Writer, rows []*row) {
	var bounds []int32
	for _, r := range rows {
		for k := range r.count {
			if !slices.Contains(bounds, k) {
				bounds = append(bounds, k)
			}
		}
	}
	slices.SortFunc(bounds, func(a, b int32) int { // -1, unsettled, wraps around to the end
		return int(int64(uint32(a)) - int64(uint32(b)))
	})
	head, rule := "| histories | | number |", "|---|---|--:|"
	for _, k := range bounds {
		head += " " + name(k) + " |"
		rule += "--:|"
	}
	fmt.Fprintf(w, "%s ms |\n%s--:|\n", head, rule)
	for _, r := range rows {
		how := "not drained"
		if r.drain {
			how = "drained"
		}
		var cells strings.Builder
		for _, k := range bounds {
			cell := " "
			if n := r.count[k]; n > 0 {
				cell = " " + strconv.Itoa(n) + " "
			}
			cells.WriteString(cell + "|")
		}
		fmt.Fprintf(w, "| %s | %s | %d |%s %.2f |\n", r.folder, how, r.total, cells.String(),
			float64(r.took.Microseconds())/1e3/float64(r.total))
	}
}

func name(k int32) string {
	switch k {
	case unsettled:
		return "?"
	case quasi.Unbounded:
		return "∞"
	}
	return strconv.Itoa(int(k))
}
