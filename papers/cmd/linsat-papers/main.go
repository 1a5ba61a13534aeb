// Command linsat-papers runs the concurrent objects of five papers under every schedule, checks
// their histories as the papers do, and makes rows of their tables.
package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/linsat/linsat/internal/cli"
	"github.com/linsat/linsat/papers/objects/cds"
	"github.com/spf13/cobra"
)

// replayHint says what a schedule is.
const replayHint = "--replay takes a schedule as linsat-papers prints it: a digit for each step, the number of the " +
	"thread that takes it (a is 10, b is 11, and so on)"

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
	buffering   bool

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

func main() { os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }

// run is main without the process around it.
func run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	c := command()
	cli.Prepare(c, args, stdin, stdout, stderr)
	return cli.Run(c)
}

func command() *cobra.Command {
	x := &explorer{}
	c := &cobra.Command{
		Use:   "linsat-papers [OBJECT]",
		Short: "run the objects of papers under every schedule and check their histories",
		Long: `Without an argument: lists the concurrent objects of papers, correct and faulty.

With the name of an object: runs its test under the schedules of the strategy, checks every distinct history, and shows the
first violation: its schedule, the accesses with their lines of code, the history and why it is not linearizable. Objects
without a specification are checked as Line-Up does, against their serial behaviour. Your own objects run under the explorer in go test (docs/explore.md).

Objects of the group cds have memory orders. They run in every execution that the memory model RC11 allows, and are checked
against their specification with ordering points (docs/explore.md); --replay takes the number of an execution or its steps.

With --random or --auto, tests are made of the object's operations and checked as Line-Up does; with --roundup, those of a dimension
as Round-Up does. --localize shows which races decide, and what to make atomic (FGVT). --table makes the object's row of a table.

Exit code: 0 no violation (or a table), 1 a violation, 2 bad usage, 3 unknown (a limit was reached).`,
		Example: `  linsat-papers
  linsat-papers pairsnapshot --localize
  linsat-papers concurrentqueue-b --random 3x3 --shrink
  linsat-papers quasiqueue --roundup 4*4+0 --quasi 2
  linsat-papers snark --test 'popRight | pushRight(2) popLeft' --strategy bounded --preemptions 1
  linsat-papers pairsnapshot --replay 0100011 --save h.json`,
		Args:              cobra.MaximumNArgs(1),
		PersistentPreRunE: func(c *cobra.Command, _ []string) error { return cli.CheckScreen(c) },
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
	f.StringVar(&x.test, "test", "",
		"number of one of the object's tests, or a test of your own: threads separated by |, serial operations "+
			"before and after by semicolons: 'push(1); pop | push(2) pop; pop'")
	f.StringVar(&x.strategy, "strategy", "dpor", strategies)
	f.IntVar(&x.preemptions, "preemptions", 2, "preemptions per execution, for the strategy bounded")
	f.BoolVar(&x.inside, "inside", false, "with bounded, count only preemptions inside of operations")
	f.IntVar(&x.depth, "depth", 3, "bug depth, for the strategy pct")
	f.IntVar(&x.runs, "runs", 10_000, "executions, for the strategies pct and random")
	f.Uint64Var(&x.seed, "seed", 1, "seed, for the strategies pct and random")
	f.StringVar(&x.quasi, "quasi", "",
		"check quasi-linearizability: a bound for the relaxable classes (2), or bounds by class (deq=2); with --roundup "+
			"also the least at which every execution of a test is (min)")
	f.StringVar(&x.meaning, "quasi-meaning", "slots", "slots or classes, as in solve")
	f.BoolVar(&x.blocking, "blocking", false,
		"operations may block: executions in which threads stay blocked are not violations by themselves")
	f.BoolVar(&x.all, "all", false,
		"go on after the first violation, and count violations; with --roundup: all well-formed tests of the "+
			"dimension, not those of the catalogue")
	f.IntVar(&x.maxSteps, "max-steps", 10_000, "accesses after which an execution is cut off")
	f.IntVar(&x.opSteps, "op-steps", 0,
		"accesses after which an operation stops for good, while the other threads go on; 0 for none, or what the "+
			"catalogue has for a test without end")
	f.IntVar(&x.maxRuns, "max-runs", 0, "limit of executions, 0 for none")
	f.IntVar(&x.setUps, "set-ups", 0,
		"draw so many combinations of the random choices before the threads, and those after them for each "+
			"execution; 0 tries all")
	f.DurationVar(&x.timeout, "timeout", time.Minute, "time limit for each test, 0 for none")
	f.StringVar(&x.replay, "replay", "", "run this schedule only, and show its accesses whatever the verdict")
	f.StringVar(&x.save, "save", "", "write the history of the violation, or of the replayed schedule, to this file")
	f.StringVar(&x.observed, "observations", "",
		"write the specification that Line-Up synthesised to this file, for solve --spec")
	f.BoolVar(&x.localize, "localize", false, "show which races decide, and where they are in the code (FGVT)")
	f.StringVar(&x.html, "html", "", "with --localize, or under relaxed memory, write a page to this file")
	f.BoolVar(&x.inject, "inject", false,
		"under relaxed memory: make each memory order relaxed in turn, and show what finds it")
	f.BoolVar(&x.weaken, "weaken", false,
		"under relaxed memory: find the weakest memory order of every access that passes")
	f.StringVar(&x.mode, "mode", "loose",
		"under relaxed memory: which sequential histories must pass: loose (some), strict (all) or random (one)")
	f.StringVar(&x.relax, "relax", "",
		"under relaxed memory: make one memory order relaxed, named as --inject names it: 'lock: store next'")
	f.BoolVar(&x.buffering, "load-buffering", false,
		"under relaxed memory: also executions in which a load reads what comes later in program order, which RC11 "+
			"forbids; takes seconds to minutes where others take milliseconds")
	f.StringVar(&x.random, "random", "",
		"check random tests of so many threads with so many operations each against the serial behaviour (Line-Up): 3x3")
	f.IntVar(&x.count, "count", 100, "how many tests, for --random, --table and --compare")
	f.IntVar(&x.auto, "auto", 0,
		"check all tests of 1x1, 2x2, ... up to the first that fails (Line-Up); --auto=3 ends after 3x3")
	f.Lookup("auto").NoOptDefVal = "0"
	f.StringArrayVar(&x.sequences, "sequence", nil,
		"draw threads of generated tests from such sequences of operations, instead of from all operations: 'add(1) "+
			"take'; repeatable")
	f.StringVar(&x.before, "before", "", "operations before the threads of generated tests: 'add(1) add(2)'")
	f.StringVar(&x.after, "after", "", "operations after the threads of generated tests")
	f.BoolVar(&x.shrink, "shrink", false,
		"look for a smaller test that fails in the same way; --localize does so by itself")
	f.BoolVar(&x.nondeterministic, "nondeterministic", false,
		"Line-Up: the specification is all that the object does serially, if that is not determined")
	f.BoolVar(&x.sequential, "sequential", false,
		"Line-Up: check sequential consistency alone, without the order between threads")
	f.BoolVar(&x.compare, "compare", false,
		"random tests: count data races, executions that are not conflict-serializable, and what store buffers could "+
			"change; without an object for all classes of Line-Up")
	f.BoolVar(&x.table, "table", false,
		"the object's row of a table: of Line-Up, with --localize of FGVT, with --roundup of Round-Up; under relaxed "+
			"memory those of CDSSpec; `linsat-papers tables` has the papers' own beside ours")
	f.StringVar(&x.roundup, "roundup", "",
		"check the tests of a dimension as Round-Up does: calls of each thread, and of the main thread: 4*4+0")
	f.StringVar(&x.golden, "golden", "",
		"with --roundup: the object that runs serially in phase 1, instead of a model of the specification")
	f.StringVar(&x.format, "format", "text", "text or json (one object a line)")
	f.IntVar(&x.width, "width", 0, "columns of the timeline, 0 for the width of the screen")
	c.AddCommand(tablesCommand(x))
	return c
}

// withoutObject does what needs no object: it lists the catalogue, or makes tables of all objects.
func (x *explorer) withoutObject(flags int) error {
	switch {
	case flags == 0:
		return x.list()
	case flags == 1 && x.given("format"):
		return x.listJSON()
	case x.compare:
		if err := x.papers(""); err != nil {
			return err
		}
		return x.generate("")
	case x.table:
		return cli.Hint(errors.New("--table needs an object"), "`linsat-papers tables` prints all tables of the papers")
	}
	return cli.Hint(errors.New("an object is needed"), "`linsat-papers` alone lists the objects")
}
