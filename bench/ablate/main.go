//go:build unix

// Command ablate measures what each technique is worth: it decides generated histories as they are
// and with one technique left out (LINSAT_WITHOUT), and prints what is lost as a Markdown table.
//
//	go build -o linsat ./cmd/linsat
//	go -C bench run ./ablate -linsat ../linsat [-count 1000] [-seed 1] [-timeout 4s] [-all]
//		[-specs queue,stack] [-techniques few,layers] [-sizes 300,3000] [files and folders]
//
// Cells are drawn from every specification × sizes × 4, 16 and 64 processes × few and distinct
// values × pending operations × injected violations; files and folders are decided besides. Left
// out are, of each history, the technique that decided it and those that only prepare; with -all,
// every technique that decided anything. Times are the processor time of whole processes, so that
// other work on the machine matters little.
//
// A row says how many histories the technique decided, and of how many it was left out; how many of
// these are unknown without it, or take at least twice as long and 50 ms more; how many take half
// as long; the sums of the times; and the smallest history that is lost or slower without it. A
// verdict that differs is an error: the program prints it and exits with 1.
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
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// prepares are the techniques that decide nothing themselves.
var prepares = []string{"held-values", "turns", "onward"}

// specs are those that gen knows, and whether it lets one choose the number of values.
var specs = strings.Split("register,cas-register,multi-register,kv,set,queue,bounded-queue,unordered-queue,stack,deque,priority-queue,counter,mutex,owned-mutex,reentrant-mutex,fenced-mutex,rwmutex,semaphore,log,bank,etcd", ",")

// answer is what one run said.
type answer struct {
	verdict, by string
	cpu         time.Duration
	operations  int
}

// lost reports whether the answer without a technique is worse than the one with it.
func (without answer) lost(with answer) bool {
	if without.verdict == "unknown" {
		return with.verdict != "unknown"
	}
	return without.cpu > 2*with.cpu+50*time.Millisecond
}

// tally is a row of the table.
type tally struct {
	decided, tried, unknown, slower, faster int
	with, without                           time.Duration
	smallest                                string
	size                                    int
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
	if without.verdict == "unknown" {
		t.unknown++
	} else {
		t.slower++
	}
	if t.smallest == "" || with.operations < t.size {
		t.smallest, t.size = history, with.operations
	}
}

// judge runs the command.
type judge struct {
	command, timeout string
}

// decide asks for the verdict on a file, with a technique left out unless it is "".
func (j judge) decide(file, without string) (answer, error) {
	c := exec.Command(j.command, "solve", "--core", "none", "--format", "json", "--timeout", j.timeout, file)
	c.Env = append(os.Environ(), "LINSAT_WITHOUT="+without)
	var errs bytes.Buffer
	c.Stderr = &errs
	out, _ := c.Output() // the exit code is the verdict
	var said struct {
		Verdict    string
		DecidedBy  []string `json:"decided_by"`
		Operations int
	}
	if err := json.Unmarshal(out, &said); err != nil {
		return answer{}, fmt.Errorf("%s: %v: %s", file, err, errs.String())
	}
	a := answer{verdict: said.Verdict, operations: said.Operations, cpu: c.ProcessState.UserTime() + c.ProcessState.SystemTime()}
	if len(said.DecidedBy) > 0 {
		_, a.by, _ = strings.Cut(said.DecidedBy[0], "/")
	}
	return a, nil
}

// cell draws the arguments of gen.
func cell(rng *rand.Rand, names []string, sizes []string) []string {
	one := func(of ...string) string { return of[rng.IntN(len(of))] }
	args := []string{"gen", one(names...), "--operations", one(sizes...), "--processes", one("4", "16", "64"), "--values", one("0", "3", "6", "40"),
		"--pending", one("0", "0", "0.01", "0.05"), "--seed", strconv.Itoa(1 + rng.IntN(10))}
	if v := one("", "", "swap", "stale", "lost", "duplicate"); v != "" {
		args = append(args, "--violation", v)
	}
	return args
}

func main() {
	command := flag.String("linsat", "./linsat", "the program to measure")
	count := flag.Int("count", 200, "how many cells to draw")
	seed := flag.Uint64("seed", 1, "of the drawing")
	timeout := flag.String("timeout", "4s", "of each run")
	all := flag.Bool("all", false, "leave out every technique that decided anything, in turn, of each history")
	only := flag.String("techniques", "", "the techniques to leave out, with commas between; as described by default")
	of := flag.String("specs", strings.Join(specs, ","), "")
	sizes := flag.String("sizes", "300,2000,10000", "numbers of operations")
	flag.Parse()
	if err := run(judge{*command, *timeout}, *count, *seed, *all, *only, strings.Split(*of, ","), strings.Split(*sizes, ","), flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "ablate:", err)
		os.Exit(1)
	}
}

func run(j judge, count int, seed uint64, all bool, only string, names, sizes, files []string) error {
	folder, err := os.MkdirTemp("", "ablate")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	rows := map[string]*tally{}
	one := func(file, history string) error {
		with, err := j.decide(file, "")
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
			without, err := j.decide(file, name)
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
		}
		return nil
	}
	rng := rand.New(rand.NewPCG(seed, 0))
	for drawn := 0; drawn < count; {
		args := cell(rng, names, sizes)
		file := filepath.Join(folder, "h.json")
		if exec.Command(j.command, append(args, "-o", file)...).Run() != nil {
			continue // no place for the violation, or no such choice
		}
		drawn++
		if err := one(file, strings.Join(args, " ")); err != nil {
			return err
		}
	}
	for _, root := range files {
		err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			if err := one(path, path); err != nil {
				fmt.Fprintln(os.Stderr, "ablate: left out:", err)
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	fmt.Println("| technique | decided | tried | unknown without it | slower | faster | processor time | smallest |\n|---|--:|--:|--:|--:|--:|--:|---|")
	names = names[:0:0]
	for name := range rows {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		t := rows[name]
		fmt.Printf("| %s | %d | %d | %d | %d | %d | %.1f → %.1f s | %s |\n", name, t.decided, t.tried, t.unknown, t.slower, t.faster, t.with.Seconds(), t.without.Seconds(), t.smallest)
	}
	return nil
}
