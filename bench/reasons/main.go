//go:build unix

// Command reasons measures how often a violation that linsat finds is explained, with the options
// that `linsat solve` has by default, and prints it as a Markdown table.
//
//	go -C bench run ./reasons [-sizes 200,2000,10000] [-seeds 5] [-specs queue,stack]
//		[-shapes plain,pending] [-missing] [-corpora dir]
//
// Histories are those of `linsat gen`, for every specification, every violation that it can inject
// into one, and each of the seeds 1, 2, …; the ones that turn out to be linearizable are not
// counted. A violation counts as argued if there are sentences, and as having a core if there is at
// least a set of facts; each must be certified, and verify.Verify must accept its certificate. The
// listed operations are those of the facts of the core. Times are user time of all threads: verdict
// without reasons, and with them.
//
// With -corpora the recorded histories of a folder take the place of the generated ones. -missing
// names what was not argued. The command fails on a wrong verdict, on a violation that is not
// certified, and if a bar is missed.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/linsat/linsat"
	"github.com/linsat/linsat/history"
	_ "github.com/linsat/linsat/history/formats"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/gen"
	"github.com/linsat/linsat/internal/result"
	"github.com/linsat/linsat/internal/specs"
	"github.com/linsat/linsat/internal/words"
)

// shapes are what gen is asked for besides a specification and a violation.
var shapes = map[string]gen.Options{
	"plain":    {},
	"pending":  {PendingRate: 0.01},
	"wide":     {Processes: 16},
	"repeated": {Values: 5},
}

// bars are the shares of violations that must be argued, by operations.
var bars = map[int]float64{200: 0.95, 2000: 0.95, 10_000: 0.80}

// recordings are the histories of the corpora, as patterns below their folder.
var recordings = []string{"porcupine/jepsen/*.log", "porcupine/kv/*.txt", "knossos/*/bad/*", "fastlin/*/*.log",
	"violin/simple/*.log", "violin/small/*/*"}

type settings struct {
	sizes, seeds  []int
	specs, shapes []string
	corpora       string
	missing       bool
	limit         time.Duration
}

func main() {
	var s settings
	sizes := flag.String("sizes", "200,2000,10000", "numbers of operations, joined by commas")
	seeds := flag.Int("seeds", 5, "histories of each kind")
	first := flag.Int("seed", 1, "seed of the first")
	specs := flag.String("specs", "", "specifications, joined by commas; all by default")
	kinds := flag.String("shapes", "plain",
		"shapes of histories, joined by commas: plain, pending (1 % never return), wide (16 processes), repeated (5 "+
			"values)")
	flag.StringVar(&s.corpora, "corpora", "", "folder of recorded histories to take instead")
	flag.BoolVar(&s.missing, "missing", false, "name the violations without an argument")
	flag.DurationVar(&s.limit, "timeout", 0, "time limit of each check; none by default, as for solve")
	flag.Parse()
	for _, x := range split(*sizes) {
		n, err := strconv.Atoi(x)
		if err != nil {
			fmt.Fprintln(os.Stderr, "reasons:", err)
			os.Exit(2)
		}
		s.sizes = append(s.sizes, n)
	}
	for k := range *seeds {
		s.seeds = append(s.seeds, *first+k)
	}
	s.specs, s.shapes = split(*specs), split(*kinds)
	if err := s.print(os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "reasons:", err)
		os.Exit(1)
	}
}

func split(list string) []string {
	return strings.FieldsFunc(list, func(r rune) bool { return r == ',' })
}

// row is what is known of one group of histories.
type row struct {
	name                  string
	violations, cores     int
	argued                int
	operations, sentences []int
	decided, explained    []time.Duration
	unknown               int
}

func (s settings) print(w io.Writer) error {
	fmt.Fprintln(w,
		"| histories | violations | with core | argued | operations listed, median / most | sentences, median / most "+
			"| verdict, median / slowest | with reasons, median / slowest |")
	fmt.Fprintln(w, "|---|--:|--:|--:|--:|--:|--:|--:|")
	if s.corpora != "" {
		return s.recorded(w)
	}
	total := map[int]*row{}
	for _, shape := range s.shapes {
		if _, known := shapes[shape]; !known {
			return fmt.Errorf("unknown shape %q", shape)
		}
		for _, name := range gen.Specs() {
			if len(s.specs) > 0 && !slices.Contains(s.specs, name) {
				continue
			}
			for _, n := range s.sizes {
				r := &row{name: fmt.Sprintf("%s, %s, %d", name, shape, n)}
				for _, v := range gen.Violations() {
					for _, seed := range s.seeds {
						o := shapes[shape]
						o.Spec, o.Violation, o.Operations, o.Seed = name, v, n, uint64(seed)
						c, err := gen.Generate(o)
						if err != nil {
							continue // no place for this violation
						}
						id := fmt.Sprintf("linsat gen %s --violation %s --operations %d --seed %d (%s)", name, v,
							n, seed, shape)
						if err := s.add(w, r, c.History, c.Known, id); err != nil {
							return fmt.Errorf("%s: %w", id, err)
						}
					}
				}
				r.print(w)
				if total[n] == nil {
					total[n] = &row{name: fmt.Sprintf("all, %d", n)}
				}
				total[n].join(r)
			}
		}
	}
	var failed []string
	for _, n := range s.sizes {
		if total[n] == nil {
			continue
		}
		total[n].print(w)
		if bar := bars[n]; float64(total[n].argued) < bar*float64(total[n].violations) {
			failed = append(failed, fmt.Sprintf("%d of %d violations of %d operations are argued, the bar is %.0f %%",
				total[n].argued, total[n].violations, n, 100*bar))
		}
	}
	if len(failed) > 0 {
		return fmt.Errorf("%s", strings.Join(failed, "; "))
	}
	return nil
}

// recorded takes the histories of the corpora.
func (s settings) recorded(w io.Writer) error {
	all := &row{name: "all"}
	for _, pattern := range recordings {
		files, err := filepath.Glob(filepath.Join(s.corpora, pattern))
		if err != nil {
			return err
		}
		r := &row{name: "`" + pattern[:strings.LastIndex(pattern, "/")] + "`"}
		for _, file := range files {
			h, err := history.ReadFile(file, history.ReadOptions{})
			if err != nil || len(h.Ops) == 0 {
				continue
			}
			if h.Spec == "" {
				guess, err := specs.Recognise(h)
				if err != nil {
					return err
				}
				h.Spec = guess.Spec.Info().Name
			}
			if err := s.add(w, r, h, gen.Unclear, file); err != nil {
				return fmt.Errorf("%s: %w", file, err)
			}
		}
		r.print(w)
		all.join(r)
	}
	all.print(w)
	if all.argued < all.violations {
		return fmt.Errorf("%d of %d violations are argued", all.argued, all.violations)
	}
	return nil
}

// add checks one history.
func (s settings) add(w io.Writer, to *row, h *history.History, known gen.Known, id string) error {
	sp, ok := specs.Lookup(h.Spec)
	if !ok {
		return fmt.Errorf("unknown specification %q", h.Spec)
	}
	runtime.GC()
	start := cpuTime()
	plain, err := linsat.Check(context.Background(), sp, h, linsat.Explain(linsat.ExplainOptions{Cores: linsat.NoCore}),
		linsat.Timeout(s.limit))
	if err != nil {
		return err
	}
	decided := cpuTime() - start
	switch {
	case plain.Verdict == engine.Unknown:
		to.unknown++
	case known == gen.No && plain.Verdict != engine.NotLinearizable:
		return fmt.Errorf("wrong verdict: %v", plain.Verdict)
	}
	if plain.Verdict != engine.NotLinearizable {
		return nil
	}
	start, clock := cpuTime(), time.Now()
	r, err := linsat.Check(context.Background(), sp, h, linsat.Timeout(s.limit))
	if err != nil {
		return err
	}
	took, waited := cpuTime()-start, time.Since(clock)
	if r.Verdict != engine.NotLinearizable {
		return fmt.Errorf("%v, after a no without reasons", r.Verdict)
	}
	to.violations++
	to.decided, to.explained = append(to.decided, decided), append(to.explained, took)
	note := ""
	if !r.Certified {
		note = "not certified: " + r.Uncertified
	} else if c, err := linsat.Certify(h, &r); err != nil {
		return err
	} else if err := linsat.Verify(context.Background(), sp, h, c); err != nil {
		return fmt.Errorf("the verifier refuses: %w", err)
	}
	full := result.Of(r)
	if full.Core != nil {
		to.cores++
		var listed []history.OpID
		for _, f := range full.Core.Facts {
			listed = append(listed, f.Operations...)
		}
		slices.Sort(listed)
		to.operations = append(to.operations, len(slices.Compact(listed)))
	}
	if sentences := words.Reasons(full); len(sentences) > 0 {
		to.argued++
		to.sentences = append(to.sentences, len(sentences))
	} else if note == "" {
		note = "no argument"
		if full.Core != nil {
			note += ": " + full.Core.NoArgument
		}
	}
	if s.missing && (note != "" || took > 2*time.Second) {
		fmt.Fprintf(w, "<!-- %s: %s; by %s, verdict %v, with reasons %v (%v) -->\n", id, note,
			strings.Join(r.Engines, ", "), decided, took, waited)
	}
	return nil
}

func (r *row) join(o *row) {
	r.violations, r.cores, r.argued, r.unknown = r.violations+o.violations, r.cores+o.cores, r.argued+o.argued,
		r.unknown+o.unknown
	r.operations, r.sentences = append(r.operations, o.operations...), append(r.sentences, o.sentences...)
	r.decided, r.explained = append(r.decided, o.decided...), append(r.explained, o.explained...)
}

func (r *row) print(w io.Writer) {
	unknown := ""
	if r.unknown > 0 {
		unknown = fmt.Sprintf(" (and %d undecided)", r.unknown)
	}
	fmt.Fprintf(w, "| %s | %d%s | %d | %d | %s | %s | %s | %s |\n", r.name, r.violations, unknown, r.cores, r.argued,
		numbers(r.operations), numbers(r.sentences), times(r.decided), times(r.explained))
}

// numbers are median and most.
func numbers(x []int) string {
	if len(x) == 0 {
		return "–"
	}
	x = slices.Sorted(slices.Values(x))
	return fmt.Sprintf("%d / %d", x[len(x)/2], x[len(x)-1])
}

// times are median and slowest, in two figures.
func times(x []time.Duration) string {
	if len(x) == 0 {
		return "–"
	}
	x = slices.Sorted(slices.Values(x))
	return figures(x[len(x)/2]) + " / " + figures(x[len(x)-1])
}

func figures(d time.Duration) string {
	unit := time.Millisecond
	for d >= 100*unit {
		unit *= 10
	}
	return d.Round(unit).String()
}

// cpuTime is what this process has used so far, in user mode.
func cpuTime() time.Duration {
	var r syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &r); err != nil {
		return 0
	}
	return time.Duration(r.Utime.Nano())
}
