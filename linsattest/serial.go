package linsattest

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/linsat/linsat"
	"github.com/linsat/linsat/explore"
	"github.com/linsat/linsat/explore/lineup"
	"github.com/linsat/linsat/explore/mem"
	"github.com/linsat/linsat/internal/schedule"
	"github.com/linsat/linsat/internal/shimrun"
	"github.com/linsat/linsat/spec"
)

// What: the specification of an object for which none is given: what the object does when its
// operations come one after the other.
//
// Source: Line-Up (Burckhardt, Dern, Musuvathi and Tan, PLDI 2010), phase 1. Package
// explore/lineup observes the serial runs, and makes a specification of them; the exploration is
// then one as with any other specification. So its second phase is that of linsat, with its
// strategies, and its definition of stuck histories is that of needless waits.
//
// What we changed: an object with several outcomes is no failure, but allowed each of them.
//
// Invariant: what is learned is of the program that is explored, without the operations that are
// left out. A program without operations is not run serially: it may only fail.
//
// Cost: the number of orders of the operations, which is exponential.

// learned is what the serial runs of a program showed.
type learned struct {
	without string // the operations that were left out
	seen    *lineup.Observations
	spec    spec.Spec
	summary string
}

// ofSerialRuns says how a violation of what was learned is explained: by how far it goes, as no
// arguments are known of it.
var ofSerialRuns = linsat.Explain(linsat.ExplainOptions{Cores: linsat.NoCore, Locate: argueTime})

// asserting takes the place of a specification where there are no operations.
var asserting = func() spec.Spec {
	s, err := spec.Define(spec.Definition[int]{Name: "assertions", Step: func(int, spec.Call) []spec.Outcome[int] {
		return nil
	}})
	if err != nil {
		panic(err)
	}
	return s
}()

// errSerial says that the specification cannot be learned.
type errSerial struct{ cause string }

func (e errSerial) Error() string {
	return fmt.Sprintf("without a specification, the operations are run in every order, one after the other, to learn "+
		"what they do; that was not complete: %s; test with fewer operations", e.cause)
}

// specification returns that of the test, or learns one. If a serial run fails, it returns the
// report of that instead.
func (x *exploration) specification(phase *shimrun.Options) (spec.Spec, *explore.Report, error) {
	if x.spec != nil {
		return x.spec, nil, nil
	}
	if !x.operates {
		return asserting, nil, nil
	}
	without, err := x.without.MarshalText()
	if err != nil {
		return nil, nil, err
	}
	if x.learned != nil && x.learned.without == string(without) {
		return x.learned.spec, nil, nil
	}
	ctx, cancel := context.WithCancel(context.Background())
	if phase.For > 0 {
		ctx, cancel = context.WithTimeout(context.Background(), phase.For/serialShare)
	}
	defer cancel()
	c := explore.ProgramCase(x.t.Name(), x.program)
	one, failure, ran, err := learn(ctx, c, lineup.Options{MaxSteps: phase.Steps,
		Visit: func(e *explore.Execution) bool { return !x.faulty(e) }})
	if again := x.lacks(); again != nil {
		return nil, nil, again
	}
	switch {
	case x.fault != nil:
		return nil, &explore.Report{Case: c, Spec: asserting, Strategy: schedule.Describe(schedule.Serial()),
			Stats: explore.Stats{Executions: ran.Runs, Elapsed: ran.Time, Stopped: "visit"}}, nil
	case err != nil:
		return nil, nil, err
	case failure != nil: // a panic
		report, err := explore.Check(context.Background(), c, asserting,
			explore.CheckOptions{Options: explore.Options{MaxSteps: phase.Steps},
				Strategy: explore.Replay(failure.Run.Schedule)})
		return nil, report, err
	}
	one.without = string(without)
	x.learned = one
	return one.spec, nil, nil
}

// learn runs a program serially. Where a run panics, there is a failure instead.
func learn(ctx context.Context, c *explore.Case, o lineup.Options) (*learned, *lineup.Failure, lineup.Phase, error) {
	o.Nondeterministic = true
	seen, failure, ran, err := lineup.Synthesize(ctx, c, o)
	switch {
	case err != nil || failure != nil:
		return nil, failure, ran, err
	case ran.Cause != "":
		return nil, nil, ran, errSerial{fmt.Sprintf("%s, after %d of them", ran.Cause, ran.Runs)}
	}
	one := &learned{seen: seen, spec: seen.Spec()}
	full, stuck := seen.Histories()
	one.summary = fmt.Sprintf("%d serial histories", full+stuck)
	if stuck > 0 {
		one.summary += fmt.Sprintf(", in %d of which an operation waits for ever", stuck)
	}
	return one, nil, ran, nil
}

// lacks returns errAgain if the program needs more than the exploration has prepared for, or why it
// cannot be explored.
func (x *exploration) lacks() error {
	switch refused := x.shims.Refused(); {
	case refused != nil:
		return refused
	case x.crowded:
		return errTooManyProcesses
	case x.fault == nil && x.shims.Lacking():
		return errAgain
	}
	return nil
}

// learn runs the program of a seed serially, with the code as it is: an operation is one step. It
// returns nil where some operation waits for another one.
func (c *check) learn(seed uint64, f func(r *Run)) (spec.Spec, error) {
	switch {
	case c.unlearned != "":
		return nil, nil
	case c.learned != nil:
		return c.learned.spec, nil
	}
	began := time.Now()
	program := func(e *explore.Exec) {
		r := &Run{seed: seed, rng: rand.New(rand.NewPCG(seed, 0)), exec: e, turns: mem.NewVar(e.Memory(), "turn", 0),
			whole: true}
		f(r)
		r.begin(e)
	}
	ctx, cancel := context.WithTimeout(context.Background(), max(*duration, leastLearning)/serialShare)
	defer cancel()
	one, failure, _, err := learn(ctx, explore.ProgramCase("", program), lineup.Options{Hang: serialHang})
	c.learning = time.Since(began)
	hang := (*explore.Hang)(nil)
	switch {
	case errors.As(err, &hang):
		c.unlearned = fmt.Sprintf("in a serial run, an operation of process %d waits for another one, or takes longer "+
			"than %v; `linsat test` models what waits", hang.Thread, serialHang)
		return nil, nil
	case err != nil:
		return nil, err
	case failure != nil:
		return nil, fmt.Errorf("a serial run panicked: %v\n%s", failure.Run.Panic, failure.Run.Stack)
	}
	c.learned = one
	return one.spec, nil
}

// settled learns once more after a violation, since what differs from time to time is not known
// after one.
func (c *check) settled(seed uint64, f func(r *Run)) error {
	if c.spec != nil {
		return nil
	}
	before := c.learned
	c.learned = nil
	if _, err := c.learn(seed, f); err != nil {
		return err
	}
	if !c.learned.seen.Equal(before.seen) {
		return errors.New("the operations do other things in serial runs from one time to the next (random numbers, " +
			"time, the order of a map?), so no specification can be learned from these; `linsat test` models them")
	}
	return nil
}
