package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"

	"github.com/linsat/linsat/explore"
	"github.com/linsat/linsat/explore/localize"
	"github.com/linsat/linsat/explore/roundup"
	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/cli"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/picture"
	"github.com/linsat/linsat/internal/schedule"
	"github.com/linsat/linsat/internal/words"
	"github.com/linsat/linsat/papers/catalogue"
	"github.com/linsat/linsat/papers/objects"
	"github.com/linsat/linsat/quasi"
)

// run explores the tests of one object and returns nil or the exit code.
func (x *explorer) run(name string) error {
	entries := objects.Find(name)
	if len(entries) == 0 {
		return unknownObject(name)
	}
	if x.test == "" && x.given("test") {
		return cli.Hint(errors.New("--test is empty"), fmt.Sprintf("--test takes a number from 1 to %d, or a test",
			len(entries)))
	}
	bound := entries[0].OpSteps
	if n, err := strconv.Atoi(x.test); err == nil {
		if n < 1 || n > len(entries) {
			return cli.Hint(fmt.Errorf("%s has no test %d", name, n),
				fmt.Sprintf("--test takes a number from 1 to %d, or a test", len(entries)))
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
	return explore.Options{MaxSteps: x.maxSteps, OpSteps: x.opSteps, MaxRuns: x.maxRuns, MaxTime: x.timeout,
		SetUps: x.setUps}
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
	r, err := explore.Check(ctx, e.Case, s, explore.CheckOptions{Options: x.bounds(), Strategy: strategy, Quasi: relax,
		Blocking: x.blocking, All: x.all, Shrink: x.shrink || x.localize && e.Pattern == ""})
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
	if err == nil && request.Free != nil {
		err = errors.New("only --roundup looks for the least factor")
	}
	if err != nil {
		return nil, cli.Hint(err, cli.QuasiHint(s, "2 or deq=2,enq=1"))
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
		return nil,
			cli.Hint(err,
				"the schedule is of another test, or a letter in it stands for no thread (a is thread 10, b is 11, "+
					"and so on)")
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
	picture.Timeline{Width: x.screen.Columns(x.width), Color: x.screen.Color}.Draw(x.say,
		picture.New(&words.Run{File: c.Object.Name, History: h}, picture.Highlight{}))
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
