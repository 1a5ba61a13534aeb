package explore

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/linsat/linsat"
	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/schedule"
	"github.com/linsat/linsat/quasi"
	"github.com/linsat/linsat/spec"
)

// CheckOptions configures Check and Test. The zero value runs every schedule with at most two
// preemptions and asks for linearizability.
type CheckOptions struct {
	Options                  // bounds of the runs; Trace is ignored
	Strategy Strategy        // nil: Bounded(2). A Strategy serves one Check
	Quasi    *quasi.Question // ask for quasi-linearizability instead of linearizability
	// An insertion may wait for a removal, as a send without a buffer for its receiver, and threads
	// may wait for ever outside of operations.
	Blocking bool
	All      bool // go on after the first violation, to count
	// Only runs no schedules but those of the strategy, and finds only the livelocks that it comes
	// to.
	Only bool
	// Shrink looks for a smaller test that fails in the same way, and reports its violation:
	// without a thread or an operation, or with simpler arguments. Test always does. The test of a
	// program stays as it is.
	Shrink bool
	// for histories that differ, as linsat.Engine takes it; "": the search, under a relaxation auto
	Engine string
	// Check are further options of linsat.Check.
	Check []linsat.Option
	// Visit is called with every execution, if it is given; not with those that are run again to
	// explain a violation. The exploration ends where it returns false.
	Visit func(*Execution) bool
}

// Report is the result of Check.
type Report struct {
	Case     *Case
	Spec     spec.Spec
	Quasi    *quasi.Question // what was asked for, nil: linearizability
	Strategy string
	Stats    Stats
	// Verdict: NotLinearizable if there is a Violation; Linearizable if every history of a search
	// that was complete for its strategy is; otherwise Unknown, and Why says what is missing.
	Verdict   engine.Verdict
	Why       string
	Classes   int // histories that differ in results or interval order
	Bad       int // classes that violate; up to the first one without CheckOptions.All
	BadRuns   int // executions in them
	Undecided int // classes that linsat.Check left undecided
	Overlap   int // classes in which operations of two threads overlap
	// Overlapped are the names of operations that overlap in some class, each pair once and in
	// order.
	Overlapped [][2]string
	Violation  *Violation
	Checking   time.Duration // of Stats.Elapsed, in linsat.Check

	whole   *Case // the test that Case was shrunk from, or nil
	called  bool  // some execution has an operation
	cut     int   // executions that the bound on steps cut off, not known to be livelocks
	crowded int   // executions that had no thread for a goroutine
	// executions in which an operation reached the bound on its accesses
	stopped int
}

// Violation is an execution that should not be.
type Violation struct {
	// "not linearizable", "not quasi-linearizable", "stuck", "livelock", "panic"
	What        string
	Execution   *Execution // with Events
	History     *history.History
	Result      *linsat.Result // of a history that is not linearizable
	Preemptions int

	round int    // of a livelock: how many accesses repeat
	waits string // of one that is stuck, or a livelock: which operation waits, and why it need not
}

// Check runs the test, checks each distinct history against s, and reports the first violation with
// its schedule, its history and linsat's argument. An execution that panics is a violation. So is
// one that gets stuck, or whose threads do the same again and again for ever, if some operation in
// it waits although the specification would let it go on after what the completed ones did; a
// removal may wait where there is nothing, and an insertion where there is something (see also
// CheckOptions.Blocking). It returns an error for a program that hangs or is not deterministic, and
// for what linsat.Check refuses.
func Check(ctx context.Context, c *Case, s spec.Spec, o CheckOptions) (*Report, error) {
	switch {
	case ctx == nil:
		return nil, errors.New("explore: the context is nil; use context.Background() for one without a limit")
	case c == nil:
		return nil, errNoCase
	case s == nil:
		return nil,
			errors.New("explore: the specification is nil; spec.MustLookup finds one by name, spec.Define makes one")
	case c.program == nil && c.Object == nil:
		return nil, errNoCase
	}
	if o.Strategy == nil {
		o.Strategy = Bounded(defaultPreemptions)
	}
	k := &checking{ctx: ctx, c: c, spec: model.Full(s), o: o, seen: map[string]string{}, loops: map[string]int{},
		report: &Report{Case: c, Spec: s, Quasi: o.Quasi, Strategy: schedule.Describe(o.Strategy)}}
	r := k.report
	if o.SetUps > 0 && !schedule.Replays(o.Strategy) {
		r.Strategy += fmt.Sprintf(", after %s", count(o.SetUps, "set-up"))
	}
	if o.OpSteps > 0 {
		r.Strategy += fmt.Sprintf(", at most %s", count(o.OpSteps, "access an operation", "accesses an operation"))
	}
	o.Options.Trace = false
	if o.MaxTime > 0 {
		k.deadline = time.Now().Add(o.MaxTime)
	}
	var err error
	r.Stats, err = Run(c.Program(), o.Strategy, o.Options, k.visit)
	if err == nil {
		err = k.err
	}
	if err != nil {
		return nil, err
	}
	if err := k.unmodelled(); err != nil {
		return nil, err
	}
	r.Classes = len(k.seen)
	r.conclude(ctx)
	if k.first == nil {
		return r, nil
	}
	if r.Violation, err = k.simplest(); err != nil || !o.Shrink || c.program != nil || schedule.Replays(o.Strategy) {
		return r, err
	}
	small, v, err := k.shrink(r.Violation)
	if small != nil && err == nil {
		r.whole, r.Case, r.Violation = c, small, v
	}
	return r, err
}

// simplest explains the violation found, or one that is easier to read.
func (k *checking) simplest() (*Violation, error) {
	v, err := k.explain(k.first)
	if err != nil || k.o.Strategy != nil && schedule.Replays(k.o.Strategy) {
		return v, err
	}
	simpler, err := k.simpler(v)
	if simpler != nil && err == nil {
		v, err = k.explain(simpler)
	}
	return v, err
}

// simpler looks for a violation of the same kind with fewer preemptions than the one found, or as
// many and fewer steps, since that is easier to read. It returns nil if it finds none.
func (k *checking) simpler(v *Violation) (found *Execution, err error) {
	o := Options{MaxSteps: k.o.MaxSteps, OpSteps: k.o.OpSteps, Hang: k.o.Hang, MaxRuns: shrinkRuns, SetUps: k.o.SetUps}
	start := time.Now()
	k.deadline = start.Add(simplerTime)
	report := *k.report // runs of simpler do not count in the report
	report.Overlapped = slices.Clone(report.Overlapped)
	defer func() { *k.report = report }()
	for n := 0; n <= v.Preemptions && found == nil && err == nil; n++ {
		steps := math.MaxInt
		if n == v.Preemptions {
			steps = v.Execution.Steps
		}
		if o.MaxTime = simplerTime - time.Since(start); o.MaxTime <= 0 {
			break
		}
		var failed error
		_, err = Run(k.c.Program(), Bounded(n), o, func(e *Execution) bool {
			var bad bool
			if bad, failed = k.bad(e); bad && e.Steps < steps && k.outcome(e) == v.What {
				// of a class with a livelock, only some executions are one
				if v.What == "livelock" {
					bad, failed = k.endless(e)
				}
				if bad {
					found, steps = e.Clone(), e.Steps
				}
			}
			return failed == nil && k.ctx.Err() == nil
		})
		if err == nil {
			err = failed
		}
	}
	return found, err
}

// checking is a Check in progress.
type checking struct {
	ctx    context.Context
	c      *Case
	spec   model.Spec
	o      CheckOptions
	seen   map[string]string // class → how it violates, "" if it does not
	loops  map[string]int    // class of executions cut off → how many were judged, or isLoop
	pumped pumped
	key    []byte
	first  *Execution
	report *Report
	err    error
	apart  apart
	left   bool // o.Visit has ended the exploration

	deadline time.Time // of what an execution is looked at for; zero for none
}

func (k *checking) visit(e *Execution) bool {
	if !k.goesOn(e) {
		return false
	}
	k.report.called = k.report.called || len(e.Ops) > 0
	bad, err := k.bad(e)
	if err != nil {
		k.err = err
		return false
	}
	if loop := (*Execution)(nil); !bad && k.first == nil {
		if loop, err = k.pump(e); loop != nil && err == nil {
			cut := k.report.cut
			bad, err = k.bad(loop)
			k.report.cut = cut
			e = loop
		}
		if err != nil || k.left {
			k.err = err
			return false
		}
	}
	if bad {
		k.report.BadRuns++
		if k.first == nil {
			k.first = e.Clone()
		}
	}
	return k.ctx.Err() == nil && (k.first == nil || k.o.All)
}

// goesOn shows an execution to Visit, and reports whether the exploration goes on.
func (k *checking) goesOn(e *Execution) bool {
	if k.o.Visit != nil && !k.o.Visit(e) {
		k.left = true
	}
	return !k.left
}

// bad reports whether an execution is a violation.
func (k *checking) bad(e *Execution) (bool, error) {
	k.key = e.Class(k.key[:0])
	switch {
	case e.crowded:
		k.report.crowded++
	case e.Outcome == CutOff && !e.abrupt:
		k.report.stopped++
	case e.Outcome == CutOff:
		if err := k.judgeLoop(e); err != nil {
			return false, err
		}
	}
	if wrong, known := k.seen[string(k.key)]; known {
		return wrong != "", nil
	}
	wrong, err := k.judge(e)
	if err != nil {
		return false, err
	}
	if k.seen[string(k.key)] = wrong; wrong != "" {
		k.report.Bad++
	}
	return wrong != "", nil
}

// isLoop marks a class of executions of which one is a livelock.
const isLoop = -1

// judgeLoop finds out whether an execution that was cut off is a livelock, unless one of its class
// is, or several are not.
func (k *checking) judgeLoop(e *Execution) error {
	key := string(k.key)
	judged := k.loops[key]
	if judged >= 0 && judged < leastRounds {
		loop, err := k.endless(e)
		if err != nil {
			return err
		}
		judged++
		if loop {
			judged = isLoop
			delete(k.seen, key)
		}
		k.loops[key] = judged
	}
	if judged != isLoop {
		k.report.cut++
	}
	return nil
}

// judge says what is wrong with an execution of a class that is met for the first time, "" if
// nothing is.
func (k *checking) judge(e *Execution) (wrong string, err error) {
	if e.Outcome == Panicked {
		return "panic", nil
	}
	start := time.Now()
	defer func() { k.report.Checking += time.Since(start) }()
	if len(e.Ops) > 0 {
		if bad, err := k.isViolation(e); bad || err != nil {
			return k.wrong(), err
		}
	}
	switch {
	case e.Outcome == Stuck:
		wrong = "stuck"
	case k.loops[string(k.key)] == isLoop:
		wrong = "livelock"
	default:
		return "", nil
	}
	switch found, err := k.needless(e); {
	case errors.Is(err, errUndecided):
		k.report.Undecided++
		return "", nil
	case found == nil || err != nil:
		return "", err
	}
	return wrong, nil
}

// isViolation reports whether the history of an execution is not linearizable.
func (k *checking) isViolation(e *Execution) (bad bool, err error) {
	if err := k.compare(e, k.o.Options); err != nil {
		return false, err
	}
	h, err := k.c.History(e)
	if err != nil {
		return false, err
	}
	if k.overlaps(e) {
		k.report.Overlap++
	}
	r, err := linsat.Check(k.ctx, k.spec, h, append(k.question(), linsat.First(),
		linsat.Explain(linsat.ExplainOptions{Cores: linsat.NoCore}), linsat.Workers(1),
		linsat.Engine(linsat.Engines(k.engine())))...)
	if err != nil {
		return false, fmt.Errorf("%w (schedule %s)", err, e.Schedule)
	}
	if r.Verdict == engine.Unknown && k.ctx.Err() == nil {
		k.report.Undecided++
	}
	return r.Verdict == engine.NotLinearizable, nil
}

// outcome says what is wrong with an execution of a class that was judged.
func (k *checking) outcome(e *Execution) string {
	return k.seen[string(e.Class(nil))]
}

func (k *checking) wrong() string {
	if k.o.Quasi != nil {
		return "not quasi-linearizable"
	}
	return "not linearizable"
}

func (k *checking) question() []linsat.Option {
	options := slices.Clone(k.o.Check)
	if k.o.Quasi != nil {
		options = append(options, linsat.Quasi(*k.o.Quasi))
	}
	return options
}

// overlaps reports whether an operation was called while one of another thread was open, and notes
// the names of those that were.
func (k *checking) overlaps(e *Execution) bool {
	any := false
	for i := range e.Ops {
		for j := range i {
			if e.Ops[j].Return >= 0 && e.Ops[j].Return < e.Ops[i].Call {
				continue
			}
			any = true
			pair := [2]string{min(e.Ops[i].F, e.Ops[j].F), max(e.Ops[i].F, e.Ops[j].F)}
			at, found := slices.BinarySearchFunc(k.report.Overlapped, pair, func(a, b [2]string) int {
				return slices.Compare(a[:], b[:])
			})
			if !found {
				k.report.Overlapped = slices.Insert(k.report.Overlapped, at, pair)
			}
		}
	}
	return any
}

func (k *checking) engine() string {
	switch {
	case k.o.Engine != "":
		return k.o.Engine
	case k.o.Quasi != nil:
		return "auto"
	}
	return "search"
}

// conclude sets the verdict.
func (r *Report) conclude(ctx context.Context) {
	switch {
	case r.Bad > 0:
		r.Verdict = engine.NotLinearizable
	case r.Stats.Executions+r.Stats.Pruned == 0 && r.Stats.Complete:
		r.Why = "the strategy ran nothing; each Check needs a strategy of its own"
	case ctx.Err() != nil:
		r.Why = "interrupted"
	case r.Stats.Stopped == "time":
		if r.Why = "out of time"; r.short() != "" {
			r.Why += "; " + r.short()
		}
	case !r.Stats.Complete:
		r.Why = fmt.Sprintf("the bound of %d executions", r.Stats.Executions+r.Stats.Pruned)
	case r.Stats.Outcomes[TimedOut] > 0:
		r.Why = "out of time within an execution"
	case r.short() != "":
		r.Why = r.short()
	case r.stopped > 0 && r.stopped == r.Stats.Executions:
		r.Why = "no execution ends within the bound on the accesses of an operation"
	case r.Undecided > 0:
		r.Why = fmt.Sprintf("%d histories could not be decided", r.Undecided)
	default:
		r.Verdict = engine.Linearizable
	}
}

// short says why executions were cut off, "" if none was.
func (r *Report) short() string {
	switch {
	case r.crowded > 0:
		return fmt.Sprintf("%s more than %d goroutines at once, timers among them; test with fewer, or see whether something "+
			"is started again and again", count(r.crowded, "execution has", "executions have"), schedule.MaxThreads)
	case r.cut > 0:
		return fmt.Sprintf("%d executions reached the bound on steps, or time passed too often, and they are not known to "+
			"repeat for ever", r.cut)
	}
	return ""
}

// late reports whether there is no time left for another look at an execution.
func (k *checking) late() bool { return !k.deadline.IsZero() && time.Now().After(k.deadline) }

// looking are the options of a traced run that ends with the time of the exploration, which is not
// over.
func (k *checking) looking() Options {
	o := k.traced()
	if !k.deadline.IsZero() {
		o.MaxTime = max(time.Until(k.deadline), 1)
	}
	return o
}

// traced are the options of a traced run of one schedule.
func (k *checking) traced() Options {
	return Options{MaxSteps: k.o.MaxSteps, OpSteps: k.o.OpSteps, Hang: k.o.Hang, Trace: true}
}

// explain runs the schedule of an execution again, traced, and has linsat argue.
func (k *checking) explain(e *Execution) (*Violation, error) {
	again, err := once(k.c.Program(), e.Schedule, k.traced())
	if err != nil {
		return nil, err
	}
	if string(again.Class(nil)) != string(e.Class(nil)) {
		return nil, &Nondeterministic{Schedule: e.Schedule, What: "the results of operations"}
	}
	v := &Violation{What: k.outcome(again), Execution: again, Preemptions: again.Preemptions()}
	if len(again.Ops) > 0 {
		if v.History, err = k.c.History(again); err != nil {
			return nil, err
		}
	}
	if v.What == "stuck" || v.What == "livelock" {
		found, err := k.needless(again)
		if err != nil {
			return nil, err
		}
		if found != nil {
			v.waits = found.text(again)
		}
	}
	if round := again.round(); v.What == "livelock" && round > 0 {
		v.round = round
		err := k.firstRound(again, round)
		v.Preemptions = again.Preemptions()
		return v, err
	}
	if v.What != k.wrong() {
		return v, nil
	}
	r, err := linsat.Check(k.ctx, k.spec, v.History, k.question()...)
	v.Result = &r
	return v, err
}

// Replay runs the test by one schedule and returns the execution.
func (c *Case) Replay(s Schedule, o Options) (*Execution, error) {
	if c.program == nil && c.Object == nil {
		return nil, errNoCase
	}
	return once(c.Program(), s, o)
}

// once runs a program by one schedule and returns the execution.
func once(p Program, s Schedule, o Options) (*Execution, error) {
	var e *Execution
	_, err := Run(p, Replay(s), o, func(x *Execution) bool {
		e = x.Clone()
		return true
	})
	if err == nil && e == nil {
		err = fmt.Errorf("the schedule %q gives no execution within the bounds", s)
	}
	return e, err
}

// Preemptions counts, in a traced execution, the switches away from a thread that could have gone
// on.
func (e *Execution) Preemptions() int {
	n, last, yielded := 0, schedule.Main, false
	for i := range e.Events {
		v := &e.Events[i]
		a := schedule.Inside(&v.Access)
		if v.Thread != last && v.Thread != schedule.Main && schedule.Has(a.Enabled, last) && !yielded {
			n++
		}
		last, yielded = v.Thread, a.Yields
	}
	return n
}
