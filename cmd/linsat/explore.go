package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/linsat/linsat/explore"
	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/cli"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/papers/catalogue"
	"github.com/linsat/linsat/internal/papers/lineup"
	"github.com/linsat/linsat/internal/papers/localize"
	"github.com/linsat/linsat/internal/papers/objects"
	"github.com/linsat/linsat/internal/papers/objects/cds"
	"github.com/linsat/linsat/internal/papers/roundup"
	"github.com/linsat/linsat/internal/picture"
	"github.com/linsat/linsat/internal/schedule"
	"github.com/linsat/linsat/internal/specs"
	"github.com/linsat/linsat/internal/words"
	"github.com/linsat/linsat/quasi"
	"github.com/spf13/cobra"
)

// replayHint says what a schedule is.
const replayHint = "--replay takes a schedule as explore prints it: a digit for each step, the number of the thread that takes it (a is 10, b is 11, and so on)"

// explorer holds the flags of explore.
type explorer struct {
	test        string
	strategy    string
	preemptions int
	inside      bool
	depth       int
	runs        int
	seed        uint64
	quasi       string
	meaning     string
	blocking    bool
	all         bool
	maxSteps    int
	opSteps     int
	maxRuns     int
	setUps      int
	timeout     time.Duration
	replay      string
	save        string
	observed    string
	localize    bool
	html        string
	width       int
	inject      bool
	weaken      bool
	relax       string
	mode        string

	random, roundup, golden string
	count, auto             int
	sequences               []string
	before, after           string
	shrink, table, compare  bool
	nondeterministic        bool
	sequential              bool
	format                  string

	screen   cli.Screen
	given    func(flag string) bool
	out, err io.Writer
	say      io.Writer // out, or nowhere if out gets JSON
}

const strategies = "dpor, exhaustive, bounded, serial, pct or random"

func exploreCommand() *cobra.Command {
	x := &explorer{}
	c := &cobra.Command{
		Use:   "explore [OBJECT]",
		Short: "run a shipped concurrent object under every schedule and check its histories",
		Long: `Without an argument: lists the concurrent objects that are shipped with linsat, correct and faulty.

With the name of an object: runs its test under the schedules of the strategy, checks every distinct history, and shows the
first violation: its schedule, the accesses with their lines of code, the history and why it is not linearizable. Objects
without a specification are checked as Line-Up does, against their serial behaviour. docs/explore.md describes how to put
your own objects under the explorer, in go test.

Objects of the group cds have memory orders. They run in every execution that the memory model RC11 allows, and are checked
against their specification with ordering points (docs/relaxed.md); --replay takes the number of an execution or its steps.

With --random or --auto, tests are made of the object's operations and checked as Line-Up does; with --roundup, those of a dimension
as Round-Up does. --localize shows which races decide, and what to make atomic (FGVT). --table makes rows of these papers' tables.

Exit code: 0 no violation (or a table), 1 a violation, 2 bad usage, 3 unknown (a limit was reached).`,
		Example: `  linsat explore
  linsat explore pairsnapshot --localize
  linsat explore concurrentqueue-b --random 3x3 --shrink
  linsat explore quasiqueue --roundup 4*4+0 --quasi 2
  linsat explore snark --test 'popRight | pushRight(2) popLeft' --strategy bounded --preemptions 1
  linsat explore pairsnapshot --replay 0100011 --save h.json`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			x.out, x.err, x.screen = c.OutOrStdout(), c.ErrOrStderr(), cli.ScreenOf(c)
			x.given = c.Flags().Changed
			if x.format != "text" && x.format != "json" {
				return cli.Hint(fmt.Errorf("unknown format %q", x.format), "--format takes text or json")
			}
			x.say = x.screen.Text(x.out)
			if x.format == "json" {
				x.say = io.Discard
			}
			if (x.generates() || x.roundup != "") && !x.given("strategy") {
				x.strategy = "bounded"
				if x.roundup != "" {
					x.strategy = "dpor"
				}
			}
			if len(args) == 0 {
				return x.withoutObject(c.Flags().NFlag())
			}
			s, relaxed := cds.Find(args[0])
			if err := x.checkRelaxedFlags(relaxed); err != nil {
				return err
			}
			if relaxed {
				return x.relaxed(s)
			}
			if err := x.papers(args[0]); err != nil {
				return err
			}
			switch {
			case x.roundup != "":
				return x.roundUp(args[0])
			case x.generates():
				return x.generate(args[0])
			case x.table:
				return x.localizeTable(args[0])
			}
			return x.run(args[0])
		},
	}
	f := c.Flags()
	f.StringVar(&x.test, "test", "", "number of one of the object's tests, or a test of your own: threads separated by |, serial operations before and after by semicolons: 'push(1); pop | push(2) pop; pop'")
	f.StringVar(&x.strategy, "strategy", "dpor", strategies)
	f.IntVar(&x.preemptions, "preemptions", 2, "preemptions per execution, for the strategy bounded")
	f.BoolVar(&x.inside, "inside", false, "with bounded, count only preemptions inside of operations")
	f.IntVar(&x.depth, "depth", 3, "bug depth, for the strategy pct")
	f.IntVar(&x.runs, "runs", 10_000, "executions, for the strategies pct and random")
	f.Uint64Var(&x.seed, "seed", 1, "seed, for the strategies pct and random")
	f.StringVar(&x.quasi, "quasi", "", "check quasi-linearizability: a bound for the relaxable classes (2), or bounds by class (deq=2)")
	f.StringVar(&x.meaning, "quasi-meaning", "slots", "slots or classes, as in solve")
	f.BoolVar(&x.blocking, "blocking", false, "operations may block: executions in which threads stay blocked are not violations by themselves")
	f.BoolVar(&x.all, "all", false, "go on after the first violation, and count violations")
	f.IntVar(&x.maxSteps, "max-steps", 10_000, "accesses after which an execution is cut off")
	f.IntVar(&x.opSteps, "op-steps", 0, "accesses after which an operation stops for good, while the other threads go on; 0 for none, or what the catalogue has for a test without end")
	f.IntVar(&x.maxRuns, "max-runs", 0, "limit of executions, 0 for none")
	f.IntVar(&x.setUps, "set-ups", 0, "draw so many combinations of the random choices before the threads, and those after them for each execution; 0 tries all")
	f.DurationVar(&x.timeout, "timeout", time.Minute, "time limit for each test, 0 for none")
	f.StringVar(&x.replay, "replay", "", "run this schedule only, and show its accesses whatever the verdict")
	f.StringVar(&x.save, "save", "", "write the history of the violation, or of the replayed schedule, to this file")
	f.StringVar(&x.observed, "observations", "", "write the specification that Line-Up synthesised to this file, for solve --spec")
	f.BoolVar(&x.localize, "localize", false, "show which races decide, and where they are in the code (FGVT)")
	f.StringVar(&x.html, "html", "", "with --localize, or under relaxed memory, write a page to this file")
	f.BoolVar(&x.inject, "inject", false, "under relaxed memory: make each memory order relaxed in turn, and show what finds it")
	f.BoolVar(&x.weaken, "weaken", false, "under relaxed memory: find the weakest memory order of every access that passes")
	f.StringVar(&x.mode, "mode", "loose", "under relaxed memory: which sequential histories must pass: loose (some), strict (all) or random (one)")
	f.StringVar(&x.relax, "relax", "", "under relaxed memory: make one memory order relaxed, named as --inject names it: 'lock: store next'")
	f.StringVar(&x.random, "random", "", "check random tests of so many threads with so many operations each against the serial behaviour (Line-Up): 3x3")
	f.IntVar(&x.count, "count", 100, "how many tests, for --random, --table and --compare")
	f.IntVar(&x.auto, "auto", 0, "check all tests of 1x1, 2x2, ... up to the first that fails (Line-Up); --auto=3 ends after 3x3")
	f.Lookup("auto").NoOptDefVal = "0"
	f.StringArrayVar(&x.sequences, "sequence", nil, "draw threads of generated tests from such sequences of operations, instead of from all operations: 'add(1) take'; repeatable")
	f.StringVar(&x.before, "before", "", "operations before the threads of generated tests: 'add(1) add(2)'")
	f.StringVar(&x.after, "after", "", "operations after the threads of generated tests")
	f.BoolVar(&x.shrink, "shrink", false, "look for a smaller test that fails in the same way; --localize does so by itself")
	f.BoolVar(&x.nondeterministic, "nondeterministic", false, "Line-Up: the specification is all that the object does serially, if that is not determined")
	f.BoolVar(&x.sequential, "sequential", false, "Line-Up: check sequential consistency alone, without the order between threads")
	f.BoolVar(&x.compare, "compare", false, "random tests: count data races, executions that are not conflict-serializable, and what store buffers could change; without an object for all classes of Line-Up")
	f.BoolVar(&x.table, "table", false, "a row of the paper's table: of Line-Up (without an object for all its classes), with --localize of FGVT, with --roundup of Round-Up")
	f.StringVar(&x.roundup, "roundup", "", "check the tests of a dimension as Round-Up does: calls of each thread, and of the main thread: 4*4+0")
	f.StringVar(&x.golden, "golden", "", "with --roundup: the object that runs serially in phase 1, instead of a model of the specification")
	f.StringVar(&x.format, "format", "text", "text or json (one object a line)")
	f.IntVar(&x.width, "width", 0, "columns of the timeline, 0 for the width of the screen")
	return c
}

// withoutObject does what needs no object: it lists the catalogue, or makes tables of all objects.
func (x *explorer) withoutObject(flags int) error {
	switch {
	case flags == 0:
		return x.list()
	case flags == 1 && x.given("format"):
		return x.listJSON()
	case x.table || x.compare:
		if err := x.papers(""); err != nil {
			return err
		}
		if x.roundup != "" {
			return x.roundUp("")
		}
		if x.localize {
			return x.localizeTable("")
		}
		return x.generate("")
	}
	return cli.Hint(errors.New("explore needs an object"), "`linsat explore` by itself lists the objects")
}

// papers returns an error about flags of the papers' methods that have no effect, or exclude each
// other.
func (x *explorer) papers(name string) error {
	methods := 0
	for _, chosen := range []bool{x.random != "" && !x.table && !x.compare, x.given("auto"), x.table, x.compare} {
		if chosen {
			methods++
		}
	}
	generated := x.generates()
	switch {
	case methods > 1 || x.roundup != "" && (x.random != "" || x.given("auto") || x.compare || x.localize):
		return cli.Hint(errors.New("--random, --auto, --table, --compare and --roundup exclude each other"), "only --table goes with --localize or --roundup, and --random with --table or --compare for another dimension")
	case x.roundup == "" && x.given("golden"):
		return cli.Hint(errors.New("--golden without --roundup"), "--roundup takes a dimension: 4*4+0")
	case x.given("count") && (!generated || x.given("auto")):
		return cli.Hint(errors.New("--count without random tests"), "--random takes a dimension: 3x3")
	case x.count < 1:
		return cli.Hint(fmt.Errorf("--count is %d", x.count), "it is how many random tests are drawn")
	case x.auto < 0:
		return cli.Hint(errors.New("--auto is negative"), "--auto=3 ends after the tests of 3x3; 0 is no limit")
	case x.table && x.shrink, x.compare && x.shrink, x.roundup != "" && x.shrink:
		return cli.Hint(errors.New("--shrink does not apply here"), "--table shrinks by itself; the others show no single test")
	case x.shrink && x.quasi != "":
		return cli.Hint(errors.New("--shrink supports linearizability only, not --quasi"), "whether a test is drained depends on its operations")
	case x.shrink && x.replay != "":
		return cli.Hint(errors.New("--shrink with --replay"), "a schedule is of one test")
	}
	for _, f := range []string{"sequence", "before", "after"} {
		if x.given(f) && !generated {
			return cli.Hint(fmt.Errorf("--%s is for generated tests", f), "it needs --random, --auto, --table or --compare")
		}
	}
	if !generated && x.roundup == "" && !(x.table && x.localize) {
		return nil
	}
	// generated tests: flags of single ones have no effect
	single := []string{"test", "replay", "save", "observations", "html", "width", "all"}
	if generated {
		single = append(single, "op-steps", "localize", "quasi", "quasi-meaning", "blocking", "set-ups")
	} else {
		single = append(single, "nondeterministic", "sequential")
	}
	for _, f := range single {
		if x.given(f) {
			return cli.Hint(fmt.Errorf("--%s does not apply to generated tests, or to tables", f), "run the test that is found by itself, with --test")
		}
	}
	return x.numbers()
}

// list prints the catalogue.
func (x *explorer) list() error {
	w := tabwriter.NewWriter(x.out, 0, 0, 2, ' ', 0)
	for i, g := range objects.Groups() {
		if i > 0 {
			fmt.Fprintln(w)
		}
		fmt.Fprintf(w, "%s: %s\n", g.Name, g.About)
		last := ""
		for _, e := range g.Entries {
			o := e.Case.Object
			about := o.About
			if e.Faulty && e.Note != "" {
				about = e.Note
			}
			name := o.Name
			if name == last {
				name, about = "", ""
			}
			last = o.Name
			fmt.Fprintf(w, "  %s\t%s\t%s\t%s\n", name, expectation(&e), e.Case, about)
		}
	}
	listRelaxed(w)
	return w.Flush()
}

// expectation describes the known verdict of an entry in a word or two.
func expectation(e *catalogue.Entry) string {
	switch {
	case e.Linearizable:
		return "linearizable"
	case e.Quasi != "" && e.QuasiLinearizable:
		return "quasi " + e.Quasi
	case e.Faulty:
		return "faulty"
	}
	return "not linearizable"
}

// run explores the tests of one object and returns nil or the exit code.
func (x *explorer) run(name string) error {
	entries := objects.Find(name)
	if len(entries) == 0 {
		return unknownObject(name)
	}
	if x.test == "" && x.given("test") {
		return cli.Hint(errors.New("--test is empty"), fmt.Sprintf("--test takes a number from 1 to %d, or a test", len(entries)))
	}
	bound := entries[0].OpSteps
	if n, err := strconv.Atoi(x.test); err == nil {
		if n < 1 || n > len(entries) {
			return cli.Hint(fmt.Errorf("%s has no test %d", name, n), fmt.Sprintf("--test takes a number from 1 to %d, or a test", len(entries)))
		}
		entries = entries[n-1 : n]
	} else if x.test != "" {
		c, err := explore.ParseCase(entries[0].Case.Object, x.test)
		if err != nil {
			return cli.Hint(err, "--test takes threads separated by |: 'push(1) pop | push(2)'")
		}
		if err := known(c, entries); err != nil {
			return err
		}
		entries = []catalogue.Entry{{Case: c}}
	}
	if !x.given("op-steps") {
		x.opSteps = bound
	}
	if err := x.validate(entries); err != nil {
		return err
	}
	ctx, stop := cli.Interruptible()
	defer stop()
	worst := cli.Linearizable
	for i := range entries {
		if i > 0 {
			fmt.Fprintln(x.say)
		}
		code, err := x.explore(ctx, &entries[i])
		if err != nil {
			cli.Complain(x.err, err)
			code = cli.Usage
		}
		if cli.Gravity(code) > cli.Gravity(worst) {
			worst = code
		}
	}
	if worst != cli.Linearizable {
		return cli.Exit(worst)
	}
	return nil
}

// known returns an error about an operation that neither a test of the object nor its examples
// have.
func known(c *explore.Case, entries []catalogue.Entry) error {
	operations := map[string]bool{}
	note := func(calls []explore.Call) {
		for _, call := range calls {
			operations[call.F] = true
		}
	}
	for _, e := range entries {
		for _, calls := range append([][]explore.Call{e.Case.Object.Ops, e.Case.Before, e.Case.After}, e.Case.Threads...) {
			note(calls)
		}
	}
	for _, calls := range append([][]explore.Call{c.Before, c.After}, c.Threads...) {
		for _, call := range calls {
			if !operations[call.F] {
				return cli.Hint(fmt.Errorf("%s has no operation %q", c.Object.Name, call.F), "it has "+strings.Join(slices.Sorted(maps.Keys(operations)), ", "))
			}
		}
	}
	return nil
}

func (x *explorer) validate(entries []catalogue.Entry) error {
	if err := x.numbers(); err != nil {
		return err
	}
	for _, f := range []struct{ flag, value string }{{"replay", x.replay}, {"save", x.save}, {"html", x.html}, {"observations", x.observed}} {
		if f.value != "" && len(entries) > 1 {
			return cli.Hint(fmt.Errorf("--%s needs one test, and the object has %d", f.flag, len(entries)), "choose one with --test, by its number")
		}
	}
	return x.fits(entries[0].Case)
}

// numbers returns an error about flags with values that they can't have, and about those of other
// strategies.
func (x *explorer) numbers() error {
	for _, n := range []struct {
		flag         string
		value, least int64
		hint         string
	}{
		{"preemptions", int64(x.preemptions), 0, "0 allows none; the other strategies have no bound on them"},
		{"max-steps", int64(x.maxSteps), 1, "an execution with more accesses than that is cut off"},
		{"op-steps", int64(x.opSteps), 0, "0 is no limit"},
		{"max-runs", int64(x.maxRuns), 0, "0 is no limit"},
		{"set-ups", int64(x.setUps), 0, "0 tries all combinations of choices outside the threads"},
		{"timeout", int64(x.timeout), 0, "0 is no limit"},
		{"runs", int64(x.runs), 1, "the strategies pct and random need at least one execution"},
		{"depth", int64(x.depth), 1, "pct changes priorities at depth-1 places"},
		{"width", int64(x.width), 0, "0 is the width of the screen"},
	} {
		switch {
		case n.value < 0:
			return cli.Hint(fmt.Errorf("--%s is negative", n.flag), n.hint)
		case n.value < n.least:
			return cli.Hint(fmt.Errorf("--%s is %d", n.flag, n.value), n.hint)
		}
	}
	if x.given("replay") && x.replay == "" {
		return cli.Hint(errors.New("--replay is empty"), replayHint)
	}
	if _, err := x.chosen(); err != nil {
		return err
	}
	return x.unused()
}

// unused returns an error about flags that would have no effect, or that exclude each other.
func (x *explorer) unused() error {
	for _, f := range []struct {
		flag       string
		strategies []string
	}{
		{"preemptions", []string{"bounded"}}, {"inside", []string{"bounded"}},
		{"depth", []string{"pct"}}, {"runs", []string{"pct", "random"}}, {"seed", []string{"pct", "random"}},
	} {
		if f.flag == "seed" && x.generates() {
			continue
		}
		if x.given(f.flag) && !slices.Contains(f.strategies, x.strategy) {
			return cli.Hint(fmt.Errorf("--%s does not apply to the strategy %s", f.flag, x.strategy), "it needs --strategy "+strings.Join(f.strategies, " or "))
		}
	}
	switch {
	case x.html != "" && !x.localize:
		return cli.Hint(errors.New("--html without --localize"), "--html writes the page of --localize; `linsat explain --html` draws a saved history")
	case x.quasi == "" && x.given("quasi-meaning"):
		return cli.Hint(errors.New("--quasi-meaning without a quasi factor"), "--quasi takes 2 or deq=2,enq=1")
	case x.quasi == "" && x.given("quasi"):
		return cli.Hint(errors.New("--quasi is empty"), "--quasi takes 2 or deq=2,enq=1")
	case x.localize && x.setUps > 0:
		return cli.Hint(errors.New("--localize tries all choices, not --set-ups"), "leave out --localize or --set-ups")
	case x.localize && x.quasi != "":
		return cli.Hint(errors.New("--localize supports linearizability only, not --quasi"), "leave out --localize or --quasi")
	}
	return nil
}

// fits returns an error, before anything runs, about flags that the object of a test does not
// support.
func (x *explorer) fits(c *explore.Case) error {
	if c.Object.Spec == "" {
		for _, flag := range []string{"localize", "quasi", "blocking", "all", "set-ups", "op-steps"} {
			if x.given(flag) {
				return cli.Hint(fmt.Errorf("--%s needs a specification, and %s has none", flag, c.Object.Name), "leave out the flag: the object is checked as Line-Up does, against its serial behaviour")
			}
		}
		return nil
	}
	for _, flag := range []string{"nondeterministic", "sequential"} {
		if x.given(flag) {
			return cli.Hint(fmt.Errorf("--%s is for objects without a specification, and %s has one", flag, c.Object.Name), "with --random 3x3 it is checked as Line-Up does")
		}
	}
	if x.observed != "" {
		return cli.Hint(fmt.Errorf("--observations is for objects without a specification, and %s has one", c.Object.Name), "`linsat solve --spec "+c.Object.Spec+"` checks its histories")
	}
	s, err := specificationOf(c)
	if err == nil {
		_, err = x.relaxation(c, s)
	}
	return err
}

func specificationOf(c *explore.Case) (model.Spec, error) {
	s, ok := specs.Lookup(c.Object.Spec)
	if !ok {
		return nil, fmt.Errorf("object %s names an unknown specification %q", c.Object.Name, c.Object.Spec)
	}
	return s, nil
}

// chosen returns the strategy that the flags select.
func (x *explorer) chosen() (explore.Strategy, error) {
	if x.replay != "" {
		s, err := explore.ParseSchedule(x.replay)
		if err != nil {
			return nil, cli.Hint(err, replayHint)
		}
		return explore.Replay(s), nil
	}
	switch x.strategy {
	case "dpor":
		return explore.DPOR(), nil
	case "exhaustive":
		return explore.Exhaustive(), nil
	case "serial":
		return schedule.Serial(), nil
	case "pct":
		return explore.PCT(x.seed, x.depth, x.runs), nil
	case "random":
		return explore.Random(x.seed, x.runs), nil
	case "bounded":
		if x.inside {
			return schedule.BoundedInside(x.preemptions), nil
		}
		return explore.Bounded(x.preemptions), nil
	}
	return nil, cli.Hint(fmt.Errorf("unknown strategy %q", x.strategy), "--strategy takes "+strategies)
}

func (x *explorer) bounds() explore.Options {
	return explore.Options{MaxSteps: x.maxSteps, OpSteps: x.opSteps, MaxRuns: x.maxRuns, MaxTime: x.timeout, SetUps: x.setUps}
}

// explore runs one test and returns its exit code.
func (x *explorer) explore(ctx context.Context, e *catalogue.Entry) (int, error) {
	if e.Case.Object.Spec == "" {
		return x.lineUp(ctx, e)
	}
	s, err := specificationOf(e.Case)
	if err != nil {
		return cli.Usage, err
	}
	relax, err := x.relaxation(e.Case, s)
	if err != nil {
		return cli.Usage, err
	}
	strategy, err := x.chosen()
	if err != nil {
		return cli.Usage, err
	}
	replayed, err := x.begin(e)
	if err != nil {
		return cli.Usage, err
	}
	if x.replay != "" {
		if err := x.keep(replayed); err != nil {
			return cli.Usage, err
		}
	}
	r, err := explore.Check(ctx, e.Case, s, explore.CheckOptions{Options: x.bounds(), Strategy: strategy, Quasi: relax, Blocking: x.blocking, All: x.all, Shrink: x.shrink || x.localize && e.Pattern == ""})
	if err != nil {
		return cli.Usage, err
	}
	r.WriteText(x.say, explore.TextStyle{Color: x.screen.Color, Width: x.screen.Columns(x.width), Brief: x.localize})
	if r.Violation != nil && x.replay == "" {
		if err := x.keep(r.Violation.History); err != nil {
			return cli.Usage, err
		}
	}
	var found *localize.Result
	if x.localize {
		if found, err = x.locate(ctx, e, r.Case, s); err != nil {
			return cli.Usage, err
		}
	}
	if x.format == "json" {
		out, err := checkJSONOf(e.Case, r)
		if err != nil {
			return cli.Usage, err
		}
		if found != nil {
			out.Localized = localizedJSONOf(found)
		}
		if err := x.json(out); err != nil {
			return cli.Usage, err
		}
	}
	switch r.Verdict {
	case engine.Linearizable:
		return cli.Linearizable, nil
	case engine.NotLinearizable:
		return cli.Violation, nil
	}
	return cli.Unknown, nil
}

// begin prints what is known of an entry, and shows the schedule of --replay. It returns the
// history of that schedule, or nil.
func (x *explorer) begin(e *catalogue.Entry) (*history.History, error) {
	if e.Note != "" && e.Faulty {
		fmt.Fprintf(x.say, "%s: %s\n", e.Case.Object.Name, e.Note)
	}
	if x.replay == "" {
		return nil, nil
	}
	return x.show(e.Case)
}

// relaxation returns the quasi question that --quasi asks of a test. Histories are not drained if
// no serial run of the strict object leaves anything or finds nothing, since left-over values were
// then lost.
func (x *explorer) relaxation(c *explore.Case, s model.Spec) (*quasi.Question, error) {
	if x.quasi == "" {
		return nil, nil
	}
	var q quasi.Question
	if err := q.Meaning.UnmarshalText([]byte(x.meaning)); err != nil {
		return nil, err
	}
	request, err := quasi.Parse(s.Info(), x.quasi)
	if err == nil && request.Least {
		err = errors.New("explore does not look for the least factor")
	}
	if err != nil {
		return nil, cli.Hint(err, quasiHint(s, "2 or deq=2,enq=1"))
	}
	q.Factor, q.Sets, q.Drain = request.Factor, request.Sets, roundup.Drains(s, c)
	return &q, nil
}

// show runs the schedule of --replay, and writes its accesses and its history, which it returns;
// nil if no operation was called.
func (x *explorer) show(c *explore.Case) (*history.History, error) {
	s, err := explore.ParseSchedule(x.replay)
	if err != nil {
		return nil, err
	}
	o := x.bounds()
	o.Trace = true
	e, err := c.Replay(s, o)
	if err != nil {
		return nil, cli.Hint(err, "the schedule is of another test, or a letter in it stands for no thread (a is thread 10, b is 11, and so on)")
	}
	if len(e.Schedule) == 0 {
		fmt.Fprintf(x.say, "no access of a thread: %s\n", e.Outcome)
	} else {
		fmt.Fprintf(x.say, "schedule %s: %s\n", e.Schedule, e.Outcome)
	}
	e.WriteTrace(x.say)
	if len(e.Ops) == 0 {
		return nil, nil
	}
	h, err := c.History(e)
	if err != nil {
		return nil, err
	}
	picture.Timeline{Width: x.screen.Columns(x.width), Color: x.screen.Color}.Draw(x.say, picture.New(&words.Run{File: c.Object.Name, History: h}, picture.Highlight{}))
	fmt.Fprintln(x.say)
	return h, nil
}

// keep saves a history if --save is given.
func (x *explorer) keep(h *history.History) error {
	switch {
	case x.save == "":
		return nil
	case h == nil:
		fmt.Fprintf(x.say, "no operation was called, so there is no history to write to %s\n", x.save)
		return nil
	}
	f, err := os.Create(x.save)
	if err != nil {
		return err
	}
	if err := history.WriteJSON(f, h); err != nil {
		return errors.Join(err, f.Close())
	}
	return f.Close()
}

// locate prints which races decide. For a shipped object it shows a trace with the sequence of
// races that the paper gives.
func (x *explorer) locate(ctx context.Context, e *catalogue.Entry, c *explore.Case, s model.Spec) (*localize.Result, error) {
	fmt.Fprintln(x.say)
	o := localize.Options{MaxRuns: x.maxRuns, MaxTime: x.timeout, MaxSteps: x.maxSteps, OpSteps: x.opSteps, Deadlocks: !x.blocking, Repair: true}
	if e.Pattern != "" {
		sequence, err := localize.ParseSequence(e.Pattern)
		if err != nil {
			return nil, err
		}
		o.Sequence = sequence
	}
	r, err := localize.Find(ctx, c, s, o)
	if err != nil {
		return nil, err
	}
	if err := r.Text(x.say); err != nil || x.html == "" {
		return r, err
	}
	f, err := os.Create(x.html)
	if err != nil {
		return r, err
	}
	return r, errors.Join(r.HTML(f), f.Close())
}

// localizeTable makes rows of the paper's Table 2, without a name for all its faulty objects.
func (x *explorer) localizeTable(name string) error {
	var entries []catalogue.Entry
	if name != "" {
		if entries = objects.Find(name); len(entries) == 0 {
			return unknownObject(name)
		}
	} else {
		for _, g := range objects.Groups() {
			for _, e := range g.Entries {
				if e.Pattern != "" {
					entries = append(entries, e)
				}
			}
		}
	}
	ctx, stop := cli.Interruptible()
	defer stop()
	if x.format == "text" {
		fmt.Fprint(x.out, localize.Header)
	}
	for i := range entries {
		e := &entries[i]
		if e.Case.Object.Spec == "" {
			return cli.Hint(fmt.Errorf("--localize needs a specification, and %s has none", e.Case.Object.Name), "--random checks it against its serial behaviour")
		}
		s, err := specificationOf(e.Case)
		if err != nil {
			return err
		}
		o := localize.Options{MaxRuns: x.maxRuns, MaxTime: x.timeout, MaxSteps: x.maxSteps, OpSteps: x.opSteps, Deadlocks: !x.blocking}
		if !x.given("op-steps") {
			o.OpSteps = e.OpSteps
		}
		r, err := localize.Find(ctx, e.Case, s, o)
		switch {
		case err != nil:
			return err
		case x.format == "json":
			err = x.json(struct {
				Object string `json:"object"`
				Test   string `json:"test"`
				Paper  string `json:"paper,omitempty"`
				*localizedJSON
			}{e.Case.Object.Name, e.Case.String(), e.Pattern, localizedJSONOf(r)})
		default:
			_, err = fmt.Fprint(x.out, r.Row(e.Pattern))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// lineUp checks an object that has no specification.
func (x *explorer) lineUp(ctx context.Context, e *catalogue.Entry) (int, error) {
	c := e.Case
	replayed, err := x.begin(e)
	if err != nil {
		return cli.Usage, err
	}
	o, err := x.lineUpOptions(c.Object)
	if err != nil {
		return cli.Usage, err
	}
	o.Trace = true
	r, err := lineup.Check(ctx, c, o)
	if err == nil && x.shrink && r.Verdict == lineup.Fail {
		r, err = lineup.Shrink(ctx, r, o)
	}
	if err != nil {
		return cli.Usage, err
	}
	if x.format == "json" {
		out, err := lineUpJSONOf(r)
		if err == nil {
			err = x.json(out)
		}
		if err != nil {
			return cli.Usage, err
		}
	}
	if err := r.WriteText(x.say); err != nil {
		return cli.Usage, err
	}
	if x.observed != "" && r.Observations != nil {
		if err := r.Observations.WriteFile(x.observed); err != nil {
			return cli.Usage, err
		}
	}
	if r.Failure != nil {
		r.Failure.Run.WriteTrace(x.say)
	}
	if err := x.keepLineUp(r.Failure, replayed); err != nil {
		return cli.Usage, err
	}
	switch r.Verdict {
	case lineup.Pass:
		return cli.Linearizable, nil
	case lineup.Fail:
		return cli.Violation, nil
	}
	return cli.Unknown, nil
}

// keepLineUp saves the history that shows a failure of Line-Up; solve gives the same verdict about
// it with the observations. If a replayed schedule shows no failure, its history is saved as it is.
func (x *explorer) keepLineUp(f *lineup.Failure, replayed *history.History) error {
	switch {
	case x.save == "":
		return nil
	case x.replay != "" && (f == nil || f.Kind != lineup.Blocking && f.Kind != lineup.NoWitness):
		return x.keep(replayed)
	case f == nil:
		return nil
	}
	var h *history.History
	if len(f.Run.Ops) > 0 {
		var err error
		if h, err = f.History(); err != nil {
			return err
		}
	}
	if err := x.keep(h); err != nil {
		return err
	}
	if f.Kind == lineup.Blocking {
		op := &f.Run.Ops[f.Op]
		fmt.Fprintf(x.say, "%s has the completed operations and %s, which blocks, with the result {\"%s\": true}; other pending ones are left out\n",
			x.save, explore.Call{F: op.F, Arg: op.Arg}, lineup.Blocks)
	}
	return nil
}
