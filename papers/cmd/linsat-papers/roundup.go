package main

import (
	"errors"
	"fmt"

	"github.com/linsat/linsat/explore"
	"github.com/linsat/linsat/explore/roundup"
	"github.com/linsat/linsat/internal/cli"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/papers/catalogue"
	"github.com/linsat/linsat/papers/objects"
	"github.com/linsat/linsat/quasi"
)

// roundUp checks an object on the tests of a dimension as Round-Up does: those of the catalogue,
// and if it has none, all well-formed ones. Without a name it takes all tests of the catalogue that
// have a golden model.
func (x *explorer) roundUp(name string) error {
	entries := objects.Find(name)
	if len(entries) == 0 && name != "" {
		return unknownObject(name)
	}
	d, err := roundup.ParseDimension(x.roundup)
	if err != nil {
		return cli.Hint(err, "--roundup takes the calls of each thread, and those of the main thread: 4*4+0")
	}
	o := roundup.Options{Factor: x.quasi, Blocking: x.blocking, Traces: true}
	if x.given("strategy") {
		o.Strategy = func() explore.Strategy { s, _ := x.chosen(); return s }
	}
	if x.given("quasi-meaning") {
		var m quasi.Meaning
		if err := m.UnmarshalText([]byte(x.meaning)); err != nil {
			return err
		}
		o.Meaning = m
	}
	if x.golden != "" {
		golden := objects.Find(x.golden)
		if len(golden) == 0 {
			return unknownObject(x.golden)
		}
		o.Golden = golden[0].Case.Object
	}
	tests := testsOf(entries, d)
	if name == "" {
		tests = testsOf(relaxable(), d)
	}
	if len(tests) == 0 {
		return cli.Hint(fmt.Errorf("no test of dimension %s", d),
			"a well-formed test inserts as often as it removes: the number of calls is even")
	}
	ctx, stop := cli.Interruptible()
	defer stop()
	worst := cli.Linearizable
	if x.table && x.format != "json" {
		header := roundup.Header
		if x.quasi != "" {
			header = roundup.QuasiHeader
		}
		fmt.Fprint(x.out, header)
	}
	for _, e := range tests {
		o.Run = x.bounds()
		if !x.given("op-steps") {
			o.Run.OpSteps = e.OpSteps
		}
		r, err := roundup.Check(ctx, e.Case, o)
		switch {
		case errors.Is(err, roundup.ErrUnfit):
			return cli.Hint(err,
				"the golden model is a strict object with the same operations; without --golden it is that of the "+
					"specification")
		case err != nil:
			return err
		case x.format == "json":
			if err := x.json(roundUpJSONOf(r)); err != nil {
				return err
			}
		case x.table && x.quasi != "":
			fmt.Fprint(x.out, r.QuasiRow())
		case x.table:
			fmt.Fprint(x.out, r.Row())
		default:
			fmt.Fprint(x.out, r)
		}
		verdict := r.Linearizable
		if x.quasi != "" {
			verdict = r.Quasi
		}
		if code := roundUpCode(verdict); cli.Gravity(code) > cli.Gravity(worst) {
			worst = code
		}
	}
	if worst != cli.Linearizable && !x.table {
		return cli.Exit(worst)
	}
	return nil
}

// relaxable returns the tests of the catalogue that have a golden model.
func relaxable() (entries []catalogue.Entry) {
	for _, g := range objects.Groups() {
		for _, e := range g.Entries {
			if _, ok := roundup.Model(e.Case.Object.Spec); ok && e.Quasi != "" {
				entries = append(entries, e)
			}
		}
	}
	return entries
}

func roundUpCode(v engine.Verdict) int {
	switch v {
	case engine.Linearizable:
		return cli.Linearizable
	case engine.NotLinearizable:
		return cli.Violation
	}
	return cli.Unknown
}

// testsOf returns the tests of a dimension that the catalogue has for an object, or all well-formed
// ones, with the operations that the tests of the object insert and remove with.
func testsOf(entries []catalogue.Entry, d roundup.Dimension) (tests []catalogue.Entry) {
	for _, e := range entries {
		if roundup.DimensionOf(e.Case).String() == d.String() {
			tests = append(tests, e)
		}
	}
	if len(tests) > 0 || len(entries) == 0 {
		return tests
	}
	var m roundup.Methods
	for _, e := range entries {
		for _, calls := range append([][]explore.Call{e.Case.Before, e.Case.After}, e.Case.Threads...) {
			for _, call := range calls {
				if call.Arg != nil {
					m.Insert = call.F
				} else {
					m.Remove = call.F
				}
			}
		}
	}
	if m.Insert == "" || m.Remove == "" {
		return nil
	}
	for _, c := range roundup.Harnesses(entries[0].Case.Object, m, d) {
		tests = append(tests, catalogue.Entry{Case: c, OpSteps: entries[0].OpSteps})
	}
	return tests
}
