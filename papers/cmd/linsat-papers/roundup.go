package main

import (
	"cmp"
	"errors"
	"fmt"

	"github.com/linsat/linsat/explore"
	"github.com/linsat/linsat/explore/roundup"
	"github.com/linsat/linsat/internal/cli"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/specs"
	"github.com/linsat/linsat/papers/catalogue"
	"github.com/linsat/linsat/papers/objects"
	"github.com/linsat/linsat/papers/tables"
	"github.com/linsat/linsat/quasi"
)

// roundUp checks an object on the tests of a dimension as Round-Up does: those of the catalogue,
// and if it has none, or with --all, all well-formed ones.
func (x *explorer) roundUp(name string) error {
	entries := objects.Find(name)
	if len(entries) == 0 {
		return unknownObject(name)
	}
	d, err := roundup.ParseDimension(x.roundup)
	if err != nil {
		return cli.Hint(err, "--roundup takes the calls of each thread, and those of the main thread: 4*4+0")
	}
	least, err := x.roundUpFits(entries[0].Case.Object)
	if err != nil {
		return err
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
	tests, err := testsOf(entries, d, x.all)
	if err != nil {
		return err
	}
	ctx, stop := cli.Interruptible()
	defer stop()
	worst := cli.Linearizable
	bounded := func(e *catalogue.Entry) roundup.Options {
		o.Run = x.bounds()
		if !x.given("op-steps") {
			o.Run.OpSteps = e.OpSteps
		}
		return o
	}
	if x.table {
		about := "linearizability"
		if x.quasi != "" {
			about = "quasi-linearizability with factor " + x.quasi
		}
		t := tables.RoundUp("table", about, x.quasi != "")
		if least {
			t.Columns[1].Ours = "least bound"
		}
		for i := range tests {
			t.Rows = append(t.Rows, tables.RoundUpRow(&tests[i], bounded(&tests[i])))
		}
		return unfit(x.print(ctx, []*tables.Table{t}, tables.Options{}))
	}
	for i := range tests {
		e := &tests[i]
		r, err := roundup.Check(ctx, e.Case, bounded(e))
		switch {
		case err != nil:
			return unfit(err)
		case x.format == "json":
			if err := x.json(roundUpJSONOf(r)); err != nil {
				return err
			}
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
	if worst != cli.Linearizable {
		return cli.Exit(worst)
	}
	return nil
}

// roundUpFits returns an error about an object that Round-Up can't test, or a factor that it has
// not, and reports whether the least factor is asked for.
func (x *explorer) roundUpFits(o *explore.Object) (least bool, err error) {
	if _, ok := roundup.Model(o.Spec); !ok && (x.golden == "" || o.Spec == "") {
		return false, cli.Hint(fmt.Errorf("--roundup does not apply to %s: its specification is %s", o.Name,
			cmp.Or(o.Spec, "its serial behaviour")),
			"Round-Up's tests insert and remove values of queues, stacks and priority queues; `linsat-papers "+o.Name+
				"` runs those of the object")
	}
	s, ok := specs.Lookup(o.Spec)
	if !ok || x.quasi == "" {
		return false, nil
	}
	request, err := quasi.Parse(s.Info(), x.quasi)
	if err != nil {
		return false, cli.Hint(err, cli.QuasiHint(s, "2, deq=2,enq=1, min, or deq=2,deq(1|2)=1"))
	}
	return request.Free != nil, nil
}

// unfit says what fits, if an object has no golden model.
func unfit(err error) error {
	if errors.Is(err, roundup.ErrUnfit) {
		return cli.Hint(err,
			"the golden model is a strict object with the same operations; without --golden it is that of the "+
				"specification")
	}
	return err
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

// testsOf returns the tests of a dimension that the catalogue has for an object. If it has none, or
// if all is true, these are all well-formed ones, with the operations that the tests of the object
// insert and remove with.
func testsOf(entries []catalogue.Entry, d roundup.Dimension, all bool) (tests []catalogue.Entry, err error) {
	for _, e := range entries {
		if !all && roundup.DimensionOf(e.Case).String() == d.String() {
			tests = append(tests, e)
		}
	}
	if len(tests) > 0 {
		return tests, nil
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
		return nil, cli.Hint(fmt.Errorf("%s has no test of dimension %s", entries[0].Case.Object.Name, d),
			"its tests do not say how values are inserted and removed")
	}
	for _, c := range roundup.Harnesses(entries[0].Case.Object, m, d) {
		tests = append(tests, catalogue.Entry{Case: c, OpSteps: entries[0].OpSteps})
	}
	if len(tests) == 0 {
		return nil, cli.Hint(fmt.Errorf("no test of dimension %s", d),
			"a well-formed test inserts as often as it removes: the number of calls is even")
	}
	return tests, nil
}
