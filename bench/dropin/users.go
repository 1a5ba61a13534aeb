//go:build unix

package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"time"
)

// limits bound each process that decides one history, and say how often it is run.
type limits struct {
	timeout time.Duration // of the check
	memory  int64         // of the Go heap, in megabytes
	runs    int
	only    *regexp.Regexp // names of histories of users
}

// addressSpace is what a Go program reserves besides its heap, in megabytes.
const addressSpace = 2048

// decision is what one process said of one history.
type decision struct {
	verdict    string
	operations int
	seconds    float64
	processor  float64 // seconds of processors, 0 if not known
	resident   int64   // bytes at most
	certified  bool
}

func (d decision) decided() bool { return d.verdict == "Ok" || d.verdict == "Illegal" }

func (d decision) String() string {
	if d.decided() {
		return fmt.Sprintf("%.3f s", d.seconds)
	}
	return fmt.Sprintf("%s after %.1f s", d.verdict, d.seconds)
}

// decide runs a program that prints a verdict, the number of operations and the seconds of a check.
func (l limits) decide(program string, args ...string) (decision, error) {
	d, out, err := l.bounded(program, args...)
	if err != nil || d.verdict != "" {
		return d, err
	}
	if _, err := fmt.Sscan(out, &d.verdict, &d.operations, &d.seconds, &d.processor); err != nil {
		return d, fmt.Errorf("%s %s says %q", program, strings.Join(args, " "), out)
	}
	return d, nil
}

// bounded runs a program within the limits and returns what it printed, its time and its memory. A
// verdict says that it did not keep them. Exit code 1 is no error if it printed something.
func (l limits) bounded(program string, args ...string) (d decision, printed string, err error) {
	longest := 4*l.timeout + time.Minute
	ctx, stop := context.WithTimeout(context.Background(), longest)
	defer stop()
	c := exec.CommandContext(ctx, "sh", append([]string{"-c", `ulimit -v "$1" && shift && exec "$@"`, "sh",
		fmt.Sprint((l.memory + addressSpace) << 10), program}, args...)...)
	c.Env = append(os.Environ(), fmt.Sprintf("GOMEMLIMIT=%dMiB", l.memory))
	var out, errs bytes.Buffer
	c.Stdout, c.Stderr = &out, &errs
	start := time.Now()
	err = c.Run()
	d.seconds = time.Since(start).Seconds()
	if c.ProcessState == nil { // it did not start
		return d, "", err
	}
	if usage, ok := c.ProcessState.SysUsage().(*syscall.Rusage); ok {
		d.resident = int64(usage.Maxrss) << 10
	}
	switch {
	case ctx.Err() != nil:
		d.verdict, err = "no end", nil
	case err != nil && strings.Contains(errs.String(), "out of memory"):
		d.verdict, err = "out of memory", nil
	case err != nil && c.ProcessState.ExitCode() == 1 && out.Len() > 0:
		err = nil
	case err != nil:
		err = fmt.Errorf("%s %s: %w\n%s", program, strings.Join(args, " "), err, tail(errs.Bytes()))
	}
	return d, out.String(), err
}

// typical is the median of several runs, with the largest memory among them.
func typical(all []decision) decision {
	slices.SortFunc(all, func(a, b decision) int {
		return cmp.Or(cmp.Compare(a.processor, b.processor), cmp.Compare(a.seconds, b.seconds))
	})
	d := all[len(all)/2]
	for _, o := range all {
		d.resident = max(d.resident, o.resident)
	}
	return d
}

// turns runs two programs by turns on the same history; one without an answer is not run again.
func (l limits) turns(programs [2]string, args ...string) (both [2]decision, err error) {
	var all [2][]decision
	for range l.runs {
		for i, p := range programs {
			if n := len(all[i]); n > 0 && !all[i][n-1].decided() {
				continue
			}
			d, err := l.decide(p, args...)
			if err != nil {
				return both, err
			}
			all[i] = append(all[i], d)
		}
	}
	return [2]decision{typical(all[0]), typical(all[1])}, nil
}

// compareUsers builds the program of bench/peers that uses Porcupine, as it is and changed,
// and prints a row for each of its histories. It returns on how many the verdicts differ.
//
// Of the usual ones, those of which all operations returned, or some have an invented return, the
// drop-in is held to bars in processor time, where Porcupine has an answer. Those that miss are
// counted, and no error.
func compareUsers(w io.Writer, root, dir string, l limits) (differ int, err error) {
	var programs [2]string
	for i, name := range []string{"as-it-is", "changed"} {
		to := filepath.Join(dir, name)
		if err := prepareUsers(root, to, i == 1); err != nil {
			return 0, err
		}
		programs[i] = filepath.Join(to, "users.bin")
		if out, err := command(to, "go", "build", "-mod=mod", "-o", programs[i], ".").CombinedOutput(); err != nil {
			return 0, fmt.Errorf("%s: go build: %w\n%s", to, err, tail(out))
		}
	}
	names, err := command(dir, programs[0], "-list").Output()
	if err != nil {
		return 0, err
	}
	fmt.Fprintf(w, "Medians of %d runs; at most %v and %d MB\n\n", l.runs, l.timeout, l.memory)
	fmt.Fprintf(w,
		"| history | operations | verdict | Porcupine | linsat | processor time, Porcupine | linsat | factor | "+
			"Porcupine, MB | linsat, MB |\n|---|--:|---|--:|--:|--:|--:|--:|--:|--:|\n")
	var kept tally
	for name := range strings.Lines(string(names)) {
		name = strings.TrimSpace(name)
		if !l.only.MatchString(name) {
			continue
		}
		both, err := l.turns(programs, "-history", name, "-timeout", l.timeout.String())
		if err != nil {
			return differ, err
		}
		if !row(w, name, both) {
			differ++
		}
		kept.add(name, both)
	}
	kept.print(w)
	return differ, nil
}

// The bars for the usual histories: how much longer than Porcupine the drop-in may take. One that
// takes less than measurable more is not over it.
const (
	barEasy    = 1.0
	barUnknown = 2.0
	measurable = 0.0002 // seconds
)

// tally counts how the usual histories went.
type tally struct {
	kept, all           map[string]int // by kind
	missed              []string
	neither, mine, peer int // who has an answer where not both have
}

func (t *tally) add(name string, both [2]decision) {
	bar := barEasy
	kind := name[strings.LastIndex(name, ", ")+2:]
	switch kind {
	case "easy":
	case "invented returns":
		bar = barUnknown
	default:
		return
	}
	switch peer, mine := both[0], both[1]; {
	case !peer.decided() && !mine.decided():
		t.neither++
	case !peer.decided():
		t.mine++
	case !mine.decided():
		t.peer++
		t.missed = append(t.missed, name+": no answer")
	default:
		if t.all == nil {
			t.all, t.kept = map[string]int{}, map[string]int{}
		}
		t.all[kind]++
		if mine.processor <= bar*peer.processor+measurable {
			t.kept[kind]++
		} else {
			t.missed = append(t.missed, fmt.Sprintf("%s: %.1f×", name, mine.processor/peer.processor))
		}
	}
}

func (t *tally) print(w io.Writer) {
	fmt.Fprintln(w)
	for _, kind := range slices.Sorted(maps.Keys(t.all)) {
		fmt.Fprintf(w, "%s: %d of %d within the bar\n", kind, t.kept[kind], t.all[kind])
	}
	if t.all != nil {
		fmt.Fprintf(w, "answered by linsat alone %d, by Porcupine alone %d, by neither %d\n", t.mine, t.peer, t.neither)
	}
	for _, m := range t.missed {
		fmt.Fprintf(w, "missed: %s\n", m)
	}
	fmt.Fprintln(w)
}

// different is what agreed says of verdicts that contradict each other.
const different = "DIFFERENT"

// agreed is the verdict that all who decided agree on.
func agreed(all ...decision) string {
	verdict := "no answer"
	for _, d := range all {
		switch {
		case !d.decided() || d.verdict == verdict:
		case verdict == "no answer":
			verdict = d.verdict
		default:
			return different + ": " + verdict + ", " + d.verdict
		}
	}
	return verdict
}

// row prints what Porcupine and linsat said, and reports whether they do not contradict each other.
func row(w io.Writer, name string, both [2]decision) (agree bool) {
	verdict := agreed(both[:]...)
	factor := ""
	if both[0].decided() && both[1].decided() && both[0].processor > 0 {
		factor = fmt.Sprintf("%.2f", both[1].processor/both[0].processor)
	}
	fmt.Fprintf(w, "| %s | %d | %s | %v | %v | %.4f s | %.4f s | %s | %d | %d |\n", name,
		max(both[0].operations, both[1].operations), verdict, both[0], both[1],
		both[0].processor, both[1].processor, factor, both[0].resident>>20, both[1].resident>>20)
	return !strings.HasPrefix(verdict, different)
}

// prepareUsers copies the program into a module of its own.
func prepareUsers(root, dir string, changed bool) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	files, err := filepath.Glob(filepath.Join(root, "bench", "peers", "users", "*.go"))
	if err != nil {
		return err
	}
	if len(files) == 0 {
		return errors.New("bench/peers/users has no files")
	}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		program := string(text)
		if changed {
			program = strings.ReplaceAll(program, `"`+peer+`"`, `"`+ours+`"`)
		}
		if err := os.WriteFile(filepath.Join(dir, filepath.Base(file)), []byte(program), 0o644); err != nil {
			return err
		}
	}
	sums, err := os.ReadFile(filepath.Join(root, "bench", "go.sum"))
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(dir, "go.sum"), sums, 0o644); err != nil {
		return err
	}
	mod := "module users\n\ngo 1.25.0\n"
	if changed {
		mod += replacements(root)
	} else {
		mod += "\nrequire " + strings.ReplaceAll(peerModule, "@", " ") + "\n"
	}
	return os.WriteFile(filepath.Join(dir, "go.mod"), []byte(mod), 0o644)
}
