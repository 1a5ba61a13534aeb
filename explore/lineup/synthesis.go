package lineup

import (
	"context"
	"fmt"

	"github.com/linsat/linsat/explore"
	"github.com/linsat/linsat/internal/schedule"
)

// Phase 1 of Check (paper, Figure 5, lines 2 to 6).
//
// Every serial run becomes a path of the automaton as soon as it ends. The run that contradicts the
// automaton shows the nondeterminism; its counterpart is found by running the serial schedules once
// more, up to the first one with the other result.

// Synthesize runs a test serially in every order and returns what it observed; or a failure, if
// the object is nondeterministic or panics.
func Synthesize(ctx context.Context, c *explore.Case, o Options) (*Observations, *Failure, Phase, error) {
	obs, err := newObservations(c)
	if err != nil {
		return nil, nil, Phase{}, err
	}
	obs.Nondeterministic = o.Nondeterministic
	var failure *Failure
	var contradiction []step
	seen := &reader{obs: obs}
	limit := newLimit(ctx)
	stats, err := runSerially(c, o, func(e *explore.Execution, middle int) bool {
		if o.Visit != nil && !o.Visit(e) {
			return false
		}
		switch e.Outcome {
		case explore.Panicked:
			failure = &Failure{Kind: Panic, Run: e.Clone(), Op: -1}
			return false
		case explore.Completed, explore.Stuck:
		case explore.CutOff: // an operation that does not end on its own is stuck
			var endless bool
			if endless, err = repeats(c, e, o); err != nil {
				return false
			}
			if middle < 0 || !endless {
				limit.cut++
				return limit.more()
			}
		default:
			return limit.more()
		}
		var runs [][]step
		if runs, err = seen.serial(e, middle); err != nil {
			return false
		}
		for _, run := range runs {
			if at := obs.add(run); at >= 0 {
				contradiction = append([]step(nil), run[:at+1]...)
				failure = &Failure{Kind: Nondeterminism, Run: e.Clone(), Op: seen.position(e, run[:at+1])}
				return false
			}
		}
		return limit.more()
	}, &err)
	phase := Phase{Runs: stats.Executions, Histories: obs.full + obs.stuck, Stuck: obs.stuck, Time: stats.Elapsed}
	if err != nil {
		return nil, nil, phase, err
	}
	if failure != nil {
		if failure.Kind == Nondeterminism {
			err = failure.counterpart(c, o, obs, contradiction)
		}
		return nil, failure, phase, err
	}
	if phase.Cause = limit.cause(stats); phase.Cause != "" {
		return nil, nil, phase, nil
	}
	obs.minimize()
	return obs, nil, phase, nil
}

// counterpart finds the first serial run that equals the contradiction except for the result of its
// last operation.
func (f *Failure) counterpart(c *explore.Case, o Options, obs *Observations, contradiction []step) error {
	seen := &reader{obs: obs}
	at := len(contradiction) - 1
	var err error
	_, runErr := runSerially(c, o, func(e *explore.Execution, middle int) bool {
		if e.Outcome == explore.Panicked || e.Outcome == explore.TimedOut || e.Outcome == explore.CutOff && middle < 0 {
			return true
		}
		var runs [][]step
		if runs, err = seen.serial(e, middle); err != nil {
			return false
		}
		for _, run := range runs {
			if len(run) > at && equalSteps(run[:at], contradiction[:at]) &&
				run[at].thread == contradiction[at].thread && run[at] != contradiction[at] {
				f.Other = e.Clone()
				return false
			}
		}
		return true
	}, &err)
	if runErr == nil && f.Other == nil {
		runErr = fmt.Errorf("the object first gave %s another result, but not when run again", &f.Run.Ops[f.Op])
	}
	return runErr
}

func equalSteps(a, b []step) bool {
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

// runSerially calls visit with every serial run, and with the thread that is inside an operation,
// or -1. An error that visit leaves in failure takes precedence over that of the run.
func runSerially(c *explore.Case, o Options, visit func(e *explore.Execution, middle int) bool,
	failure *error) (explore.Stats, error) {
	s := &ends{Strategy: schedule.Serial()}
	stats, err := explore.Run(c.Program(), s, explore.Options{MaxSteps: o.MaxSteps, MaxRuns: o.MaxRuns, Hang: o.Hang},
		func(e *explore.Execution) bool {
			return visit(e, s.middle)
		})
	if *failure != nil {
		err = *failure
	}
	return stats, err
}

// ends records how executions end: the thread of the test that is inside an operation, and whether
// the schedule of one that was cut off is fair. If all threads are blocked and none is inside an
// operation, the engine lets each of them call its next operation: then each by itself is a way in
// which the run gets stuck. If one thread is inside an operation, that one is stuck and the others
// never called.
type ends struct {
	schedule.Strategy
	middle int // -1: none
	fair   bool
}

func (s *ends) End(f *schedule.Finished) {
	s.middle = -1
	for set := f.Live &^ f.Own; set != 0; set &= set - 1 {
		if t := schedule.Lowest(set); !f.Pending[t].First {
			s.middle = t
		}
	}
	s.fair = f.Outcome == explore.CutOff && fair(f)
	s.Strategy.End(f)
}

// reader turns executions into steps.
type reader struct {
	obs     *Observations
	called  []int32
	run     []step
	pending []step
	runs    [][]step
}

// serial returns the serial histories of a serial run: one, unless several operations could be the
// one that blocks. They are valid until the next call.
func (r *reader) serial(e *explore.Execution, middle int) ([][]step, error) {
	r.called = append(r.called[:0], make([]int32, schedule.MaxThreads+1)...)
	r.run, r.pending, r.runs = r.run[:0], r.pending[:0], r.runs[:0]
	for i := range e.Ops {
		op := &e.Ops[i]
		t := r.obs.threadIndex(op.Thread)
		s := step{thread: t}
		var err error
		if s.index, err = r.obs.learn(t, r.called[t], op); err != nil {
			return nil, fmt.Errorf("argument of %s: %w", explore.Call{F: op.F, Arg: op.Arg}, err)
		}
		r.called[t]++
		if op.Return < 0 {
			if s.stuck = true; middle < 0 || op.Thread == middle {
				r.pending = append(r.pending, s)
			}
			continue
		}
		if s.result, err = r.obs.values.intern(op.Result); err != nil {
			return nil, fmt.Errorf("result of %s: %w", explore.Call{F: op.F, Arg: op.Arg}, err)
		}
		r.run = append(r.run, s)
	}
	if e.Outcome == explore.Completed {
		return append(r.runs, r.run), nil
	}
	for _, s := range r.pending {
		r.runs = append(r.runs, append(append([]step(nil), r.run...), s))
	}
	return r.runs, nil
}

// position finds the last operation of some steps in an execution.
func (r *reader) position(e *explore.Execution, run []step) int {
	last := run[len(run)-1].thread
	n := 0
	for _, s := range run {
		if s.thread == last {
			n++
		}
	}
	for i := range e.Ops {
		if r.obs.threadIndex(e.Ops[i].Thread) != last {
			continue
		}
		if n--; n == 0 {
			return i
		}
	}
	return -1
}
