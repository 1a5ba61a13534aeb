package main

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/linsat/linsat/explore"
	"github.com/linsat/linsat/internal/cli"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/specs"
	"github.com/linsat/linsat/papers/catalogue"
)

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
		return cli.Hint(errors.New("--random, --auto, --table, --compare and --roundup exclude each other"),
			"only --table goes with --localize or --roundup, and --random with --table or --compare for another "+
				"dimension")
	case x.roundup == "" && x.given("golden"):
		return cli.Hint(errors.New("--golden without --roundup"), "--roundup takes a dimension: 4*4+0")
	case x.given("count") && (!generated || x.given("auto")):
		return cli.Hint(errors.New("--count without random tests"), "--random takes a dimension: 3x3")
	case x.count < 1:
		return cli.Hint(fmt.Errorf("--count is %d", x.count), "it is how many random tests are drawn")
	case x.auto < 0:
		return cli.Hint(errors.New("--auto is negative"), "--auto=3 ends after the tests of 3x3; 0 is no limit")
	case x.table && x.shrink, x.compare && x.shrink, x.roundup != "" && x.shrink:
		return cli.Hint(errors.New("--shrink does not apply here"),
			"--table shrinks by itself; the others show no single test")
	case x.shrink && x.quasi != "":
		return cli.Hint(errors.New("--shrink supports linearizability only, not --quasi"),
			"whether a test is drained depends on its operations")
	case x.shrink && x.replay != "":
		return cli.Hint(errors.New("--shrink with --replay"), "a schedule is of one test")
	}
	for _, f := range []string{"sequence", "before", "after"} {
		if x.given(f) && !generated {
			return cli.Hint(fmt.Errorf("--%s is for generated tests", f),
				"it needs --random, --auto, --table or --compare")
		}
	}
	if !generated && x.roundup == "" && !(x.table && x.localize) {
		return nil
	}
	// generated tests: flags of single ones have no effect
	single := []string{"test", "replay", "save", "observations", "html", "width"}
	if generated {
		single = append(single, "all", "op-steps", "localize", "quasi", "quasi-meaning", "blocking", "set-ups")
	} else {
		single = append(single, "nondeterministic", "sequential")
	}
	for _, f := range single {
		if x.given(f) {
			return cli.Hint(fmt.Errorf("--%s does not apply to generated tests, or to tables", f),
				"run the test that is found by itself, with --test")
		}
	}
	return x.numbers()
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
		for _, calls := range append([][]explore.Call{e.Case.Object.Ops, e.Case.Before, e.Case.After},
			e.Case.Threads...) {
			note(calls)
		}
	}
	for _, calls := range append([][]explore.Call{c.Before, c.After}, c.Threads...) {
		for _, call := range calls {
			if !operations[call.F] {
				return cli.Hint(fmt.Errorf("%s has no operation %q", c.Object.Name, call.F),
					"it has "+strings.Join(slices.Sorted(maps.Keys(operations)), ", "))
			}
		}
	}
	return nil
}

func (x *explorer) validate(entries []catalogue.Entry) error {
	if err := x.numbers(); err != nil {
		return err
	}
	for _, f := range []struct {
		flag, value string
	}{{"replay", x.replay}, {"save", x.save}, {"html", x.html}, {"observations", x.observed}} {
		if f.value != "" && len(entries) > 1 {
			return cli.Hint(fmt.Errorf("--%s needs one test, and the object has %d", f.flag, len(entries)),
				"choose one with --test, by its number")
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
			return cli.Hint(fmt.Errorf("--%s does not apply to the strategy %s", f.flag, x.strategy),
				"it needs --strategy "+strings.Join(f.strategies, " or "))
		}
	}
	switch {
	case x.html != "" && !x.localize:
		return cli.Hint(errors.New("--html without --localize"),
			"--html writes the page of --localize; `linsat explain --html` draws a saved history")
	case x.quasi == "" && x.given("quasi-meaning"):
		return cli.Hint(errors.New("--quasi-meaning without a quasi factor"), "--quasi takes 2 or deq=2,enq=1")
	case x.quasi == "" && x.given("quasi"):
		return cli.Hint(errors.New("--quasi is empty"), "--quasi takes 2 or deq=2,enq=1")
	case x.localize && x.setUps > 0:
		return cli.Hint(errors.New("--localize tries all choices, not --set-ups"), "leave out --localize or --set-ups")
	case x.localize && x.quasi != "":
		return cli.Hint(errors.New("--localize supports linearizability only, not --quasi"),
			"leave out --localize or --quasi")
	}
	return nil
}

// fits returns an error, before anything runs, about flags that the object of a test does not
// support.
func (x *explorer) fits(c *explore.Case) error {
	if c.Object.Spec == "" {
		for _, flag := range []string{"localize", "quasi", "blocking", "all", "set-ups", "op-steps"} {
			if x.given(flag) {
				return cli.Hint(fmt.Errorf("--%s needs a specification, and %s has none", flag, c.Object.Name),
					"leave out the flag: the object is checked as Line-Up does, against its serial behaviour")
			}
		}
		return nil
	}
	for _, flag := range []string{"nondeterministic", "sequential"} {
		if x.given(flag) {
			return cli.Hint(fmt.Errorf("--%s is for objects without a specification, and %s has one", flag,
				c.Object.Name), "with --random 3x3 it is checked as Line-Up does")
		}
	}
	if x.observed != "" {
		return cli.Hint(fmt.Errorf("--observations is for objects without a specification, and %s has one",
			c.Object.Name), "`linsat solve --spec "+c.Object.Spec+"` checks its histories")
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
