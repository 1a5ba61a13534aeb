package main

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/linsat/linsat/explore"
	"github.com/linsat/linsat/explore/lineup"
	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/cli"
	"github.com/linsat/linsat/internal/schedule"
	"github.com/linsat/linsat/papers/catalogue"
	"github.com/linsat/linsat/papers/objects"
	"github.com/linsat/linsat/papers/objects/dotnet"
	"github.com/linsat/linsat/papers/tables"
)

// Generated tests: drawn at random, all of a dimension, or as a table.

// generates reports whether tests are to be generated and checked as Line-Up does.
func (x *explorer) generates() bool {
	return x.random != "" || x.given("auto") || x.table && !x.localize && x.roundup == "" || x.compare
}

// lineUpOptions returns what the flags ask of Line-Up.
func (x *explorer) lineUpOptions(object *explore.Object) (lineup.Options, error) {
	o := lineup.Options{MaxSteps: x.maxSteps, MaxRuns: x.maxRuns, MaxTime: x.timeout, Seed: x.seed,
		Nondeterministic: x.nondeterministic, Sequential: x.sequential, Bound: -1}
	if x.strategy == "bounded" && x.replay == "" {
		o.Bound, o.Inside = x.preemptions, x.inside
	}
	if o.Bound <= 0 || x.replay != "" {
		o.Strategy = func() explore.Strategy { s, _ := x.chosen(); return s }
	}
	for _, text := range x.sequences {
		calls, err := sequence(object, "--sequence", text)
		if err != nil {
			return o, err
		}
		o.Sequences = append(o.Sequences, calls)
	}
	var err error
	if o.Before, err = sequence(object, "--before", x.before); err == nil {
		o.After, err = sequence(object, "--after", x.after)
	}
	return o, err
}

// sequence reads the calls of one thread.
func sequence(object *explore.Object, flag, text string) ([]explore.Call, error) {
	c, err := explore.ParseCase(object, text)
	switch {
	case text == "" && flag != "--sequence":
		return nil, nil
	case err != nil:
	case len(c.Threads) != 1 || len(c.Before)+len(c.After) > 0:
		err = fmt.Errorf("%s %q is not the operations of one thread", flag, text)
	default:
		if err = known(c, objects.Find(object.Name)); err == nil {
			return c.Threads[0], nil
		}
		return nil, err
	}
	return nil, cli.Hint(err, flag+" takes operations, separated by spaces: 'add(1) take'")
}

// dimension reads "3x3".
func dimension(text string) (threads, operations int, err error) {
	a, b, ok := strings.Cut(text, "x")
	if ok {
		if threads, err = strconv.Atoi(a); err == nil {
			operations, err = strconv.Atoi(b)
		}
	}
	if !ok || err != nil || threads < 1 || operations < 1 || threads > schedule.MaxThreads {
		return 0, 0, cli.Hint(fmt.Errorf("dimension %q", text),
			fmt.Sprintf("--random takes threads x operations of each, such as 3x3, with at most %d threads",
				schedule.MaxThreads))
	}
	return threads, operations, nil
}

// generate checks generated tests of one object; without a name, of all classes of Line-Up's paper.
func (x *explorer) generate(name string) error {
	threads, operations, err := 3, 3, error(nil)
	if x.random != "" {
		if threads, operations, err = dimension(x.random); err != nil {
			return err
		}
	}
	subjects, err := lineUpSubjects(name)
	if err != nil {
		return err
	}
	ctx, stop := cli.Interruptible()
	defer stop()
	if name == "" && (len(x.sequences) > 0 || x.before != "" || x.after != "") {
		return cli.Hint(errors.New("--sequence, --before and --after need an object"),
			"each object has operations of its own")
	}
	o, err := x.lineUpOptions(subjects[0].Object)
	if err != nil {
		return err
	}
	switch {
	case x.table:
		t := tables.LineUp(subjects,
			tables.Sample{Threads: threads, Operations: operations, Tests: x.count, Options: o})
		return x.print(ctx, []*tables.Table{t}, tables.Options{})
	case x.compare:
		return x.comparison(ctx, subjects, threads, operations, o)
	case x.given("auto"):
		return x.autoCheck(ctx, subjects[0].Object, o)
	}
	return x.randomCheck(ctx, subjects[0].Object, threads, operations, o)
}

func lineUpSubjects(name string) (subjects []lineup.Subject, err error) {
	for _, c := range dotnet.Classes() {
		if name == "" || strings.EqualFold(c.Object.Name, name) {
			subjects = append(subjects, lineup.Subject{Object: c.Object, Cause: c.Cause})
		}
	}
	if len(subjects) == 0 {
		entries := objects.Find(name)
		if len(entries) == 0 {
			return nil, unknownObject(name)
		}
		subjects = append(subjects, lineup.Subject{Object: entries[0].Case.Object})
	}
	if name != "" && len(subjects[0].Object.Ops) == 0 {
		return nil, cli.Hint(fmt.Errorf("%s lists no operations to make tests of", name),
			"name them with --sequence: 'add(1)'")
	}
	return subjects, nil
}

// randomCheck checks random tests of an object and shows the first that fails.
func (x *explorer) randomCheck(ctx context.Context, object *explore.Object, threads, operations int,
	o lineup.Options) error {
	sample, err := lineup.RandomCheck(ctx, object, threads, operations, x.count, o)
	if err != nil {
		return err
	}
	first := sample.First()
	if first != nil && x.shrink {
		if first, err = lineup.Shrink(ctx, first, o); err != nil {
			return err
		}
	}
	if x.format == "json" {
		out := sampleJSON{Object: object.Name, Dimension: fmt.Sprintf("%dx%d", threads, operations), Seed: x.seed,
			Tests: len(sample.Results), Passed: sample.Passed, Failed: sample.Failed, Unknown: sample.Unknowns}
		if first != nil {
			if out.First, err = lineUpJSONOf(first); err != nil {
				return err
			}
		}
		if err := x.json(out); err != nil {
			return err
		}
	} else {
		fmt.Fprintf(x.out, "%s: %d of %d random tests of %dx%d fail, %d pass, %d are undecided (seed %d)\n",
			object.Name, sample.Failed, len(sample.Results), threads, operations, sample.Passed,
			sample.Unknowns, x.seed)
		if first != nil {
			what := "the first that fails:"
			if x.shrink {
				what = "the first that fails, shrunk to the smallest test that fails in the same way:"
			}
			fmt.Fprintf(x.out, "\n%s\n", what)
			if err := first.WriteText(x.out); err != nil {
				return err
			}
		}
	}
	switch {
	case sample.Failed > 0:
		return cli.Exit(cli.Violation)
	case sample.Unknowns > 0 || len(sample.Results) < x.count:
		return cli.Exit(cli.Unknown)
	}
	return nil
}

// autoCheck checks all tests of 1x1, 2x2, ... up to the first that fails.
func (x *explorer) autoCheck(ctx context.Context, object *explore.Object, o lineup.Options) error {
	o.MaxDimension = x.auto
	if x.timeout > 0 {
		var stop context.CancelFunc
		ctx, stop = context.WithTimeout(ctx, x.timeout)
		defer stop()
	}
	r, err := lineup.AutoCheck(ctx, object, o)
	if err != nil {
		return err
	}
	if r == nil {
		fmt.Fprintf(x.err, "linsat: no dimension was finished in time\n")
		return cli.Exit(cli.Unknown)
	}
	n, _ := lineup.Dimension(r.Case)
	if x.shrink && r.Verdict == lineup.Fail {
		if r, err = lineup.Shrink(ctx, r, o); err != nil {
			return err
		}
	}
	if x.format == "json" {
		out, err := lineUpJSONOf(r)
		if err != nil {
			return err
		}
		if err := x.json(autoJSON{Dimension: n, Result: out}); err != nil {
			return err
		}
	} else {
		if r.Verdict == lineup.Pass {
			fmt.Fprintf(x.out, "%s: all tests of %dx%d and smaller pass; the last one:\n", object.Name, n, n)
		}
		if err := r.WriteText(x.out); err != nil {
			return err
		}
	}
	return codeOf(r.Verdict)
}

func codeOf(v lineup.Verdict) error {
	switch v {
	case lineup.Fail:
		return cli.Exit(cli.Violation)
	case lineup.Unknown:
		return cli.Exit(cli.Unknown)
	}
	return nil
}

// comparison counts what the checks say that the paper compares Line-Up with.
func (x *explorer) comparison(ctx context.Context, subjects []lineup.Subject, threads, operations int,
	o lineup.Options) error {
	var all []*lineup.Comparison
	for _, s := range subjects {
		k, err := lineup.Compare(ctx, s.Object, threads, operations, x.count, o)
		if err != nil {
			return err
		}
		all = append(all, k)
		if x.format == "json" {
			if err := x.json(comparisonJSONOf(k)); err != nil {
				return err
			}
		}
	}
	if x.format == "json" {
		return ctx.Err()
	}
	return errors.Join(lineup.WriteComparison(x.out, all), ctx.Err())
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
		fmt.Fprintf(x.say,
			"%s has the completed operations and %s, which blocks, with the result {\"%s\": true}; other pending "+
				"ones are left out\n",
			x.save, explore.Call{F: op.F, Arg: op.Arg}, lineup.Blocks)
	}
	return nil
}
