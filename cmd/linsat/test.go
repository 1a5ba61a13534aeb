package main

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/linsat/linsat/internal/cli"
	"github.com/linsat/linsat/internal/escape"
	"github.com/linsat/linsat/internal/shimrun"
	"github.com/linsat/linsat/internal/shimrun/order"
	"github.com/spf13/cobra"
)

// tester holds the flags of test.
type tester struct {
	run      string
	include  []string
	exclude  []string
	strategy string
	bound    int
	depth    int
	seed     uint64
	limit    time.Duration
	runs     int
	maxSteps int
	replay   string
	html     string
	verbose  bool
	race     bool
	leaks    bool
	time     string
	keep     string
	jobs     int
	localize bool
	debugged bool
	resume   bool

	interrupted bool // while go test ran

	out, err io.Writer
}

// strategiesOfTest are the values of --strategy.
var strategiesOfTest = []string{"auto", "dpor", "exhaustive", "bounded", "pct", "random"}

func testCommand() *cobra.Command {
	s := &tester{}
	c := &cobra.Command{
		Use:   "test [PACKAGES] [-- FLAGS OF GO TEST]",
		Short: "run the linsattest checks of Go packages under every schedule",
		Long: `Builds the tests of PACKAGES (the current one by default) so that sync, sync/atomic, goroutines, channels, time and random numbers
are modelled, and runs each linsattest check under every schedule of its goroutines, or under those of --strategy, instead of those that
happen. Each history must be linearizable; a panic, a failed test and an operation that waits needlessly are failures, too. The source is not touched: go test -overlay has rewritten
copies. Only the packages under test are rewritten, and those of --include: what they do in other packages is done at once.

A failure shows the schedule with the lines of the source, and is saved in testdata/linsat: --replay runs it again.

Exit code: 0 no violation was found, 1 one was, 2 bad usage or something cannot be built or modelled, 3 a test was not explored to its end
or not at all.`,
		Example: `  linsat test
  linsat test ./stack --run TestStack --for 30s
  linsat test --strategy pct --depth 3 --runs 10000 ./...
  linsat test --include github.com/bytedance/gopkg/collection/skipmap .
  linsat test --replay testdata/linsat/TestStack.schedule`,
		RunE: func(c *cobra.Command, args []string) error {
			s.out, s.err = c.OutOrStdout(), c.ErrOrStderr()
			patterns, flags := args, []string(nil)
			if at := c.ArgsLenAtDash(); at >= 0 {
				patterns, flags = args[:at], args[at:]
			}
			if len(patterns) == 0 {
				patterns = []string{"."}
			}
			return s.test(patterns, flags)
		},
	}
	f := c.Flags()
	f.StringVar(&s.run, "run", "", "only tests whose name matches this `expression`, as for go test")
	f.Var(several(&s.include), "include",
		"`packages` to rewrite besides those under test, of any module; sync is the installed Go's own sync.Map, in "+
			"place of a model")
	f.Var(several(&s.exclude), "exclude",
		"`packages` to leave as they are, of one's own module too: a call of them is one step")
	f.StringVar(&s.strategy, "strategy", "auto",
		"schedules to run: dpor (all, up to the order of independent accesses), exhaustive, bounded, pct, random, or "+
			"auto (dpor, and pct where that takes too long)")
	f.IntVar(&s.bound, "preemptions", 2, "preemptions at most, with --strategy bounded")
	f.IntVar(&s.depth, "depth", 3, "ordered steps that a bug takes, with --strategy pct")
	f.Uint64Var(&s.seed, "seed", 1, "seed, with --strategy pct or random")
	f.DurationVar(&s.limit, "for", testTime, "`time` for each test; 0 is without a limit")
	f.IntVar(&s.runs, "runs", 0,
		"schedules for each test at most; 0 is 10,000 with pct and random, otherwise without a limit")
	f.IntVar(&s.maxSteps, "max-steps", 0, "accesses of one schedule at most; 0 is 10,000")
	f.IntVar(&s.jobs, "jobs", runtime.GOMAXPROCS(0),
		"`processes` at a time for one test: one explores systematically, the others draw schedules; all draw with "+
			"--strategy pct or random")
	f.StringVar(&s.replay, "replay", "", "run the schedule in this `file` alone, and show its accesses")
	f.BoolVar(&s.resume, "resume", false,
		"go on with the searches (--strategy auto, dpor) that ran out of time under this flag: testdata/linsat keeps them")
	f.StringVar(&s.html, "html", "",
		"with --replay: write a page to this `file`, with a lane for each goroutine and the lines of source beside them")
	f.BoolVar(&s.race, "race", false, "have Go's race detector judge ordinary variables in each schedule")
	f.BoolVar(&s.leaks, "leaks", false,
		"a goroutine that never ends is a failure, if it was started by the test's processes or by what they call")
	f.StringVar(&s.time, "time", "",
		"when timers come: \"blocked\", only when no goroutine can go on (the default, unless the test says how long "+
			"they may take); \"any\", at any moment; or a time that goroutines may take, such as 10ms")
	f.BoolVar(&s.debugged, "debug", false,
		"with --replay: build the test for a debugger, and run Delve (dlv) with it, or say how that is done")
	f.BoolVar(&s.localize, "localize", false,
		"of a violation, show which accesses decide, and what to make atomic (FGVT)")
	f.BoolVarP(&s.verbose, "verbose", "v", false, "show all output of go test")
	f.StringVar(&s.keep, "work", "", "`folder` for rewritten files; by default one in the user's cache")
	return c
}

// options returns how the tests are to be explored.
func (s *tester) options() (*shimrun.Options, error) {
	if !slices.Contains(strategiesOfTest, s.strategy) {
		return nil, cli.Hint(fmt.Errorf("unknown strategy %q", s.strategy),
			"it is one of "+strings.Join(strategiesOfTest, ", "))
	}
	o := &shimrun.Options{How: s.strategy, Bound: s.bound, Seed: s.seed, For: s.limit, Runs: s.runs, Steps: s.maxSteps,
		Jobs: s.jobs, Localize: s.localize, Leaks: s.leaks, Resume: s.resume}
	if o.How == "pct" {
		o.Bound = s.depth
	}
	if o.How == "auto" && o.For == 0 {
		o.How = "dpor" // which then ends
	}
	if o.Samples() && o.Runs == 0 {
		o.Runs = sampledRuns
	}
	switch s.time {
	case "":
	case "blocked":
		o.Skew = new(time.Duration)
	case "any":
		any := time.Duration(math.MaxInt64)
		o.Skew = &any
	default:
		d, err := time.ParseDuration(s.time)
		if err != nil || d < 0 {
			return nil, cli.Hint(fmt.Errorf("--time %q", s.time), "it is blocked, any, or a time such as 10ms")
		}
		o.Skew = &d
	}
	if s.jobs < 1 {
		return nil, cli.Hint(fmt.Errorf("--jobs %d", s.jobs), "1 is no more than one process")
	}
	if s.bound < 0 || s.depth < 0 || s.limit < 0 || s.runs < 0 || s.maxSteps < 0 {
		return nil, cli.Hint(errors.New("a bound is negative"), "0 leaves it out")
	}
	return o, nil
}

func (s *tester) test(patterns, flags []string) error {
	o, err := s.options()
	if err != nil {
		return err
	}
	run := s.run
	if s.replay != "" {
		text, err := os.ReadFile(s.replay)
		if err != nil {
			return err
		}
		var of struct {
			Test    string
			Include []string
			Exclude []string
			Race    bool
			Leaks   bool
			Skew    *time.Duration
		}
		if err := json.Unmarshal(text, &of); err != nil || of.Test == "" {
			return cli.Hint(fmt.Errorf("%s is no schedule", s.replay),
				"a failing linsat test saves one in testdata/linsat")
		}
		o.Replay = text
		if len(s.include) == 0 {
			s.include = of.Include // a schedule is one of what was rewritten
		}
		if len(s.exclude) == 0 {
			s.exclude = of.Exclude
		}
		s.race = s.race || of.Race
		o.Leaks = o.Leaks || of.Leaks
		o.Skew = of.Skew
		if run == "" {
			run = "^" + strings.ReplaceAll(of.Test, "/", "$/^") + "$"
		}
	}
	dir, err := os.Getwd()
	if err != nil {
		return err
	}
	cache := s.keep
	if cache == "" {
		user, err := os.UserCacheDir()
		if err != nil {
			return cli.Hint(err, "name a folder with --work")
		}
		cache = filepath.Join(user, "linsat", "test", fmt.Sprintf("%x", sha256.Sum256([]byte(dir)))[:16])
	}
	if cache, err = filepath.Abs(cache); err != nil {
		return err
	}
	own, err := unvendored(cache)
	if err != nil {
		return err
	}
	if s.debugged && s.replay == "" {
		return cli.Hint(errors.New("--debug without --replay"), "a debugger runs one schedule")
	}
	if s.html != "" {
		if s.replay == "" {
			return cli.Hint(errors.New("--html without --replay"), "a page shows one schedule")
		}
		if o.HTML, err = filepath.Abs(s.html); err != nil {
			return err
		}
	}
	flags, s.race = withoutRace(flags, s.race)
	built, err := rewritten(order.Rewrite{Patterns: patterns, Include: s.include, Exclude: s.exclude, Cache: cache,
		Flags: modules(own), Build: loading(flags, s.race)}, order.InWorkspace(own))
	if err != nil {
		return err
	}
	if built.ModFile == "" {
		built.ModFile = own
	}
	if len(built.Refused) > 0 {
		for _, r := range built.Refused {
			fmt.Fprintf(s.err, "linsat: %s\n", escape.Text(r))
		}
		return cli.Exit(cli.Usage)
	}
	if s.debugged {
		return s.debug(built, patterns, run, flags, o, cache)
	}
	results, err := os.CreateTemp("", "linsat-test-")
	if err != nil {
		return err
	}
	defer os.Remove(results.Name())
	if err := results.Close(); err != nil {
		return err
	}
	o.Out, o.Include, o.Exclude = results.Name(), s.include, s.exclude
	o.Now = results.Name() + ".now"
	defer os.Remove(o.Now)
	over, stop := watchTests(s.err, o.Now)
	defer stop()
	if s.race {
		logs, err := os.MkdirTemp("", "linsat-race-")
		if err != nil {
			return err
		}
		defer os.RemoveAll(logs)
		o.RaceLog = filepath.Join(logs, "race")
	}
	code, output, err := s.goTest(built, patterns, run, flags, o, over)
	stop()
	if err != nil {
		return err
	}
	return s.conclude(code, output, results.Name())
}

// conclude says what was covered, and chooses the exit code.
func (s *tester) conclude(code int, output, results string) error {
	f, err := os.Open(results)
	if err != nil {
		return err
	}
	defer f.Close()
	worst := cli.Linearizable
	judged := map[string]bool{}  // tests, and those that they are subtests of
	limited := map[string]bool{} // of these, those that are not decided, which fails them, too
	for outcomes := json.NewDecoder(f); ; {
		var o shimrun.Outcome
		if err := outcomes.Decode(&o); err == io.EOF {
			break
		} else if err != nil {
			return err
		}
		for name := o.Test; name != "."; name = path.Dir(name) {
			judged[name] = true
			limited[name] = limited[name] || o.Limit || o.Refused || o.Verdict == "unknown"
		}
		if s.race && !s.verbose {
			fmt.Fprint(s.out, o.Text)
		}
		s.show(&o)
		switch {
		case o.Failed():
			worst = cli.Violation
		case o.Refused && worst != cli.Violation:
			worst = cli.Usage
		case o.Limit && worst == cli.Linearizable:
			worst = cli.Unknown
		case o.Verdict == "unknown" && worst == cli.Linearizable && !(s.draws() && strings.HasPrefix(o.Why, "the bound of")):
			worst = cli.Unknown
		}
	}
	if len(judged) > 0 && !s.race && s.replay == "" && worst != cli.Violation && worst != cli.Usage {
		fmt.Fprintln(s.out, "ordinary variables were not watched for data races: --race does")
	}
	failed := code != 0
	// The race detector fails tests for what the exploration itself does: those judged say more.
	if s.race {
		failed = failed && (len(judged) == 0 || otherFails(output, judged))
		if failed && !s.verbose {
			fmt.Fprint(s.out, output)
		}
	}
	if worst != cli.Violation && worst != cli.Linearizable && !s.race {
		failed = failed && otherFails(output, limited)
	}
	switch {
	case worst == cli.Linearizable && s.interrupted:
		fmt.Fprintln(s.err, "linsat: interrupted")
		return cli.Exit(cli.Unknown)
	case worst == cli.Linearizable && code != 0 && (strings.Contains(output, "[build failed]") ||
		strings.Contains(output, "[setup failed]")):
		fmt.Fprintln(s.err,
			"linsat: the rewritten package does not build; what it shares with a package that is not rewritten may "+
				"need --include")
		return cli.Exit(cli.Usage)
	case worst != cli.Violation && failed:
		return cli.Exit(cli.Violation)
	case len(judged) == 0:
		fmt.Fprintln(s.err, "linsat: no test calls linsattest.Check, so nothing was explored")
		return cli.Exit(cli.Unknown)
	case worst != cli.Linearizable:
		return cli.Exit(worst)
	}
	return nil
}

// draws reports whether schedules are drawn, so that never all are asked for.
func (s *tester) draws() bool { return s.strategy == "pct" || s.strategy == "random" }

// failedTest is how go test says that a test failed.
var failedTest = regexp.MustCompile(`(?m)^\s*--- FAIL: (\S+)`)

// otherFails reports whether go test failed for something else than the tests that were judged.
func otherFails(output string, judged map[string]bool) bool {
	all := failedTest.FindAllStringSubmatch(output, -1)
	for _, m := range all {
		if !judged[m[1]] {
			return true
		}
	}
	return len(all) == 0 || strings.Contains(output, "[build failed]") || strings.Contains(output, "[setup failed]")
}

// show writes what exploring one test showed.
func (s *tester) show(o *shimrun.Outcome) {
	if s.replay == "" {
		rate := ""
		if o.Seconds > 0.1 {
			rate = " (" + strconv.Itoa(int(float64(o.Executions)/o.Seconds)) + " a second)"
		}
		verdict := o.Verdict
		if verdict == "unknown" {
			verdict = "no violation was found, but not every schedule was run"
		}
		fmt.Fprintf(s.out, "%s: %s\n  %s%s\n", o.Test, verdict, o.Summary, rate)
	}
	if o.Learned != "" {
		fmt.Fprintf(s.out, "  specification: learned from %s\n", o.Learned)
	}
	if o.Overlapped != "" && !o.Failed() {
		fmt.Fprintf(s.out, "  overlapped: %s\n", o.Overlapped)
	}
	if o.Why != "" {
		more := ""
		if strings.Contains(o.Why, "the bound on steps") {
			more = "; --max-steps allows more"
		}
		fmt.Fprintf(s.out, "  not decided: %s%s\n", o.Why, more)
	}
	if o.Smaller != "" {
		fmt.Fprintf(s.out, "  a smaller program fails, too, with %s\n", o.Smaller)
	}
	for _, w := range o.Warnings {
		fmt.Fprintf(s.out, "  warning: %s\n", w)
	}
	if o.Replay != "" {
		file := filepath.Join(o.Package, o.Replay)
		if dir, err := os.Getwd(); err == nil {
			if rel, err := filepath.Rel(dir, file); err == nil {
				file = rel
			}
		}
		fmt.Fprintf(s.out, "  replay: linsat test --replay %s%s\n", file, packageOf(o.Package))
	}
}

// packageOf is the argument that names the package in a folder, "" for the current one.
func packageOf(dir string) string {
	here, err := os.Getwd()
	if err != nil || here == dir {
		return ""
	}
	if rel, err := filepath.Rel(here, dir); err == nil && filepath.IsLocal(rel) {
		return " ./" + filepath.ToSlash(rel)
	}
	return ""
}
