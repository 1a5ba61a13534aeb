package lineup

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/linsat/linsat/explore"
	"github.com/linsat/linsat/internal/schedule"
)

// Verdict is the answer of a check.
type Verdict uint8

// The verdicts. Unknown: a limit was reached before the end, or an execution was cut off at the
// bound on steps without being a livelock, and no failure was found.
const (
	Unknown Verdict = iota
	Pass
	Fail
)

func (v Verdict) String() string { return [...]string{"unknown", "pass", "fail"}[v] }

// Kind is what a failure shows.
type Kind uint8

// The kinds of failures. Nondeterminism: two serial runs in which the same operation gives
// different results, or blocks in one of them. NoWitness: a full concurrent history without a
// serial witness. Blocking: a stuck history with an operation that blocks in no corresponding
// serial run. Panic: the object panics, serially or not.
const (
	Nondeterminism Kind = iota + 1
	NoWitness
	Blocking
	Panic
)

func (k Kind) String() string {
	return [...]string{"none", "nondeterminism", "no serial witness", "blocking", "panic"}[k]
}

// Failure refutes deterministic linearizability: no deterministic specification allows these
// executions.
type Failure struct {
	Kind Kind
	Run  *explore.Execution // the execution that shows it
	// Nondeterminism: the serial run in which the operation behaved differently
	Other *explore.Execution
	// Nondeterminism, Blocking: the operation, as a position in Run.Ops; else -1
	Op int

	sequential bool // it violates sequential consistency, not only linearizability
}

// Phase reports what a phase did.
type Phase struct {
	Runs int
	// distinct ones: serial histories in phase 1, classes (Execution.Class) in phase 2
	Histories int
	Stuck     int // those among them that end stuck
	Time      time.Duration
	Cause     string // why it did not finish, or ""
}

// Options of a check. The zero value is fine.
type Options struct {
	// Bound is the bound on preemptions in phase 2: 0 stands for 2, as in the paper, and a negative
	// number for none.
	Bound int
	// Inside counts only preemptions inside of operations: threads take turns freely between them.
	// It costs one to two orders of magnitude more executions on a test of 3×3.
	Inside bool
	// Strategy, if not nil, makes the strategy of phase 2 instead.
	Strategy func() explore.Strategy
	MaxSteps int           // accesses of one execution; 0: the default of explore.Options
	MaxRuns  int           // executions of each phase of a test; 0: no bound
	MaxTime  time.Duration // for each test; 0: no bound
	Hang     time.Duration // without an access; 0: the default of explore.Options
	Trace    bool          // keep the accesses of failing executions
	// Nondeterministic makes the specification the set of all serial behaviours, instead of
	// refusing objects with several of them. A failure is then no proof: a specification may allow
	// more than the object does serially.
	Nondeterministic bool
	// Sequential asks for sequential consistency alone: a serial witness has the order of each
	// thread, but not that between threads.
	Sequential bool
	// Visit is called with every execution of both phases, if it is given. The check ends,
	// undecided, where it returns false.
	Visit func(*explore.Execution) bool
	// For generated tests: what their threads consist of (nil: single operations of Object.Ops),
	// operations before and after the threads, how many tests run at the same time (0: as many as
	// there are processors), the seed of RandomCheck, and the largest dimension of AutoCheck (0:
	// none).
	Sequences     [][]explore.Call
	Before, After []explore.Call
	Workers       int
	Seed          uint64
	MaxDimension  int

	only Kind // the failures of phase 2 that count, 0 for all of them
}

func (o Options) strategy() explore.Strategy {
	bound := o.Bound
	if bound == 0 {
		bound = defaultBound
	}
	switch {
	case o.Strategy != nil:
		return o.Strategy()
	case bound < 0:
		return explore.DPOR()
	case o.Inside:
		return schedule.BoundedInside(bound)
	}
	return explore.Bounded(bound)
}

// Result is the outcome of a check.
type Result struct {
	Case         *explore.Case
	Verdict      Verdict
	Failure      *Failure      // of a Fail
	Observations *Observations // what phase 1 synthesised; nil if it failed
	Serial       Phase
	Concurrent   Phase
	Cause        string // of an Unknown
}

// Check checks one test: whether the concurrent executions of the object are consistent with some
// deterministic specification. Errors are those of explore.Run, and values that a history cannot
// hold.
func Check(ctx context.Context, c *explore.Case, o Options) (*Result, error) {
	ctx, cancel := withTime(ctx, o)
	defer cancel()
	r := &Result{Case: c}
	var err error
	r.Observations, r.Failure, r.Serial, err = Synthesize(ctx, c, o)
	switch {
	case err != nil:
		return nil, err
	case r.Failure != nil:
		r.Verdict = Fail
		return r, r.trace(o)
	case r.Serial.Cause != "":
		r.Cause = "serial runs: " + r.Serial.Cause
		return r, nil
	}
	return r, r.concurrently(ctx, o)
}

// CheckAgainst is phase 2 alone, with observations of an earlier phase 1, perhaps of another
// version of the object.
func CheckAgainst(ctx context.Context, c *explore.Case, obs *Observations, o Options) (*Result, error) {
	ctx, cancel := withTime(ctx, o)
	defer cancel()
	r := &Result{Case: c, Observations: obs}
	return r, r.concurrently(ctx, o)
}

func withTime(ctx context.Context, o Options) (context.Context, context.CancelFunc) {
	if o.MaxTime > 0 {
		return context.WithTimeout(ctx, o.MaxTime)
	}
	return context.WithCancel(ctx)
}

// concurrently is phase 2 (paper, Figure 5, lines 7 to 17): one history of each class gets a
// verdict.
func (r *Result) concurrently(ctx context.Context, o Options) error {
	classes := map[string]struct{}{}
	var key []byte
	c := &candidate{obs: r.Observations, sequential: o.Sequential}
	limit := newLimit(ctx)
	strategy := &ends{Strategy: schedule.Full(o.strategy())}
	var foreign error
	fail := func(kind Kind, e *explore.Execution, op int) {
		if o.only == 0 || o.only == kind {
			r.Failure = &Failure{Kind: kind, Run: e.Clone(), Op: op, sequential: o.Sequential}
		}
	}
	stats, err := explore.Run(r.Case.Program(), strategy, explore.Options{MaxSteps: o.MaxSteps, MaxRuns: o.MaxRuns,
		Hang: o.Hang},
		func(e *explore.Execution) bool {
			if o.Visit != nil && !o.Visit(e) {
				return false
			}
			switch e.Outcome {
			case explore.Panicked:
				fail(Panic, e, -1)
				return r.Failure == nil && limit.more()
			case explore.Completed, explore.Stuck:
			case explore.CutOff:
			default:
				return limit.more()
			}
			key = e.Class(key[:0])
			if _, known := classes[string(key)]; known {
				return limit.more()
			}
			if e.Outcome == explore.CutOff {
				var endless bool
				if strategy.fair {
					if endless, foreign = repeats(r.Case, e, o); foreign != nil {
						return false
					}
				}
				if !endless {
					limit.cut++
					return limit.more()
				}
			}
			if len(classes) == 0 {
				if foreign = r.Observations.belongs(e); foreign != nil {
					return false
				}
			}
			classes[string(key)] = struct{}{}
			c.load(e)
			if e.Outcome == explore.Completed {
				if !c.full() {
					fail(NoWitness, e, -1)
				}
			} else {
				r.Concurrent.Stuck++
				if op := c.stuck(); op >= 0 {
					fail(Blocking, e, op)
				}
			}
			return r.Failure == nil && limit.more()
		})
	r.Concurrent.Runs, r.Concurrent.Histories, r.Concurrent.Time = stats.Executions, len(classes), stats.Elapsed
	if err := errors.Join(err, foreign); err != nil {
		return err
	}
	switch {
	case r.Failure != nil:
		r.Verdict = Fail
		return r.trace(o)
	default:
		r.Concurrent.Cause = limit.cause(stats)
		if r.Concurrent.Cause == "" {
			r.Verdict = Pass
		} else {
			r.Cause = "concurrent runs: " + r.Concurrent.Cause
		}
		return nil
	}
}

// trace runs failing executions once more to record their accesses, if Options.Trace is set.
func (r *Result) trace(o Options) error {
	if !o.Trace {
		return nil
	}
	for _, e := range []*explore.Execution{r.Failure.Run, r.Failure.Other} {
		if e == nil {
			continue
		}
		_, err := explore.Run(r.Case.Program(), explore.Replay(e.Schedule), explore.Options{MaxSteps: o.MaxSteps,
			Trace: true}, func(again *explore.Execution) bool {
			traced := again.Clone()
			e.Events, e.Waiting = traced.Events, traced.Waiting
			return false
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// limit watches the context while a phase runs.
type limit struct {
	ctx   context.Context
	calls int
	over  error
	cut   int // executions that were cut off and show nothing
}

func newLimit(ctx context.Context) *limit { return &limit{ctx: ctx, calls: -1} }

// more reports whether the phase continues.
func (l *limit) more() bool {
	if l.calls++; l.calls&63 == 0 {
		l.over = l.ctx.Err()
	}
	return l.over == nil
}

// cause returns why a phase without a failure did not complete, or "".
func (l *limit) cause(stats explore.Stats) string {
	switch {
	case errors.Is(l.over, context.DeadlineExceeded):
		return "time"
	case l.over != nil:
		return "interrupted"
	case !stats.Complete:
		return fmt.Sprintf("%s after %d executions", stats.Stopped, stats.Executions)
	case l.cut > 0:
		return fmt.Sprintf("%d executions were cut off at the bound on steps", l.cut)
	}
	return ""
}
