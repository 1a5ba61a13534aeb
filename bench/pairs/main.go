//go:build unix

// Command pairs runs two builds of linsat on the histories of docs/performance.md, and prints what
// each takes and the ratio, as a Markdown table: whether a change made anything slower.
//
//	go build -o /tmp/before ./cmd/linsat   # at the commit to compare with
//	go build -o /tmp/after ./cmd/linsat
//	go -C bench run ./pairs -before /tmp/before -after /tmp/after \
//		[-runs 5] [-only stack] [-corpora dir]
//
// A line is a whole process, `linsat solve` as users run it, or with --core none, on a history that
// the second build generates or on recorded ones. The two take turns, and the other one begins each
// time, so that a busy machine disturbs both alike. Times are processor time, user and system:
// medians, and the median of the ratios of neighbours. With a limit of time, "> " marks what was
// not decided. The command fails if the two give different verdicts.
package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"time"
)

type settings struct {
	before, after string // the programs
	corpora       string
	runs          int
	only          *regexp.Regexp
	timeout       time.Duration
	slower        float64
}

func main() {
	var s settings
	flag.StringVar(&s.before, "before", "", "the `program` that is compared with")
	flag.StringVar(&s.after, "after", "", "the `program` that may be slower; it also generates the histories")
	flag.StringVar(&s.corpora, "corpora", os.Getenv("LINSAT_CORPORA"),
		"folder of recorded histories; none are run without it")
	flag.IntVar(&s.runs, "runs", 5, "runs of each program on each line")
	only := flag.String("only", "", "run the lines whose names this expression matches")
	flag.DurationVar(&s.timeout, "timeout", 20*time.Second, "time limit of each check")
	flag.Float64Var(&s.slower, "slower", 1.1, "after / before from which on a line is marked")
	flag.Parse()
	var err error
	if s.only, err = regexp.Compile(*only); err == nil {
		err = s.print(os.Stdout)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "pairs:", err)
		os.Exit(1)
	}
}

// print runs all lines and prints them.
func (s *settings) print(w io.Writer) error {
	if s.before == "" || s.after == "" || s.runs < 1 {
		return errors.New("two programs are needed, -before and -after, and at least one run")
	}
	dir, err := os.MkdirTemp("", "pairs")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	fmt.Fprintf(w, "Whole processes, user and system time, medians of %d runs in turn; at most %v each.\n\n",
		s.runs, s.timeout)
	fmt.Fprintf(w,
		"| history | verdict | before | after | after / before | least, most | |\n|---|---|--:|--:|--:|---|---|\n")
	var all []float64
	var differ []string
	for _, l := range append(generated(), recorded()...) {
		if !s.only.MatchString(l.name) || l.glob != nil && s.corpora == "" {
			continue
		}
		files, err := s.files(&l, dir)
		if err != nil {
			return fmt.Errorf("%s: %w", l.name, err)
		}
		p, err := s.measure(&l, files)
		if err != nil {
			return fmt.Errorf("%s: %w", l.name, err)
		}
		p.print(w, l.name, s.slower)
		if p.differ() {
			differ = append(differ, l.name)
		}
		if !p.before.undecided() && !p.after.undecided() {
			all = append(all, p.ratio())
		}
		if l.gen != nil {
			if err := os.Remove(files[0]); err != nil {
				return err
			}
		}
	}
	if len(all) > 0 {
		slow := 0
		for _, r := range all {
			if r >= s.slower {
				slow++
			}
		}
		fmt.Fprintf(w, "\n%d lines that both decide: median ratio %.2f, %d of at least %.3g.\n", len(all), median(all),
			slow, s.slower)
	}
	if len(differ) > 0 {
		return fmt.Errorf("different verdicts: %s", strings.Join(differ, "; "))
	}
	return nil
}

// files are those that a line solves.
func (s *settings) files(l *line, dir string) ([]string, error) {
	if l.gen != nil {
		file := filepath.Join(dir, "history.jsonl")
		out, err := exec.Command(s.after, append(append([]string{"gen"}, l.gen...), "--to", "jsonl", "-o",
			file)...).CombinedOutput()
		if err != nil {
			return nil, fmt.Errorf("gen: %w: %s", err, bytes.TrimSpace(out))
		}
		return []string{file}, nil
	}
	var files []string
	for _, g := range l.glob {
		found, err := filepath.Glob(filepath.Join(s.corpora, g))
		if err != nil {
			return nil, err
		}
		for _, f := range found {
			if info, err := os.Stat(f); err != nil {
				return nil, err
			} else if info.Size() > 0 { // one log of etcd is empty
				files = append(files, f)
			}
		}
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("no recordings in %s", s.corpora)
	}
	return files, nil
}

// side is what one of the programs did.
type side struct {
	took []time.Duration
	code int
}

func (s *side) undecided() bool { return s.code == codeUnknown }

func (s *side) String() string {
	t := median(s.took)
	text := t.Round(max(time.Microsecond, t/1000)).String()
	if s.undecided() {
		return "> " + text
	}
	return text
}

// pair is a line that was run by both.
type pair struct {
	before, after side
	ratios        []float64 // of neighbours
}

func (p *pair) ratio() float64 { return median(p.ratios) }

// differ reports whether the programs contradict each other; one that does not decide does not.
func (p *pair) differ() bool {
	return p.before.code != p.after.code && !p.before.undecided() && !p.after.undecided()
}

func (p *pair) print(w io.Writer, name string, slower float64) {
	verdict, remark := verdicts[p.after.code], ""
	switch {
	case p.differ():
		remark = "different verdicts: " + verdicts[p.before.code] + " before"
	case p.before.undecided() && !p.after.undecided():
		remark = "decided now"
	case p.after.undecided() && !p.before.undecided():
		remark = "not decided any more"
	case p.ratio() >= slower:
		remark = "slower"
	}
	fmt.Fprintf(w, "| %s | %s | %s | %s | %.2f | %.2f, %.2f | %s |\n", name, verdict, p.before.String(),
		p.after.String(), p.ratio(), slices.Min(p.ratios), slices.Max(p.ratios), remark)
}

// Exit codes of `linsat solve`; with several files, of the most serious answer.
const (
	codeUnknown = 3
	codeKilled  = -1
)

var verdicts = map[int]string{0: "linearizable", 1: "not linearizable", 2: "bad input", codeUnknown: "unknown",
	4: "engines disagree"}

// measure runs both programs in turn.
func (s *settings) measure(l *line, files []string) (*pair, error) {
	args := slices.Concat([]string{"solve", "--timeout", s.timeout.String()}, l.solve, files)
	var p pair
	for k := range s.runs {
		turn := []*side{&p.before, &p.after}
		if k%2 == 1 {
			slices.Reverse(turn)
		}
		for _, x := range turn {
			program := s.before
			if x == &p.after {
				program = s.after
			}
			took, code, err := s.run(program, args)
			if err != nil {
				return nil, err
			}
			if k > 0 && code != x.code && code != codeUnknown && x.code != codeUnknown {
				return nil, fmt.Errorf("%s says %q once and %q another time", program, verdicts[x.code], verdicts[code])
			}
			if k == 0 || code == codeUnknown {
				x.code = code
			}
			x.took = append(x.took, took)
		}
		p.ratios = append(p.ratios, p.after.took[k].Seconds()/p.before.took[k].Seconds())
	}
	return &p, nil
}

// patience is how many times its limit a program may take before it is ended: it reads first, and
// may be given several files.
const patience = 20

// run runs a program once.
func (s *settings) run(program string, args []string) (took time.Duration, code int, err error) {
	ctx, stop := context.WithTimeout(context.Background(), patience*s.timeout)
	defer stop()
	c := exec.CommandContext(ctx, program, args...)
	var says bytes.Buffer
	c.Stderr = &says
	err = c.Run()
	if c.ProcessState == nil {
		return 0, 0, err
	}
	if code = c.ProcessState.ExitCode(); code == codeKilled {
		return 0, 0, fmt.Errorf("%s: %w", program, cmp.Or(context.Cause(ctx), err))
	}
	if code == 2 {
		return 0, 0, fmt.Errorf("%s: %s", program, bytes.TrimSpace(says.Bytes()))
	}
	u := c.ProcessState.SysUsage().(*syscall.Rusage)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano()), code, nil
}

func median[T cmp.Ordered](all []T) T {
	sorted := slices.Sorted(slices.Values(all))
	return sorted[len(sorted)/2]
}
