//go:build unix

// Command growth measures how the time of checking grows with the length of a history, for each
// specification and engine, and prints it as a Markdown table.
//
//	go -C bench run ./growth [-most 1000000] [-runs 3] [-timeout 10s] [-specs register,queue]
//		[-engines monitor,search] [-plot growth.svg]
//
// Histories have 1,000 operations, 3,000, 10,000 and so on, are linearizable, and come from a fixed
// seed; generating them is not timed. Times are medians of the user time of all threads, which is
// more reliable than the clock on a busy machine. A dash means that the engine does not support the
// history, and > a time limit, after which longer histories are not tried. The slope is that of the
// logarithm of the time over the logarithm of the length, by least squares: 1 is linear. It ignores
// lengths below 10,000 if there are three others, because small histories measure the fixed cost of
// a check.
//
//	go -C bench run ./growth -sweep [-rows sweep.jsonl] [-draw folder] [-specs queue,stack]
//		[-levels 'processes=4,16 values=4,distinct'|pairs] [-timeout 5s] [-limit 15m] [-workers 2]
//
// With -sweep it looks for cliffs instead: every specification × 2 to 256 processes × 2, 4, 16 and
// distinct values × removals that find nothing × pending operations × injected violations ×
// linearizability and quasi-linearizability × 1,000 to 100,000 operations, each cell in a process
// of its own, decided as by default, with its reasons. It prints what stayed unknown, and with
// -draw a map of each specification, coloured by the processor time of all threads. On a busy
// machine a cell that got less than half of its time has more of it. Rows are kept: a sweep that
// was stopped or limited goes on where it ended, and -workers 0 only prints and draws. Left out are
// numbers of values where operations carry none or gen has no choice (counters, locks, banks),
// empty results without removals, quasi factors without relaxable classes, violations that a run
// has no place for, and histories longer than one of their kind that stayed unknown.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/linsat/linsat"
	"github.com/linsat/linsat/bench/internal/charts"
	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/gen"
	"github.com/linsat/linsat/internal/specs"
)

// kinds are the histories that are measured.
var kinds = []struct {
	name string
	o    gen.Options
}{
	{"register, distinct values", gen.Options{Spec: "register", Processes: 16}},
	{"register, 5 values", gen.Options{Spec: "register", Processes: 16, Values: 5}},
	{"cas-register, 5 values", gen.Options{Spec: "cas-register", Processes: 8, Values: 5}},
	{"cas-register, 5 values, 1 % never returned", gen.Options{Spec: "cas-register", Processes: 5, Values: 5,
		PendingRate: 0.01}},
	{"kv, 24 keys", gen.Options{Spec: "kv", Processes: 16, Keys: 24}},
	{"set, 24 elements", gen.Options{Spec: "set", Processes: 16}},
	{"queue", gen.Options{Spec: "queue", Processes: 16}},
	{"stack", gen.Options{Spec: "stack", Processes: 16}},
	{"priority-queue", gen.Options{Spec: "priority-queue", Processes: 16}},
	{"counter", gen.Options{Spec: "counter", Processes: 8}},
}

// cell is the time of one length.
type cell struct {
	operations int
	took       time.Duration
	verdict    engine.Verdict
	cause      engine.Cause
}

type settings struct {
	most, runs     int
	timeout        time.Duration // 0: 10 s, 5 s in a sweep
	specs, engines []string
	plot           string // file of a picture, "" for none
}

func main() {
	var s settings
	flag.IntVar(&s.most, "most", 1_000_000, "operations of the longest history")
	flag.IntVar(&s.runs, "runs", 3, "runs of each history")
	flag.DurationVar(&s.timeout, "timeout", 0, "time limit of each run; 10s by default, 5s for -sweep")
	specs := flag.String("specs", "", "specifications, joined by commas; all by default")
	engines := flag.String("engines", "monitor,search,sat,auto", "engines, joined by commas")
	flag.StringVar(&s.plot, "plot", "", "draw the times into this .svg file as well")
	sweep := flag.Bool("sweep", false, "look for cliffs over all kinds of histories")
	rows := flag.String("rows", "sweep.jsonl", "with -sweep: the file of its rows")
	draw := flag.String("draw", "", "with -sweep: draw maps into this folder")
	chosen := flag.String("levels", "",
		"with -sweep: dimensions with fewer levels; pairs: only so many cells that any two levels meet")
	limit := flag.Duration("limit", 0, "with -sweep: start no cell after this time")
	workers := flag.Int("workers", 2, "with -sweep: cells at once, 0 to run none")
	cell := flag.String("cell", "", "decide one cell of a sweep, given as JSON")
	flag.Parse()
	s.specs, s.engines = strings.FieldsFunc(*specs, isComma), strings.FieldsFunc(*engines, isComma)
	if err := func() error {
		if s.timeout == 0 {
			if s.timeout = 10 * time.Second; *sweep {
				s.timeout = 5 * time.Second
			}
		}
		switch {
		case *cell != "":
			return decideCell(os.Stdout, *cell, s.timeout)
		case *sweep:
			return s.sweep(sweeper{rows: *rows, limit: *limit, workers: *workers, notes: os.Stderr}, *chosen, *draw)
		}
		return s.print(os.Stdout)
	}(); err != nil {
		fmt.Fprintln(os.Stderr, "growth:", err)
		os.Exit(1)
	}
}

// sweep runs a sweep, prints what is known then, and draws it into a folder unless that is "".
func (s settings) sweep(w sweeper, chosen, folder string) (err error) {
	if w.levels, err = parseLevels(chosen); err != nil {
		return err
	}
	if w.specs, err = chosenSpecs(s.specs); err != nil {
		return err
	}
	if w.program, err = os.Executable(); err != nil {
		return err
	}
	w.timeout = s.timeout
	if w.workers > 0 {
		if err := w.run(context.Background()); err != nil {
			return err
		}
	}
	rows, err := readRows(w.rows)
	if err != nil {
		return err
	}
	printSummary(os.Stdout, rows)
	if folder == "" {
		return nil
	}
	return drawMaps(folder, rows)
}

func isComma(r rune) bool { return r == ',' }

// lengths of the histories, from 1,000 on.
func (s settings) lengths() []int {
	var all []int
	for n := 1000; n <= s.most; n *= 10 {
		all = append(all, n)
		if 3*n <= s.most {
			all = append(all, 3*n)
		}
	}
	return all
}

// print measures and prints line by line.
func (s settings) print(w io.Writer) error {
	head, rule := "| history | engine |", "|---|---|"
	for _, n := range s.lengths() {
		head += " " + strconv.Itoa(n/1000) + "k |"
		rule += "--:|"
	}
	var curves []charts.Curve
	fmt.Fprintf(w, "%s slope |\n%s--:|\n", head, rule)
	for _, k := range kinds {
		if len(s.specs) > 0 && !slices.Contains(s.specs, k.o.Spec) {
			continue
		}
		for _, e := range s.engines {
			cells, err := s.measure(k.o, e)
			if err != nil {
				return fmt.Errorf("%s, %s: %w", k.name, e, err)
			}
			var line strings.Builder
			for i := range s.lengths() {
				line.WriteString(" " + text(cells, i) + " |")
			}
			fmt.Fprintf(w, "| %s | %s |%s %s |\n", k.name, e, line.String(), slopeText(cells))
			curves = append(curves, curve(k.name, e, cells))
		}
	}
	if s.plot == "" {
		return nil
	}
	f, err := os.Create(s.plot)
	if err != nil {
		return err
	}
	if err := charts.Growth(f, curves); err != nil {
		f.Close()
		return err
	}
	return f.Close()
}

// curve holds the decided cells.
func curve(kind, name string, cells []cell) charts.Curve {
	c := charts.Curve{Kind: kind, Engine: name, Slope: slopeText(cells)}
	for _, x := range cells {
		if x.verdict == engine.Linearizable {
			c.Lengths, c.Times = append(c.Lengths, x.operations), append(c.Times, x.took)
		}
	}
	return c
}

// measure stops at the first length that stays undecided. A wrong verdict is an error.
func (s settings) measure(o gen.Options, choice string) ([]cell, error) {
	var cells []cell
	for _, n := range s.lengths() {
		o.Operations, o.Seed = n, 1
		c, err := gen.Generate(o)
		if err != nil {
			return nil, err
		}
		x, err := s.decide(c.History, choice)
		if err != nil {
			return nil, err
		}
		if x.verdict == engine.NotLinearizable {
			return nil, fmt.Errorf("wrong verdict on %d operations", n)
		}
		cells = append(cells, x)
		if x.verdict == engine.Unknown {
			break
		}
	}
	return cells, nil
}

// atLeast is how long a run repeats its check: the kernel counts user time in ticks of
// milliseconds.
const atLeast = 30 * time.Millisecond

// decide measures checks of one history.
func (s settings) decide(h *history.History, choice string) (cell, error) {
	sp, ok := specs.Lookup(h.Spec)
	if !ok {
		return cell{}, fmt.Errorf("unknown specification %q", h.Spec)
	}
	x := cell{operations: len(h.Ops)}
	var times []time.Duration
	for range max(1, s.runs) {
		runtime.GC()
		before, checks := userTime(), 0
		for checks == 0 || x.verdict == engine.Linearizable && userTime()-before < atLeast {
			r, err := linsat.Check(context.Background(), sp, h, linsat.Engine(linsat.Engines(choice)),
				linsat.Timeout(s.timeout), linsat.First(), linsat.Explain(linsat.ExplainOptions{Cores: linsat.NoCore}))
			if err != nil {
				return x, err
			}
			x.verdict, x.cause = r.Verdict, r.Cause
			checks++
		}
		times = append(times, (userTime()-before)/time.Duration(checks))
		if x.verdict != engine.Linearizable {
			break
		}
	}
	slices.Sort(times)
	x.took = times[(len(times)-1)/2]
	return x, nil
}

// userTime returns the user time of this process so far.
func userTime() time.Duration {
	var r syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &r); err != nil {
		return 0
	}
	return time.Duration(r.Utime.Nano())
}

func text(cells []cell, i int) string {
	switch {
	case i >= len(cells):
		return ""
	case cells[i].verdict == engine.Linearizable:
		return figures(cells[i].took)
	case cells[i].cause == engine.Unsupported:
		return "–"
	case cells[i].cause == engine.Timeout:
		return "> limit"
	}
	return cells[i].cause.String()
}

// figures rounds to two figures.
func figures(d time.Duration) string {
	unit := time.Nanosecond
	for d >= 100*unit {
		unit *= 10
	}
	return d.Round(unit).String()
}

func slopeText(cells []cell) string {
	if s, ok := slope(cells); ok {
		return fmt.Sprintf("%.2f", s)
	}
	return ""
}

// slope is of the decided cells, from 10,000 operations on if those are three or more; ok is false
// if fewer than three are left.
func slope(cells []cell) (s float64, ok bool) {
	var x, y []float64
	long := 0
	for _, c := range cells {
		if c.verdict == engine.Linearizable && c.took > 0 {
			x, y = append(x, math.Log(float64(c.operations))), append(y, math.Log(c.took.Seconds()))
			if c.operations >= 10_000 {
				long++
			}
		}
	}
	if long >= 3 {
		x, y = x[len(x)-long:], y[len(y)-long:]
	}
	if len(x) < 3 {
		return 0, false
	}
	n := float64(len(x))
	var sx, sy, sxx, sxy float64
	for i := range x {
		sx, sy, sxx, sxy = sx+x[i], sy+y[i], sxx+x[i]*x[i], sxy+x[i]*y[i]
	}
	return (n*sxy - sx*sy) / (n*sxx - sx*sx), true
}
