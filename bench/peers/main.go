//go:build unix

// Command peers compares linsat with other tools on the same histories, in the same run: with
// Porcupine, and with the fastlin program if it is found.
//
//	LINSAT_CORPORA=… go run . [-runs 5] [-timeout 10s] [-only REGEXP] [-large] [-fastlin PATH]
//		[-linsat PATH] [-cliffs [-fptlin PATH] [-polylin PATH]]
//
// With -cliffs it takes only works in which linsat was slow once, and then lets the whole program
// decide histories of further such shapes, with Porcupine, FPTLin and PolyLin beside it where they
// take the input, and a long history of every specification; with -large it adds what reading
// takes, and what reasons add to a verdict, for a million operations. Programs that are not named
// are looked for on the PATH.
//
// Every work is a history, or several decided one after the other. The tools take turns, run by
// run; the result is the median of the runs, on the clock and in user time. Both linsat and
// Porcupine only check, without explanations, and neither reads: histories are built, and the
// peer's inputs resolved, before. A tool that gives up is not run again; its time is then a lower
// bound, and so is its factor. Verdicts are compared with the known ones, or else with each other.
// A wrong verdict gives exit code 1, a missed bar does not. The time limit does not bound memory,
// so works for which Porcupine is known to need more than a few gigabytes leave it out.
//
//	works.go   what is compared, and the bars
//	models.go  Porcupine's models and inputs, fastlin's format
//	run.go     one run of one tool
//	cliffs.go  histories of shapes that took long once
//	every.go   a long history of every specification
//	whole.go   reading and reasons of a million operations
//	formats.go the formats of FPTLin and PolyLin
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/model"
)

// options are the flags.
type options struct {
	runs            int
	timeout         time.Duration
	only            *regexp.Regexp
	large           bool
	cliffs          bool // histories of shapes that took long once, by whole processes
	fastlin, linsat string
	fptlin, polylin string
	root            string // of linsat's repository
	corpora         string
	dir             string // for files that programs read
}

func main() {
	o := options{corpora: os.Getenv("LINSAT_CORPORA")}
	flag.IntVar(&o.runs, "runs", 5, "runs of each work")
	flag.DurationVar(&o.timeout, "timeout", 10*time.Second, "time limit of each history")
	only := flag.String("only", "", "works whose names match this regular expression")
	flag.BoolVar(&o.large, "large", false, "works of a million operations as well")
	flag.BoolVar(&o.cliffs, "cliffs", false,
		"histories of shapes that took long once, reading and reasons, by whole processes; needs -linsat")
	flag.StringVar(&o.fastlin, "fastlin", onPath("fastlin"), "path of the fastlin program")
	flag.StringVar(&o.fptlin, "fptlin", onPath("fptlin"), "path of the FPTLin program, for -cliffs")
	flag.StringVar(&o.polylin, "polylin", onPath("polylin"), "path of the PolyLin program, for -cliffs")
	flag.StringVar(&o.linsat, "linsat", onPath("linsat"), "path of the linsat program, for times of whole processes")
	flag.StringVar(&o.root, "root", "../..",
		"folder of linsat's repository, which has a program that records histories")
	alone := flag.String("porcupine", "",
		"only decide this `file` with Porcupine, and print 1 or 0, -1 for no answer, and the seconds")
	flag.Parse()
	if *alone != "" {
		if err := porcupineAlone(os.Stdout, *alone, o.timeout); err != nil {
			fmt.Fprintln(os.Stderr, "peers:", err)
			os.Exit(1)
		}
		return
	}
	if err := o.start(os.Stdout, *only); err != nil {
		fmt.Fprintln(os.Stderr, "peers:", err)
		os.Exit(1)
	}
}

// onPath returns the path of a program, "" if it is not found.
func onPath(program string) string {
	path, err := exec.LookPath(program)
	if err != nil {
		return ""
	}
	return path
}

func (o options) start(w io.Writer, only string) error {
	var err error
	if o.only, err = regexp.Compile(only); err != nil {
		return err
	}
	if o.runs < 1 || o.timeout <= 0 {
		return fmt.Errorf("-runs and -timeout are positive")
	}
	if o.dir, err = os.MkdirTemp("", "peers-*"); err != nil {
		return err
	}
	defer os.RemoveAll(o.dir)
	if o.corpora == "" {
		fmt.Fprintln(w, "LINSAT_CORPORA is not set: without recorded histories")
	}
	fmt.Fprintf(w, "%s/%s, %d CPUs, %s; medians of %d runs, at most %v a history; clock (user time)\n\n", runtime.GOOS,
		runtime.GOARCH, runtime.GOMAXPROCS(0), runtime.Version(), o.runs, o.timeout)
	fmt.Fprintf(w,
		"| work | operations | verdict | linsat | Porcupine | Porcupine / linsat | bar | "+
			"|\n|---|--:|---|--:|--:|--:|---|---|\n")
	var wrong []string
	for _, k := range works(o.corpora) {
		if !o.only.MatchString(k.name) || k.large && !o.large || o.cliffs && !k.cliff {
			continue
		}
		bad, err := o.line(w, k)
		if err != nil {
			return fmt.Errorf("%s: %w", k.name, err)
		}
		if bad != "" {
			wrong = append(wrong, k.name+": "+bad)
		}
	}
	if o.cliffs {
		bad, err := o.afterwards(w)
		if err != nil {
			return err
		}
		wrong = append(wrong, bad...)
	}
	if len(wrong) > 0 {
		return fmt.Errorf("%s", strings.Join(wrong, "; "))
	}
	return nil
}

// afterwards prints the tables of whole processes.
func (o options) afterwards(w io.Writer) (wrong []string, err error) {
	if o.linsat == "" {
		return nil, fmt.Errorf("-cliffs needs -linsat")
	}
	fmt.Fprintln(w)
	if wrong, err = o.cliffTable(w); err != nil {
		return wrong, err
	}
	bad, err := o.every(w)
	if wrong = append(wrong, bad...); err != nil || !o.large {
		return wrong, err
	}
	fmt.Fprintln(w)
	bad, err = o.readingTable(w)
	wrong = append(wrong, bad...)
	if err != nil {
		return wrong, err
	}
	fmt.Fprintln(w)
	bad, err = o.reasonsTable(w)
	return append(wrong, bad...), err
}

// taken are the runs of one tool.
type taken struct {
	wall, cpu []time.Duration
	verdicts  []engine.Verdict // of the last run
	gaveUp    int              // histories in the last run
}

func (t *taken) add(s spent) {
	t.wall, t.cpu = append(t.wall, s.wall), append(t.cpu, s.cpu)
	t.verdicts, t.gaveUp = s.verdicts, s.undecided()
}

func (t *taken) String() string {
	text := fmt.Sprintf("%s (%s)", figures(median(t.wall)), figures(median(t.cpu)))
	if t.gaveUp > 0 {
		return "> " + text
	}
	return text
}

// line runs one work and prints its line, and below the result of fastlin. It returns which verdict
// was wrong, or "".
func (o options) line(w io.Writer, k work) (wrong string, err error) {
	questions, err := k.load()
	if err != nil {
		return "", err
	}
	tools := []tool{ours(k.scope, o.timeout)}
	if k.skip == "" {
		porcupine, err := theirs(questions, k.scope == model.Unpartitioned, o.timeout)
		if err != nil {
			return "", err
		}
		tools = append(tools, porcupine)
	}
	times := make([]taken, len(tools))
	for range o.runs {
		for i, t := range tools {
			if times[i].gaveUp > 0 {
				continue
			}
			s, err := measure(t, questions, k.spread)
			if err != nil {
				return "", err
			}
			times[i].add(s)
			var other []engine.Verdict
			if i > 0 {
				other = times[0].verdicts
			}
			if wrong = agree(questions, []string{"linsat", "Porcupine"}[i], s.verdicts, other); wrong != "" {
				return wrong, nil
			}
		}
	}
	operations := 0
	for _, q := range questions {
		operations += len(q.h.Ops)
	}
	peer, ratio := k.skip, ""
	var f factors
	if k.skip == "" {
		peer = times[1].String()
		if times[0].gaveUp == 0 {
			f = factors{median(times[1].wall).Seconds() / median(times[0].wall).Seconds(),
				median(times[1].cpu).Seconds() / median(times[0].cpu).Seconds(), times[1].gaveUp > 0}
			ratio = f.String()
		}
	}
	bar, met := k.judge(&times[0], f)
	fmt.Fprintf(w, "| %s | %d | %s | %s | %s | %s | %s | %s |\n", k.name, operations, summary(times[0].verdicts),
		times[0].String(), peer, ratio, bar, met)
	if k.flows && o.fastlin != "" {
		if wrong, err = o.flow(w, questions[0], &times[0]); wrong != "" || err != nil {
			return wrong, err
		}
	}
	if k.convince && o.linsat != "" {
		return o.convince(w, k, questions)
	}
	return "", nil
}

// convince measures whole processes on JSON Lines that certify their answer, violations by the
// first core found (--core any).
func (o options) convince(w io.Writer, k work, questions []question) (string, error) {
	var all taken
	var resident int64
	certified := 0
	for _, q := range questions {
		file, err := store(o.dir, "history.jsonl", func(f *os.File) error { return history.WriteJSONL(f, q.h) })
		if err != nil {
			return "", err
		}
		var one taken
		sure := false
		for range o.runs {
			p, err := execute(6*o.timeout, o.linsat, "solve", "--core", "any", "--format", "json", "--timeout",
				o.timeout.String(), file)
			if err != nil {
				return "", err
			}
			if wrong := agree([]question{q}, "the linsat program", []engine.Verdict{verdictOf(p)}, nil); wrong != "" {
				return wrong, nil
			}
			sure = strings.Contains(p.out, `"certified":true`)
			one.add(spent{wall: p.wall, cpu: p.cpu})
			resident = max(resident, p.resident)
		}
		os.Remove(file)
		if sure {
			certified++
		}
		all.add(spent{wall: median(one.wall), cpu: median(one.cpu)})
	}
	met := "kept"
	if median(all.wall) >= k.within || resident >= k.resident || certified < len(questions) {
		met = "missed"
	}
	fmt.Fprintf(w,
		"| – whole process, %d of %d certified | | | %s, at most %s; %d MB | | | under %v and %d MB, certified | %s |\n",
		certified, len(questions), all.String(), figures(slices.Max(all.wall)), resident/1e6, k.within,
		k.resident/1e6, met)
	return "", nil
}

// factors say how much longer the peer took, on the clock and in user time. If it gave up, they are
// lower bounds.
type factors struct {
	wall, cpu float64
	atLeast   bool
}

func (f factors) String() string {
	text := fmt.Sprintf("%.3g× (%.3g×)", f.wall, f.cpu)
	if f.atLeast {
		return "> " + text
	}
	return text
}

// judge returns the bar and whether it is kept. A factor has to be reached both on the clock and in
// user time; a time is one on the clock.
func (k work) judge(t *taken, f factors) (bar, met string) {
	switch {
	case k.ratio > 0:
		bar = fmt.Sprintf("%g×", k.ratio)
	case k.within > 0:
		bar = "under " + k.within.String()
	default:
		return "", ""
	}
	wall, cpu, least := median(t.wall), median(t.cpu), min(f.wall, f.cpu)
	switch {
	case t.gaveUp > 0:
		return bar, "missed: no answer"
	case k.ratio > 0 && least >= k.ratio, k.ratio == 0 && wall < k.within:
		return bar, "kept"
	case k.ratio > 0 && f.atLeast:
		return bar, "not shown: Porcupine gave up too early"
	case k.ratio > 0:
		return bar, fmt.Sprintf("missed, by a factor of %.2g", k.ratio/least)
	case cpu < k.within:
		return bar, "kept in user time only"
	}
	return bar, fmt.Sprintf("missed, by a factor of %.2g", wall.Seconds()/k.within.Seconds())
}

// flow compares with fastlin: its algorithm's own time with our check, and whole processes on one
// file, without explanations, since fastlin gives none; their cost is printed below. Its operations
// on sets are not among those that linsat reads.
func (o options) flow(w io.Writer, q question, mine *taken) (string, error) {
	text, err := fastlinText(q.h)
	if err != nil {
		return "", err
	}
	file, err := store(o.dir, "history.log", func(f *os.File) error { _, err := f.WriteString(text); return err })
	if err != nil {
		return "", err
	}
	defer os.Remove(file)
	var algorithm []time.Duration
	var whole, ourWhole, reasoned taken
	var theirs, our int64
	programs := o.linsat != "" && q.h.Spec != "set"
	for range o.runs {
		v, inside, p, err := fastlin(o.fastlin, file, o.timeout)
		if err != nil {
			fmt.Fprintf(w, "| – fastlin | | | | %v | | | |\n", err)
			return "", nil
		}
		if wrong := agree([]question{q}, "fastlin", []engine.Verdict{v}, nil); wrong != "" {
			fmt.Fprintf(w, "| – fastlin | | | | %s | | | |\n", wrong)
			return "", nil // its bug, if ours is the known verdict
		}
		whole.add(spent{wall: p.wall, cpu: p.cpu})
		algorithm, theirs = append(algorithm, inside), max(theirs, p.resident)
		for _, core := range []string{"none", "one"} {
			if !programs || core == "one" && q.want == engine.Linearizable {
				continue
			}
			p, err := execute(6*o.timeout, o.linsat, "solve", "--witness", "0", "--core", core, file)
			if err != nil {
				return "", err
			}
			if wrong := agree([]question{q}, "the linsat program", []engine.Verdict{verdictOf(p)}, nil); wrong != "" {
				return wrong, nil
			}
			if core == "one" {
				reasoned.add(spent{wall: p.wall, cpu: p.cpu})
				continue
			}
			ourWhole.add(spent{wall: p.wall, cpu: p.cpu})
			our = max(our, p.resident)
		}
	}
	allowed, bar := 1.0, "no slower"
	if q.h.Spec == "set" {
		allowed, bar = 3, "at most 3×"
	}
	compare := func(what, a, b string, factor float64, more string) {
		met := "kept"
		if factor*allowed < 1 {
			met = fmt.Sprintf("missed, by a factor of %.2g", 1/(factor*allowed))
		}
		fmt.Fprintf(w, "| – fastlin, %s | | | %s | %s | %.3g× | %s | %s%s |\n", what, a, b, factor, bar, met, more)
	}
	compare("checking only", mine.String(), figures(median(algorithm)),
		median(algorithm).Seconds()/median(mine.wall).Seconds(), "")
	if programs {
		compare("whole process", ourWhole.String(), whole.String(),
			median(whole.wall).Seconds()/median(ourWhole.wall).Seconds(),
			fmt.Sprintf("; %d MB, fastlin %d MB", our>>20, theirs>>20))
		if len(reasoned.wall) > 0 {
			fmt.Fprintf(w, "| – whole process, with reasons | | | %s | | | | |\n", reasoned.String())
		}
		return o.stream(w, q)
	}
	return "", nil
}

// stream measures the whole process on JSON Lines, with the whole witness printed.
func (o options) stream(w io.Writer, q question) (string, error) {
	if q.want != engine.Linearizable || len(q.h.Ops) < 1_000_000 {
		return "", nil
	}
	file, err := store(o.dir, "history.jsonl", func(f *os.File) error { return history.WriteJSONL(f, q.h) })
	if err != nil {
		return "", err
	}
	defer os.Remove(file)
	var wall []time.Duration
	var resident int64
	for range o.runs {
		p, err := execute(6*o.timeout, o.linsat, "solve", "--witness", "-1", file)
		if err != nil {
			return "", err
		}
		if wrong := agree([]question{q}, "the linsat program", []engine.Verdict{verdictOf(p)}, nil); wrong != "" {
			return wrong, nil
		}
		wall, resident = append(wall, p.wall), max(resident, p.resident)
	}
	met := "kept"
	if median(wall) >= 6*time.Second || resident >= 2e9 {
		met = "missed"
	}
	fmt.Fprintf(w, "| – %s in, witness out, whole process | %d | | %s, %d MB | | | under 6s and 2 GB | %s |\n",
		filepath.Ext(file), len(q.h.Ops), figures(median(wall)), resident>>20, met)
	return "", nil
}

// summary counts verdicts.
func summary(all []engine.Verdict) string {
	count := map[engine.Verdict]int{}
	for _, v := range all {
		count[v]++
	}
	if len(all) == 1 {
		return all[0].String()
	}
	text := fmt.Sprintf("%d yes, %d no", count[engine.Linearizable], count[engine.NotLinearizable])
	if n := count[engine.Unknown]; n > 0 {
		text += fmt.Sprintf(", %d unknown", n)
	}
	return text
}

// figures rounds to three figures.
func figures(d time.Duration) string {
	unit := time.Nanosecond
	for d >= 1000*unit {
		unit *= 10
	}
	return d.Round(unit).String()
}
