//go:build unix

// Command mutate breaks the code that decides and verifies in one place at a time, and reports the
// places that no test notices.
//
//	go -C bench run ./mutate [-places 110] [-seed 1] [-rows FILE] [-only encode] [-short] [-v]
//
// A place is a condition that is negated, a boundary (< for <=), an && that becomes ||, a sum that
// becomes a difference, a number that becomes one more, a statement or an early return that is left
// out. Places are drawn with the seed from the packages in the table below, each in proportion to
// its code. Left out by rule is what cannot change an answer: constants of policy.go and all that
// reads them; budgets, statistics and messages; capacities.
//
// All places are compiled into one program for each suite of tests, in which LINSAT_MUTANT chooses
// the broken one, so that nothing is compiled a second time. First the tests of the package and of
// those that lean on it run in short, and the comparison with the definition, then all in their
// usual size, then those that cross engines; each may use three times the processor time that it
// uses on sound code, so that a mutant that loops is noticed too. Rows are appended to the file as
// they come, and a run that was interrupted goes on where it ended. With -short only suites of less
// than a minute run, and none in its usual size that crosses engines; what they do not notice has
// no row: a later run looks at it again.
//
// Tests of what something costs are left out: they fail on a machine that does more.
//
// A survivor gets a test, or its line goes. If what is broken cannot change an answer, its key goes
// into equivalent.txt with the reason, and it is not drawn again. The program prints a table, and
// each survivor with what was broken; it exits with 1 if there are any.
package main

import (
	"bytes"
	"cmp"
	_ "embed"
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

const module = "github.com/linsat/linsat"

// suite is a run of tests of one package, as go test calls it.
type suite struct {
	pkg, run string
	short    bool
}

// near returns the tests of packages, first in short.
func near(pkgs ...string) (of []suite) {
	for _, short := range []bool{true, false} {
		for _, pkg := range pkgs {
			of = append(of, suite{pkg, "", short})
		}
	}
	return of
}

// across returns suites that cross engines.
func across(run string) suite { return suite{"internal/conformance", run, false} }

// definition compares every answer with brute force.
var definition = suite{"internal/conformance", "^TestEnginesAgreeWithTheDefinition$", true}

// formulas compares the verifier's clauses with the definition.
var formulas = suite{"internal/conformance", "ClausalFormulas|ValuesAmong", true}

// targets are the packages that are broken, each with the suites that look at it, from the nearest.
var targets = map[string][]suite{
	"internal/monitor": append(near("internal/monitor"), definition),
	"internal/verify": append(near("internal/verify", "internal/explain"), definition,
		across("Claims|Explain|Violations")),
	"internal/verify/base": append(near("internal/verify", "internal/quasi/verify"), definition,
		across("Claims|Explain|Violations")),
	"internal/txn":                append(near("internal/txn", "internal/monitor"), definition),
	"internal/verify/clausal":     append(near("internal/verify/clausal", "internal/verify"), formulas),
	"internal/quasi/verify":       append(near("internal/quasi/verify", "internal/quasi/explain"), across("Quasi")),
	"internal/proof":              append(near("internal/proof", "internal/verify", "internal/explain"), definition),
	"internal/isolation/verify":   near("internal/isolation/verify", "internal/isolation/solve"),
	"internal/consistency/check":  near("internal/consistency/check"),
	"internal/consistency/verify": near("internal/consistency/check"),
	"internal/stale/verify":       near("internal/stale/check"),
	"internal/crash":              near("internal/crash", "internal/consistency/check"),
	"internal/quasi/monitor":      append(near("internal/quasi/monitor"), across("Quasi")),
	"internal/quasi/sat":          append(near("internal/quasi/sat", "internal/quasi/explain"), across("Quasi")),
	"encode":                      append(near("encode"), definition),
	"internal/cnf": append(near("internal/cnf", "internal/quasi/sat", "encode"), definition,
		across("Quasi")),
	"internal/collections": append(near("internal/collections", "internal/search"), definition),
	"internal/pending":     append(near("internal/pending", "internal/wgl"), definition),
}

//go:embed equivalent.txt
var known string

// equivalent has the keys of places that may be broken, with the reasons.
var equivalent = parseEquivalent(known)

func parseEquivalent(text string) map[string]string {
	keys := map[string]string{}
	for line := range strings.Lines(text) {
		if key, reason, ok := strings.Cut(strings.TrimSpace(line), "\t"); ok {
			keys[key] = reason
		}
	}
	return keys
}

// row is what became of one place.
type row struct {
	Key, Package, File, Kind, Old, Broken string
	Line                                  int
	By                                    string // the test that noticed; "" if none did
	Seconds                               float64
}

// leftOut stands for the processor time of a suite that fails on sound code.
const leftOut = -1

// runner holds the compiled suites.
type runner struct {
	root, bin, overlay string
	usual              map[suite]time.Duration // processor time on sound code
	short, verbose     bool
}

func main() {
	n := flag.Int("places", 110, "how many places are broken")
	seed := flag.Uint64("seed", 1, "what the places are drawn with")
	rows := flag.String("rows", "", "the file of rows, which a later run goes on with")
	only := flag.String("only", "", "break these packages alone, separated by commas")
	short := flag.Bool("short", false, "run suites of less than a minute alone")
	list := flag.Bool("list", false, "print the places and end")
	verbose := flag.Bool("v", false, "print each place as it comes")
	flag.Parse()
	survivors, err := run(*n, *seed, *rows, *only, *short, *list, *verbose)
	if err != nil {
		fmt.Fprintln(os.Stderr, "mutate:", err)
		os.Exit(2)
	}
	if survivors > 0 {
		os.Exit(1)
	}
}

func run(n int, seed uint64, file, only string, short, list, verbose bool) (survivors int, err error) {
	root, err := filepath.Abs("..")
	if err != nil {
		return 0, err
	}
	dir, err := os.MkdirTemp("", "mutate")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(dir)
	sources, places, err := draw(root, n, seed, only)
	if err != nil {
		return 0, err
	}
	if list {
		for id := 1; id <= len(places); id++ {
			fmt.Println(places[id].describe())
		}
		return 0, nil
	}
	overlay, err := write(dir, sources, places)
	if err != nil {
		return 0, err
	}
	done, err := read(file)
	if err != nil {
		return 0, err
	}
	r := &runner{root, dir, overlay, map[suite]time.Duration{}, short, verbose}
	var all []row
	for id := 1; id <= len(places); id++ {
		p := places[id]
		w, ok := done[p.key()]
		if !ok {
			if w, err = r.judge(id, &p); err != nil {
				return 0, err
			}
			if !short || w.By != "" {
				if err := appendRow(file, w); err != nil {
					return 0, err
				}
			}
			if verbose {
				fmt.Printf("%s: %s (%.0f s)\n", p.describe(), cmp.Or(w.By, "SURVIVED"), w.Seconds)
			}
		}
		all = append(all, w)
	}
	return report(all), nil
}

// draw returns the sources and the places by number, from 1.
func draw(root string, n int, seed uint64, only string) ([]*source, map[int]place, error) {
	var paths []string
	for pkg := range targets {
		if only == "" || slices.Contains(strings.Split(only, ","), pkg) {
			paths = append(paths, "./"+pkg)
		}
	}
	slices.Sort(paths)
	sources, err := load(root, paths)
	if err != nil {
		return nil, nil, err
	}
	slices.SortFunc(sources, func(a, b *source) int { return cmp.Compare(a.ImportPath, b.ImportPath) })
	found, total := make([][]place, len(sources)), 0
	for i, s := range sources {
		if found[i], err = s.find(); err != nil {
			return nil, nil, err
		}
		total += len(found[i])
	}
	fmt.Fprintf(os.Stderr, "%d places of %d\n", n, total)
	places := map[int]place{}
	for i, s := range sources {
		share := (n*len(found[i]) + total/2) / total
		if len(sources) > 1 {
			share = max(share, n/(2*len(sources)))
		}
		rng := rand.New(rand.NewPCG(seed, uint64(len(s.ImportPath))))
		for _, p := range s.choose(found[i], share, rng) {
			places[len(places)+1] = p
		}
	}
	return sources, places, nil
}

// prepare makes the suite's program and runs it on sound code, unless both is done.
func (r *runner) prepare(u suite) error {
	if _, ok := r.usual[u]; ok {
		return nil
	}
	if _, err := os.Stat(r.program(u)); err != nil {
		c := exec.Command("go", "test", "-c", "-vet=off", "-overlay", r.overlay, "-o", r.program(u), "./"+u.pkg)
		c.Dir = r.root
		if out, err := c.CombinedOutput(); err != nil {
			return fmt.Errorf("%s: %v\n%s", u.pkg, err, out)
		}
	}
	most := 20 * time.Minute
	if r.short {
		most = time.Minute
	}
	by, used := r.test(0, u, most)
	if by != "" && (u.short || r.short) { // its tests want more than there is in short
		used = leftOut
	} else if by != "" {
		return fmt.Errorf("%s fails on sound code: %s", u.pkg, by)
	}
	r.usual[u] = used
	if r.verbose {
		fmt.Printf("%s %s (short: %v): %.1f s on sound code\n", u.pkg, u.run, u.short, used.Seconds())
	}
	return nil
}

func (r *runner) program(u suite) string {
	return filepath.Join(r.bin, strings.ReplaceAll(u.pkg, "/", "_")+".test")
}

var failed = regexp.MustCompile(`--- FAIL: (\w+)`)

// test runs a suite with one place broken, and returns what noticed it and the processor time.
func (r *runner) test(id int, u suite, most time.Duration) (by string, used time.Duration) {
	c := exec.Command("sh", "-c", `ulimit -t "$0" && ulimit -v 12000000 && exec "$@"`,
		fmt.Sprint(int(most.Seconds())+1), r.program(u), "-test.failfast", fmt.Sprintf("-test.short=%v", u.short), "-test.run", u.run,
		"-test.skip", "Costs", "-test.timeout", "20m")
	c.Dir = filepath.Join(r.root, u.pkg)
	c.Env = append(os.Environ(), fmt.Sprintf("LINSAT_MUTANT=%d", id))
	var out bytes.Buffer
	c.Stdout, c.Stderr = &out, &out
	err := c.Run()
	used = c.ProcessState.UserTime() + c.ProcessState.SystemTime()
	if err == nil {
		return "", used
	}
	what := "panic"
	switch m := failed.FindSubmatch(out.Bytes()); {
	case m != nil:
		what = string(m[1])
	case c.ProcessState.ExitCode() == -1:
		what = "the limit of time"
	case id == 0:
		what = out.String()
	}
	return u.pkg + " " + what, used
}

// judge runs the suites until one notices.
func (r *runner) judge(id int, p *place) (row, error) {
	w := row{Key: p.key(), Package: p.pkg, File: p.file, Kind: p.kind, Old: p.old, Broken: p.broken, Line: p.line}
	suites := slices.Clone(targets[p.pkg])
	slices.SortStableFunc(suites, func(a, b suite) int { // in short, most are noticed
		return cmp.Compare(strconv.FormatBool(b.short), strconv.FormatBool(a.short))
	})
	for _, u := range suites {
		if r.short && !u.short && u.pkg == definition.pkg {
			continue
		}
		if err := r.prepare(u); err != nil {
			return row{}, err
		}
		if r.usual[u] == leftOut {
			continue
		}
		by, used := r.test(id, u, 3*r.usual[u]+10*time.Second)
		w.Seconds += used.Seconds()
		if by != "" {
			w.By = by
			break
		}
	}
	return w, nil
}

func (p place) describe() string {
	return fmt.Sprintf("%s/%s:%d %s: %s", p.pkg, p.file, p.line, p.kind, oneLine(p.old))
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// read returns the rows of a file that an earlier run wrote.
func read(file string) (map[string]row, error) {
	done := map[string]row{}
	text, err := os.ReadFile(file)
	if file == "" || os.IsNotExist(err) {
		return done, nil
	} else if err != nil {
		return nil, err
	}
	for line := range bytes.Lines(text) {
		var w row
		if err := json.Unmarshal(line, &w); err != nil {
			return nil, fmt.Errorf("%s: %v", file, err)
		}
		done[w.Key] = w
	}
	return done, nil
}

func appendRow(file string, w row) error {
	if file == "" {
		return nil
	}
	f, err := os.OpenFile(file, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	defer f.Close()
	return json.NewEncoder(f).Encode(w)
}

// report prints the table and the survivors, and counts these.
func report(all []row) (survivors int) {
	type count struct{ places, near, crossing, survived int }
	counts, order := map[string]*count{}, []string{}
	for _, w := range all {
		c := counts[w.Package]
		if c == nil {
			c = &count{}
			counts[w.Package] = c
			order = append(order, w.Package)
		}
		c.places++
		switch {
		case w.By == "":
			c.survived++
		case strings.HasPrefix(w.By, "internal/conformance "):
			c.crossing++
		default:
			c.near++
		}
	}
	fmt.Println("| package | places | noticed by tests near it | by suites that cross engines | by none |")
	fmt.Println("|---|---|---|---|---|")
	for _, pkg := range order {
		c := counts[pkg]
		fmt.Printf("| %s | %d | %d | %d | %d |\n", pkg, c.places, c.near, c.crossing, c.survived)
		survivors += c.survived
	}
	for _, w := range all {
		if w.By == "" {
			fmt.Printf("\n%s/%s:%d: %s\n-\t%s\n+\t%s\n", w.Package, w.File, w.Line, w.Kind, oneLine(w.Old),
				oneLine(w.Broken))
		}
	}
	return survivors
}
