//go:build unix

// Command ablate measures what each technique is worth: it decides generated histories as they are
// and with one technique left out (LINSAT_WITHOUT), and prints what is lost as a Markdown table.
//
//	go build -o linsat ./cmd/linsat
//	go -C bench run ./ablate -linsat ../linsat [-count 1000] [-seed 1] [-cpu 4] [-all] [-core any]
//		[-specs queue,stack] [-techniques few,jumps+as-seen] [-sizes 300,3000] [-processes 4,16]
//		[-values 0,6] [-pending 0,0.01] [-violations none,stale] [-relax 8] [-quasi 1,2]
//		[-v] [files and folders]
//
// Cells are drawn from every specification × sizes × 4, 16 and 64 processes × few and distinct
// values × pending operations × injected violations × places that removals move by × factors; files
// and folders are decided besides, under the first factor. Left out are, of each history, the
// technique that decided it and those that only prepare; with -all, every technique that decided
// anything; those with + between them are left out together. Times are the processor time of whole
// processes, and so is the limit (-cpu), so that other work on the machine matters little.
//
// A row says how many histories the technique decided, and of how many it was left out; how many of
// these are unknown without it, or are uncertified (with -core any), or take at least twice as long
// and 50 ms more; how many take half as long; the sums of the times; and the smallest history that
// is lost or slower without it. A verdict that differs is an error: the program prints it and exits
// with 1.
package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// prepares are the techniques that decide nothing themselves.
var prepares = []string{"insertion-order", "onward"}

// specs are those that gen knows, and whether it lets one choose the number of values.
var specs = strings.Split(
	"register,cas-register,multi-register,kv,set,queue,bounded-queue,unordered-queue,stack,deque,priority-queue,counter,mutex,owned-mutex,reentrant-mutex,fenced-mutex,rwmutex,semaphore,log,bank,etcd,unique-ids", ",")

// answer is what one run said.
type answer struct {
	verdict, by string
	certified   bool
	cpu         time.Duration
	operations  int
}

// lost reports whether the answer without a technique is worse than the one with it.
func (without answer) lost(with answer) bool {
	if without.verdict == "unknown" {
		return with.verdict != "unknown"
	}
	return with.certified && !without.certified || without.cpu > 2*with.cpu+50*time.Millisecond
}

// tally is a row of the table.
type tally struct {
	decided, tried, unknown, uncertified, slower, faster int
	with, without                                        time.Duration
	smallest                                             string
	size                                                 int
}

func (t *tally) add(with, without answer, history string) {
	t.tried++
	t.with += with.cpu
	t.without += without.cpu
	if with.cpu > 2*without.cpu+50*time.Millisecond && without.verdict != "unknown" {
		t.faster++
	}
	if !without.lost(with) {
		return
	}
	switch {
	case without.verdict == "unknown":
		t.unknown++
	case with.certified && !without.certified:
		t.uncertified++
	default:
		t.slower++
	}
	if t.smallest == "" || with.operations < t.size {
		t.smallest, t.size = history, with.operations
	}
}

// judge runs the command.
type judge struct {
	command, cpu, core string
	verbose            bool
}

// decide asks for the verdict on a file under a factor, with a technique left out unless it is "".
func (j judge) decide(file, factor, without string) (answer, error) {
	c := exec.Command("sh", "-c", `ulimit -t "$0" && exec "$@"`, j.cpu, j.command, "solve", "--core", j.core,
		"--format", "json", "--timeout", "10m", file)
	if factor != "none" {
		c.Args = append(c.Args, "--quasi", factor)
	}
	c.Env = append(os.Environ(), "LINSAT_WITHOUT="+strings.ReplaceAll(without, "+", ","))
	var errs bytes.Buffer
	c.Stderr = &errs
	out, _ := c.Output() // the exit code is the verdict
	var said struct {
		Verdict    string
		DecidedBy  []string `json:"decided_by"`
		Operations int
		Certified  bool
	}
	if c.ProcessState.ExitCode() == -1 { // ended at the limit
		said.Verdict = "unknown"
	} else if err := json.Unmarshal(out, &said); err != nil {
		return answer{}, fmt.Errorf("%s: %v: %s", file, err, errs.String())
	}
	a := answer{verdict: said.Verdict, operations: said.Operations, certified: said.Certified,
		cpu: c.ProcessState.UserTime() + c.ProcessState.SystemTime()}
	if len(said.DecidedBy) > 0 {
		if a.by = path.Base(said.DecidedBy[0]); a.by == "search" || a.by == "monitor" {
			a.by = "" // neither can be left out as a whole
		}
		a.by, _, _ = strings.Cut(a.by, " ") // the solver
	}
	return a, nil
}

// drawing holds what a cell is drawn from.
type drawing struct {
	specs, sizes, processes, values, pending, violations, relax, factors []string
}

// cell draws the arguments of gen, and a factor.
func (d *drawing) cell(rng *rand.Rand) (args []string, factor string) {
	one := func(of []string) string { return of[rng.IntN(len(of))] }
	args = []string{"gen", one(d.specs), "--operations", one(d.sizes), "--processes", one(d.processes),
		"--values", one(d.values),
		"--pending", one(d.pending), "--seed", strconv.Itoa(1 + rng.IntN(10))}
	if v := one(d.violations); v != "none" {
		args = append(args, "--violation", v)
	}
	if moves := one(d.relax); moves != "0" {
		args = append(args, "--relax", moves)
	}
	return args, one(d.factors)
}

func main() {
	command := flag.String("linsat", "./linsat", "the program to measure")
	count := flag.Int("count", 200, "how many cells to draw")
	seed := flag.Uint64("seed", 1, "of the drawing")
	cpu := flag.String("cpu", "4", "seconds of processor time for each run")
	all := flag.Bool("all", false, "leave out every technique that decided anything, in turn, of each history")
	only := flag.String("techniques", "", "the techniques to leave out, with commas between; as described by default")
	core := flag.String("core", "none", "as of solve: with any, violations are certified")
	verbose := flag.Bool("v", false, "print each history that is lost, slower or faster without a technique")
	var d drawing
	d.flag(&d.specs, "specs", strings.Join(specs, ","))
	d.flag(&d.sizes, "sizes", "300,2000,10000")
	d.flag(&d.processes, "processes", "4,16,64")
	d.flag(&d.values, "values", "0,3,6,40")
	d.flag(&d.pending, "pending", "0,0,0.01,0.05")
	d.flag(&d.violations, "violations", "none,none,swap,stale,lost,duplicate")
	d.flag(&d.relax, "relax", "0")
	d.flag(&d.factors, "quasi", "none")
	flag.Parse()
	if err := run(judge{*command, *cpu, *core, *verbose}, *count, *seed, *all, *only, &d, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "ablate:", err)
		os.Exit(1)
	}
}

// flag defines a flag whose values have commas between them.
func (d *drawing) flag(to *[]string, name, value string) {
	*to = strings.Split(value, ",")
	flag.Func(name, "what cells are drawn from (default "+value+")", func(s string) error {
		*to = strings.Split(s, ",")
		return nil
	})
}

func run(j judge, count int, seed uint64, all bool, only string, d *drawing, files []string) error {
	folder, err := os.MkdirTemp("", "ablate")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	rows := map[string]*tally{}
	one := func(file, factor, history string) error {
		with, err := j.decide(file, factor, "")
		if err != nil {
			return err
		}
		if with.by != "" && rows[with.by] == nil {
			rows[with.by] = new(tally)
		}
		if with.by != "" {
			rows[with.by].decided++
		}
		left := append([]string{with.by}, prepares...)
		switch {
		case only != "":
			left = strings.Split(only, ",")
		case all:
			for name := range rows {
				left = append(left, name)
			}
		}
		slices.Sort(left)
		for _, name := range slices.Compact(left) {
			if name == "" {
				continue
			}
			without, err := j.decide(file, factor, name)
			switch {
			case err != nil:
				return err
			case with.verdict != "unknown" && without.verdict != "unknown" && with.verdict != without.verdict:
				return fmt.Errorf("%s: %s, but without %s %s", history, with.verdict, name, without.verdict)
			}
			if rows[name] == nil {
				rows[name] = new(tally)
			}
			rows[name].add(with, without, history)
			if j.verbose && (without.lost(with) || with.cpu > 2*without.cpu+50*time.Millisecond) {
				fmt.Fprintf(os.Stderr, "%s: %s by %s, %v; without %s %s by %s, %v\n", history, with.verdict, with.by,
					with.cpu, name, without.verdict, without.by, without.cpu)
			}
		}
		return nil
	}
	rng := rand.New(rand.NewPCG(seed, 0))
	for drawn := 0; drawn < count; {
		args, factor := d.cell(rng)
		file := filepath.Join(folder, "h.json")
		if exec.Command(j.command, append(args, "-o", file)...).Run() != nil {
			continue // no place for the violation, or no such choice
		}
		drawn++
		history := strings.Join(args, " ")
		if factor != "none" {
			history += ", asked --quasi " + factor
		}
		if err := one(file, factor, history); err != nil {
			return err
		}
	}
	for _, root := range files {
		err := filepath.WalkDir(root, func(file string, f fs.DirEntry, err error) error {
			if err != nil || f.IsDir() {
				return err
			}
			if err := one(file, d.factors[0], file); err != nil {
				fmt.Fprintln(os.Stderr, "ablate: left out:", err)
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	fmt.Println(
		"| technique | decided | tried | unknown without it | uncertified | slower | faster | processor time | " +
			"smallest |\n|---|--:|--:|--:|--:|--:|--:|--:|---|")
	var names []string
	for name := range rows {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		t := rows[name]
		fmt.Printf("| %s | %d | %d | %d | %d | %d | %d | %.1f → %.1f s | %s |\n", name, t.decided, t.tried, t.unknown,
			t.uncertified, t.slower, t.faster, t.with.Seconds(), t.without.Seconds(), t.smallest)
	}
	return nil
}
