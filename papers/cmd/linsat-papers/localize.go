package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/linsat/linsat/explore"
	"github.com/linsat/linsat/explore/localize"
	"github.com/linsat/linsat/internal/cli"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/papers/catalogue"
	"github.com/linsat/linsat/papers/objects"
	"github.com/linsat/linsat/papers/tables"
)

// locate prints which races decide. For a shipped object it shows a trace with the sequence of
// races that the paper gives.
func (x *explorer) locate(ctx context.Context, e *catalogue.Entry, c *explore.Case, s model.Spec) (*localize.Result,
	error) {
	fmt.Fprintln(x.say)
	o := localize.Options{MaxRuns: x.maxRuns, MaxTime: x.timeout, MaxSteps: x.maxSteps, OpSteps: x.opSteps,
		Deadlocks: !x.blocking, Repair: true}
	if e.Pattern != "" {
		sequence, err := localize.ParseSequence(e.Pattern)
		if err != nil {
			return nil, err
		}
		o.Sequence = sequence
	}
	r, err := localize.Find(ctx, c, s, o)
	if err != nil {
		return nil, err
	}
	if err := r.Text(x.say); err != nil || x.html == "" {
		return r, err
	}
	f, err := os.Create(x.html)
	if err != nil {
		return r, err
	}
	return r, errors.Join(r.HTML(f), f.Close())
}

// localizeTable makes the row of an object, as in the paper's Table 2.
func (x *explorer) localizeTable(name string) error {
	entries := objects.Find(name)
	if len(entries) == 0 {
		return unknownObject(name)
	}
	ctx, stop := cli.Interruptible()
	defer stop()
	t := tables.FGVT()
	for i := range entries {
		e := &entries[i]
		if e.Case.Object.Spec == "" {
			return cli.Hint(fmt.Errorf("--localize needs a specification, and %s has none", e.Case.Object.Name),
				"--random checks it against its serial behaviour")
		}
		s, err := specificationOf(e.Case)
		if err != nil {
			return err
		}
		o := localize.Options{MaxRuns: x.maxRuns, MaxTime: x.timeout, MaxSteps: x.maxSteps, OpSteps: x.opSteps,
			Deadlocks: !x.blocking}
		if !x.given("op-steps") {
			o.OpSteps = e.OpSteps
		}
		t.Rows = append(t.Rows, tables.FGVTRow(e, s, o))
	}
	return x.print(ctx, []*tables.Table{t}, tables.Options{})
}
