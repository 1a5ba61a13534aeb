package linsattest

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/linsat/linsat"
	"github.com/linsat/linsat/explore"
	"github.com/linsat/linsat/internal/schedule"
	"github.com/linsat/linsat/internal/shimrun"
	"github.com/linsat/linsat/spec"
)

// explored runs f under the schedules that `linsat test` asks for, and fails t at a violation.
func explored(t testing.TB, s spec.Spec, f func(r *Run), options []linsat.Option) {
	t.Helper()
	x := newExploration(t, s, f, options)
	if x.nth = nth(t); x.asked.Worker && x.asked.Nth != x.nth {
		return
	}
	if x.asked.Replay != nil {
		x.replay()
		return
	}
	x.conclude(x.all())
}

// exploredControl fails t unless the exploration finds a violation.
func exploredControl(t testing.TB, s spec.Spec, f func(r *Run), options []linsat.Option) {
	t.Helper()
	x := newExploration(t, s, f, options)
	if x.nth = nth(t); x.asked.Replay != nil || x.asked.Worker && x.asked.Nth != x.nth {
		return
	}
	r := x.all()
	note := x.outcome(r)
	if x.asked.Worker {
		x.hand(&note, r)
		return
	}
	found := r.Violation != nil || x.fault != nil
	note.Control(found)
	if err := x.asked.Report(note); err != nil {
		t.Fatal(err)
	}
	if !found {
		t.Fatalf("the deliberate fault was not found: %s", r.Summary())
	}
}

// checks counts the checks of each test.
var checks = struct {
	sync.Mutex
	of map[string]int
}{of: map[string]int{}}

// nth counts a check of a test.
func nth(t testing.TB) int {
	checks.Lock()
	defer checks.Unlock()
	n := checks.of[t.Name()]
	checks.of[t.Name()]++
	return n
}

func newExploration(t testing.TB, s spec.Spec, f func(r *Run), options []linsat.Option) *exploration {
	if s == nil {
		options = append([]linsat.Option{ofSerialRuns}, options...)
	}
	return &exploration{t: t, failed: t.Failed(), spec: s, options: options, f: f, seed: max(*seed, 1),
		asked: shimrun.Asked()}
}

// all explores, again and again until all that the program needs is prepared.
func (x *exploration) all() *explore.Report {
	x.t.Helper()
	x.began = time.Now()
	var report *explore.Report
	for _, phase := range x.asked.Phases() {
		x.phase = &phase
		if x.asked.Samples() && phase.Runs >= leastShared && x.asked.Jobs > 1 {
			phase.Runs /= x.asked.Jobs
			x.beside = x.work(&phase, phase.For)
		}
		for began, whole := time.Now(), phase.For; ; {
			var err error
			if report, err = x.check(&phase); err == nil {
				break
			}
			if !errors.Is(err, errAgain) {
				x.stop(err)
			}
			phase.For = max(whole-time.Since(began), whole/serialShare)
		}
		x.covered = append(x.covered, report.Summary()+x.keep(&phase, x.strategy, report))
		if report.Violation != nil || x.fault != nil || x.beside.schedule() != nil || report.Stats.Stopped != "time" ||
			phase.How != "dpor" || x.asked.How != "auto" {
			break
		}
	}
	if report.Violation == nil && x.fault == nil && x.phase.Samples() {
		x.beside.wait()
	}
	x.phase = nil
	found := x.beside.schedule()
	more, err := x.beside.stop()
	if err != nil {
		x.t.Logf("warning: other processes beside this one: %v", err)
	}
	if more > 0 {
		x.covered = append(x.covered, fmt.Sprintf("%d executions more in other processes at the same time", more))
		x.more = more
	}
	if found == nil || report.Violation != nil || x.fault != nil {
		return report
	}
	x.covered = append(x.covered, "one by pct in another process, which failed")
	again, err := x.again(found)
	if err == nil && again.Violation == nil && x.fault == nil {
		err = fmt.Errorf(
			"a schedule failed in another process (%s) and does not here, so the test does not do the same every time",
			found.What)
	}
	if err != nil {
		x.stop(err)
	}
	again.Stats, again.Classes = report.Stats, report.Classes
	return again
}

// stop fails t for what keeps the test from being explored.
func (x *exploration) stop(why error) {
	x.t.Helper()
	note := shimrun.Outcome{Test: x.t.Name(),
		Limit: errors.Is(why, errTooManyProcesses) || errors.As(why, &errSerial{})}
	note.Refused = errors.As(why, new(shimrun.Refused))
	if unmodelled := (*schedule.Unmodelled)(nil); errors.As(why, &unmodelled) {
		note.Refused = true
		why = fmt.Errorf("%w (%s)", unmodelled, x.hidden())
	}
	if hang := (*explore.Hang)(nil); errors.As(why, &hang) && len(x.shims.Outside()) > 0 {
		why = fmt.Errorf("%w\n%s", hang, x.hidden())
	}
	note.Summary, note.Text = why.Error(), why.Error()+"\n"
	note.Judged(false, "cannot be explored")
	if err := x.asked.Report(note); err != nil {
		x.t.Error(err)
	}
	x.t.Fatal(why)
}

// hidden says where what is not modelled may be.
func (x *exploration) hidden() string {
	if outside := x.shims.Outside(); len(outside) > 0 {
		return fmt.Sprintf(
			"called and not rewritten: %s; --include PACKAGE rewrites one that is not of the standard library",
			strings.Join(outside, ", "))
	}
	return "ordinary variables of other goroutines are a data race, which linsat test --race shows; packages that " +
		"keep state are modelled with --include PACKAGE"
}

// outcome says what the exploration covered.
func (x *exploration) outcome(r *explore.Report) shimrun.Outcome {
	var overlapped []string
	for _, pair := range r.Overlapped {
		overlapped = append(overlapped, pair[0]+" with "+pair[1])
	}
	from := ""
	if x.learned != nil {
		from = x.learned.summary
	}
	return shimrun.Outcome{Test: x.t.Name(), Overlapped: strings.Join(overlapped, ", "), Verdict: r.Verdict.String(),
		Summary: strings.Join(x.covered, "\n  then "), Why: r.Why, Learned: from, Asserts: !x.operates,
		Executions: r.Stats.Executions + x.more, Classes: r.Classes, Complete: r.Stats.Complete,
		Seconds: r.Stats.Elapsed.Seconds()}
}

// errTooManyProcesses says that no execution has room for the processes.
var errTooManyProcesses = fmt.Errorf(
	"an execution has at most %d goroutines, those that it starts included; test with fewer processes",
	schedule.MaxThreads)

// errAgain says that the program needs more than the exploration has prepared for.
var errAgain = errors.New("again")

// fault is what is wrong with an execution besides its history.
type fault struct {
	what     string
	schedule explore.Schedule
	text     string
}

// What faults are.
const (
	raced  = "data race"
	leaked = "leaked goroutine"
	failed = "failed assertion"
	exits  = "end of the program"
)

// leaks says which goroutines had not ended when all processes had, and perhaps wait for a time.
func leaks(lines []string, late bool) string {
	how := "has not ended, and waits for ever"
	if late {
		how = "has not ended, although time has passed again and again"
	}
	var b strings.Builder
	for _, line := range lines {
		fmt.Fprintf(&b, "a goroutine started at %s %s\n", line, how)
	}
	return b.String()
}

// exploration is a test that is being explored.
type exploration struct {
	t       testing.TB
	failed  bool      // the test had, before
	spec    spec.Spec // nil: it is learned
	options []linsat.Option
	f       func(r *Run)
	seed    uint64
	asked   *shimrun.Options
	nth     int // among the checks of the test

	operates bool // some execution has an operation
	learned  *learned

	shims    shimrun.Needs // what the rewritten code needs
	mayBlock bool
	crowded  bool           // an execution has too many goroutines from the beginning
	begun    *shimrun.Begun // of the execution that runs
	covered  []string       // by each phase
	left     map[string]int // line that started a goroutine → executions in which it had not ended
	complete int            // how many executions left counts
	races    shimrun.Races
	fault    *fault // the first

	began   time.Time
	phase   *shimrun.Options // that runs, nil while something else is looked for
	runs    int
	told    time.Time
	beside  *workers
	more    int       // executions of these
	without omissions // operations that are left out

	strategy explore.Strategy // of the phase
	resumed  bool             // a search was looked for that goes on
	earlier  int              // executions of that

	ended      bool // some execution did
	waits      bool // for a time, in some execution
	untilEnded bool // explore no further
}

func (x *exploration) program(e *explore.Exec) {
	r := &Run{seed: x.seed, rng: rand.New(rand.NewPCG(x.seed, 0)), exec: e, without: x.without,
		whole: x.spec == nil}
	x.begun = shimrun.Begin(e, &x.shims)
	x.f(r)
	if x.crowded = !x.begun.Fits(len(r.processes)); x.crowded {
		panic(errTooManyProcesses)
	}
	x.mayBlock = r.mayBlock
	if x.asked.Skew != nil {
		r.skew = *x.asked.Skew
	}
	x.begun.Skew(r.skew)
	r.begin(e)
	x.begun.Ready()
}

// check explores once with what is prepared so far.
func (x *exploration) check(phase *shimrun.Options) (*explore.Report, error) {
	x.strategy = x.resume(phase)
	return x.explore(phase, x.strategy, explore.Options{MaxRuns: phase.Runs, MaxSteps: phase.Steps})
}

// explore is check with a strategy and other bounds.
func (x *exploration) explore(phase *shimrun.Options, strategy explore.Strategy,
	o explore.Options) (*explore.Report, error) {
	defer shimrun.End()
	began := time.Now()
	x.shims.Start()
	x.left, x.complete = map[string]int{}, 0
	x.races.Begin()
	blocked, operates := x.mayBlock, x.operates
	s, report, err := x.specification(phase)
	if report != nil || err != nil {
		return report, err
	}
	if phase.For > 0 {
		o.MaxTime = max(phase.For-time.Since(began), phase.For/serialShare)
	}
	c := explore.ProgramCase(x.t.Name(), x.program)
	c.Object.Spec = s.Info().Name
	report, err = explore.Check(context.Background(), c, s, explore.CheckOptions{Options: o, Strategy: strategy,
		Check: x.options, Blocking: x.mayBlock, All: x.untilEnded, Only: phase.Only, Visit: x.visit})
	if again := x.lacks(); again != nil {
		return nil, again
	}
	// A fault is one all the same, and would not be reported again.
	if x.fault == nil && (x.mayBlock != blocked || x.spec == nil && x.operates != operates) {
		return nil, errAgain
	}
	return report, err
}

// faulty looks for a race in an execution, and for a failed assertion.
func (x *exploration) faulty(e *explore.Execution) bool {
	if reports := x.races.New(); len(reports) > 0 {
		x.fault = &fault{raced, e.Clone().Schedule, strings.Join(reports, "\n")}
		return true
	}
	if exited := x.begun.Exited(); exited != "" {
		x.fault = &fault{exits, e.Clone().Schedule, exited + "\n"}
		return true
	}
	// The race detector fails a test for what the exploration itself does, too.
	if x.asked.RaceLog == "" && x.t.Failed() && !x.failed {
		x.failed = true
		x.fault = &fault{failed, e.Clone().Schedule, "the test has failed in this execution\n"}
		return true
	}
	return false
}

// visit looks for goroutines that an execution leaves behind, and for what else is wrong with it.
func (x *exploration) visit(e *explore.Execution) bool {
	if x.runs++; x.phase != nil && x.runs%lookEvery == 0 && !x.look() {
		return false
	}
	x.waits = x.waits || x.begun.Waits()
	if x.faulty(e) {
		return false
	}
	if !x.operates && len(e.Ops) > 0 {
		x.operates = true
		if x.spec == nil {
			return false
		}
	}
	if e.Outcome == explore.Completed {
		x.ended = true
		if x.untilEnded {
			return false
		}
		x.complete++
		left := x.begun.Left()
		for _, line := range left {
			x.left[line]++
		}
		if x.asked.Leaks && len(left) > 0 && x.fault == nil && x.without == nil {
			x.fault = &fault{leaked, e.Clone().Schedule, leaks(left, x.begun.Late())}
			return false
		}
	}
	return true
}

// look says how far the exploration is, starts processes beside this one if it takes long, and
// reports whether it should go on: not if one of them has found something.
func (x *exploration) look() bool {
	now := time.Now()
	took := now.Sub(x.began)
	if now.Sub(x.told) >= tellEvery {
		x.told = now
		x.asked.Tell(shimrun.Now{Test: x.t.Name(), Strategy: x.phase.How, Executions: x.runs, Seconds: took.Seconds(),
			Limit: x.asked.For.Seconds(), Share: schedule.Share(x.strategy)})
	}
	if x.beside == nil && x.asked.How == "auto" && took >= workersAfter {
		x.beside = x.work(x.phase, x.asked.For-took)
	}
	return x.beside.schedule() == nil
}

// warnings are what the exploration showed besides the verdict.
func (x *exploration) warnings(r *explore.Report) (all []string) {
	if x.operates && r.Overlap == 0 && r.Classes < 2 && r.Verdict == linsat.Linearizable {
		all = append(all,
			"operations of two processes neither overlapped nor changed places in any schedule, so this test says "+
				"nothing of concurrency")
	}
	if outside := x.shims.Outside(); len(outside) > 0 {
		all = append(all,
			fmt.Sprintf(
				"what is not rewritten is done at once, and its steps are not explored: %s (--include PACKAGE "+
					"rewrites one that is not of the standard library)", strings.Join(outside, ", ")))
	}
	if op := unseen(r.Violation); op != "" {
		all = append(all,
			fmt.Sprintf(
				"%s touches nothing that is modelled; if it uses ordinary variables of other goroutines, that is a "+
					"data race, which linsat test --race shows", op))
	}
	if v := r.Violation; x.learned != nil && !x.learned.seen.Deterministic() && v != nil && v.Result != nil {
		all = append(all, "the operations have several outcomes in serial runs, too: this violates what they were seen to "+
			"do there, and a specification may allow more")
	}
	if x.waits && x.asked.Skew == nil && x.fault == nil && r.Violation == nil {
		all = append(all, "timers came only when no goroutine could go on; --time any lets them come at any moment")
	}
	for _, line := range slices.Sorted(maps.Keys(x.left)) {
		which := "some executions" // more were run than the summary counts
		if x.left[line] == x.complete {
			which = "any execution"
		}
		all = append(all, fmt.Sprintf("a goroutine started at %s had not ended in %s", line, which))
	}
	return all
}

// unseen returns the name of an operation of a violation that made no access, "" if there is none.
func unseen(v *explore.Violation) string {
	if v == nil {
		return ""
	}
	seen := map[int]bool{}
	for i := range v.Execution.Events {
		if e := &v.Execution.Events[i]; schedule.Inside(&e.Access).Kind != schedule.Local {
			seen[e.Op] = true
		}
	}
	for i := range v.Execution.Ops {
		if o := &v.Execution.Ops[i]; !seen[i] && o.Return >= 0 {
			return o.F
		}
	}
	return ""
}

// conclude fails t with the violation, or says what was covered.
func (x *exploration) conclude(r *explore.Report) {
	x.t.Helper()
	var b, after strings.Builder
	note := x.outcome(r)
	if x.fault == nil && !x.asked.Worker {
		if note.Smaller = x.smaller(r); note.Smaller != "" {
			fmt.Fprintf(&b, "a smaller program fails, too, with %s\n", note.Smaller)
		}
		r.WriteText(&b, explore.TextStyle{})
		if x.asked.Localize && r.Violation != nil {
			if err := x.localize(&after, r); err != nil {
				fmt.Fprintf(&after, "\nwhat decides cannot be found: %v\n", err)
			}
		}
	}
	note.Warnings = x.warnings(r)
	v := r.Violation
	note.Judged(r.Verdict == linsat.Linearizable, "")
	if x.asked.Worker {
		x.hand(&note, r)
		return
	}
	what, one := "", explore.Schedule(nil)
	switch {
	case x.fault != nil:
		x.simpler()
		what, one, note.Why = x.fault.what, x.fault.schedule, ""
		fmt.Fprintf(&b, "%s: %s\n  ran %s\n\nschedule %s\n%s", x.t.Name(), what, r.Summary(), one, x.fault.text)
		if what != raced {
			err := x.trace(&b, one)
			shimrun.End()
			if err != nil {
				x.t.Fatal(err)
			}
		}
	case v != nil:
		what, one = v.What, v.Execution.Schedule
	}
	if what != "" {
		note.Judged(false, what)
		file, err := x.save(what, one)
		if err != nil {
			fmt.Fprintf(&after, "\nthe schedule cannot be kept: %v\n", err)
		} else {
			note.Replay = file
			fmt.Fprintf(&after, "\nreplay: linsat test --replay %s\n", file)
		}
	}
	text := shortened(b.String()) + after.String()
	if what != "" {
		note.Text = text
	}
	if err := x.asked.Report(note); err != nil {
		x.t.Fatal(err)
	}
	bounded := x.asked.Samples() || r.Stats.Stopped == "time" || r.Stats.Stopped == "runs"
	if what != "" || r.Verdict != linsat.Linearizable && !bounded {
		x.t.Fatal("\n" + text)
	}
	x.t.Log("\n" + text)
	for _, w := range note.Warnings {
		x.t.Log("warning: " + w)
	}
}

// shortened leaves lines in the middle of a long text out.
func shortened(text string) string {
	lines := strings.Split(text, "\n")
	out := len(lines) - mostTraced
	if out <= 0 {
		return text
	}
	begin := mostTraced / 4
	note := fmt.Sprintf(
		"      … %d lines left out; --replay shows them, and a test of fewer operations is easier to read …", out)
	return strings.Join(slices.Concat(lines[:begin], []string{note}, lines[begin+out:]), "\n")
}
